// swift-tools-version: 6.2
import PackageDescription

// CI treats warnings as errors. Nobody else does: a newer compiler may warn of something new.
let isCI = Context.environment["CI"] != nil
let swiftSettings: [SwiftSetting] = isCI ? [.treatAllWarnings(as: .error)] : []

let package = Package(
    name: "pyramid",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .executable(name: "pyramid", targets: ["PyramidCLI"]),
        .library(name: "PyramidTiles", targets: ["PyramidTiles"]),
        .library(name: "PyramidClient", targets: ["PyramidClient"]),
        .library(name: "PyramidBuild", targets: ["PyramidBuild"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", providers: [.apt(["libz-dev"]), .brew(["zlib"])]),
        .target(name: "PyramidTiles", dependencies: ["CZlib"], swiftSettings: swiftSettings),
        // Apart from PyramidTiles because URLSession needs the system's libcurl on Linux.
        .target(name: "PyramidClient", dependencies: ["PyramidTiles"], swiftSettings: swiftSettings),
        .target(name: "PyramidBuild", dependencies: ["PyramidTiles"], swiftSettings: swiftSettings),
        .target(
            name: "PyramidServer",
            dependencies: ["PyramidTiles", .product(name: "FlyingSocks", package: "FlyingFox")],
            resources: [
                .embedInCode("Preview/preview.html"), .embedInCode("Preview/preview.css"),
                .embedInCode("Preview/tiles.js"), .embedInCode("Preview/markers.js"),
                .embedInCode("Preview/backdrop.js"), .embedInCode("Preview/scene.js"),
                .embedInCode("Preview/details.js"), .embedInCode("Preview/controls.js"),
                .embedInCode("Preview/preview.js"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "PyramidCLI",
            dependencies: [
                "PyramidBuild", "PyramidServer", "PyramidTiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(name: "PyramidTilesTests", dependencies: ["PyramidTiles"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PyramidBuildTests", dependencies: ["PyramidBuild", "PyramidTiles"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PyramidClientTests",
            dependencies: ["PyramidClient", "PyramidBuild", "PyramidServer", "PyramidTiles"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "PyramidServerTests", dependencies: ["PyramidServer", "PyramidTiles"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PyramidCLITests", dependencies: ["PyramidCLI", "PyramidTiles"], swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
