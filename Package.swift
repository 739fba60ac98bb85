// swift-tools-version: 6.2
import PackageDescription

// CI treats warnings as errors. Nobody else does: a newer compiler may warn of something new.
let isCI = Context.environment["CI"] != nil
let swiftSettings: [SwiftSetting] = isCI ? [.treatAllWarnings(as: .error)] : []
// `make test` builds the libraries with optimization. The tests' own code compiles in half the time without it.
let testSettings = swiftSettings + [.unsafeFlags(["-Onone"])]

let package = Package(
    name: "pyramid",
    // SwiftPM has one list for all targets. The program uses what Swift's library has since macOS 26, such as
    // `Array.span`. PyramidMapKit, PyramidClient, PyramidTiles and PyramidPlatform, which apps compile, use nothing newer
    // than iOS 18; the other targets are not for iOS. `make darwin-test` checks both.
    platforms: [.macOS(.v26), .iOS(.v18)],
    products: [
        .executable(name: "pyramid", targets: ["PyramidCLI"]),
        .library(name: "PyramidTiles", targets: ["PyramidTiles"]),
        .library(name: "PyramidStore", targets: ["PyramidStore"]),
        // A build is one call of PyramidParts. The others have its options and reports.
        .library(name: "PyramidBuild", targets: ["PyramidBuild", "PyramidClusters", "PyramidInput", "PyramidParts"]),
        .library(name: "PyramidVerification", targets: ["PyramidVerification"]),
        .library(name: "PyramidPublishing", targets: ["PyramidPublishing"]),
        .library(name: "PyramidClient", targets: ["PyramidClient"]),
        .library(name: "PyramidMapKit", targets: ["PyramidMapKit"]),
        // For Tests/Fuzzing, a package of its own.
        .library(name: "PyramidServer", targets: ["PyramidServer"]),
    ],
    // The program's dependencies: an app that states `traits: []` for this package doesn't fetch it.
    traits: ["Program", .default(enabledTraits: ["Program"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", providers: [.apt(["libz-dev"]), .brew(["zlib"])]),
        .plugin(name: "EmbedFiles", capability: .buildTool(), path: "Sources/EmbedFiles"),
        .target(name: "PyramidPlatform", swiftSettings: swiftSettings),
        .target(name: "PyramidTiles", dependencies: ["CZlib", "PyramidPlatform"], swiftSettings: swiftSettings),
        .target(
            name: "PyramidStore", dependencies: ["CZlib", "PyramidPlatform", "PyramidTiles"],
            swiftSettings: swiftSettings),
        .target(
            name: "PyramidInput", dependencies: ["PyramidPlatform", "PyramidStore", "PyramidTiles"],
            swiftSettings: swiftSettings),
        .target(
            name: "PyramidClusters", dependencies: ["PyramidInput", "PyramidPlatform", "PyramidStore", "PyramidTiles"],
            swiftSettings: swiftSettings),
        .target(
            name: "PyramidBuild",
            dependencies: ["PyramidClusters", "PyramidInput", "PyramidPlatform", "PyramidStore", "PyramidTiles"],
            swiftSettings: swiftSettings),
        .target(
            name: "PyramidParts",
            dependencies: [
                "PyramidBuild", "PyramidClusters", "PyramidInput", "PyramidPlatform", "PyramidStore", "PyramidTiles",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "PyramidVerification", dependencies: ["PyramidPlatform", "PyramidStore", "PyramidTiles"],
            swiftSettings: swiftSettings),
        .target(
            name: "PyramidPublishing", dependencies: ["PyramidPlatform", "PyramidStore", "PyramidTiles"],
            swiftSettings: swiftSettings),
        // For apps: only PyramidTiles and PyramidPlatform are compiled with it. URLSession needs the system's libcurl on Linux.
        .target(name: "PyramidClient", dependencies: ["PyramidTiles"], swiftSettings: swiftSettings),
        // For iOS; elsewhere it is empty.
        .target(
            name: "PyramidMapKit", dependencies: ["PyramidClient", "PyramidTiles"], exclude: ["Example"],
            swiftSettings: swiftSettings),
        // For the preview page: what shows markers on a map of Leaflet.
        .target(
            name: "PyramidWeb",
            exclude: [
                "README.md", "environment.d.ts", "examples", "index.js", "leaflet.js", "legend.js", "maplibre.js",
                "maps/maplibre.js", "maps/openlayers.js", "openlayers.js", "package.json", "pyramid-web.js",
                "tsconfig.json",
            ],
            swiftSettings: swiftSettings, plugins: ["EmbedFiles"]),
        .target(
            name: "PyramidServer",
            dependencies: [
                "PyramidPlatform", "PyramidStore", "PyramidTiles", "PyramidWeb",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Program"])),
            ],
            exclude: ["Preview/world.py"],
            swiftSettings: swiftSettings, plugins: ["EmbedFiles"]),
        .executableTarget(
            name: "PyramidCLI",
            dependencies: [
                "PyramidBuild", "PyramidInput", "PyramidParts", "PyramidPlatform", "PyramidPublishing", "PyramidServer",
                "PyramidStore", "PyramidTiles", "PyramidVerification",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Program"])),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "TestSupport",
            dependencies: ["PyramidBuild", "PyramidParts", "PyramidStore", "PyramidTiles", "PyramidVerification"],
            path: "Tests/TestSupport", swiftSettings: testSettings),
        .testTarget(
            name: "PyramidPlatformTests", dependencies: ["PyramidPlatform"], swiftSettings: testSettings),
        .testTarget(
            name: "PyramidTilesTests", dependencies: ["PyramidStore", "PyramidTiles", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidStoreTests", dependencies: ["PyramidStore", "PyramidTiles", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidInputTests",
            dependencies: [
                "PyramidBuild", "PyramidClusters", "PyramidInput", "PyramidParts", "PyramidStore", "PyramidTiles",
                "PyramidVerification", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidClustersTests",
            dependencies: [
                "PyramidBuild", "PyramidClusters", "PyramidInput", "PyramidTiles", "PyramidVerification", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidBuildTests",
            dependencies: [
                "PyramidBuild", "PyramidClusters", "PyramidInput", "PyramidParts", "PyramidStore", "PyramidTiles",
                "PyramidVerification", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidPartsTests",
            dependencies: [
                "PyramidBuild", "PyramidClusters", "PyramidInput", "PyramidParts", "PyramidStore", "PyramidTiles",
                "PyramidVerification", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidVerificationTests",
            dependencies: ["PyramidStore", "PyramidTiles", "PyramidVerification", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidPublishingTests",
            dependencies: ["PyramidPublishing", "PyramidStore", "PyramidTiles", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidClientTests",
            dependencies: [
                "PyramidBuild", "PyramidClient", "PyramidParts", "PyramidServer", "PyramidStore", "PyramidTiles",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidServerTests",
            dependencies: ["PyramidServer", "PyramidStore", "PyramidTiles", "PyramidWeb", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PyramidCLITests",
            dependencies: [
                "PyramidBuild", "PyramidCLI", "PyramidInput", "PyramidParts", "PyramidPublishing", "PyramidServer",
                "PyramidStore", "PyramidTiles", "PyramidVerification", "TestSupport",
            ],
            swiftSettings: testSettings),
        // The fuzzer's checks, with its seeds.
        .testTarget(
            name: "FuzzingTests",
            dependencies: [
                "PyramidBuild", "PyramidClient", "PyramidClusters", "PyramidInput", "PyramidParts", "PyramidServer",
                "PyramidStore", "PyramidTiles", "PyramidVerification", "TestSupport",
            ],
            path: "Tests/Fuzzing/Sources/Fuzz", exclude: ["Fuzz.swift"], swiftSettings: testSettings),
    ],
    swiftLanguageModes: [.v6]
)
