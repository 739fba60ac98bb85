// swift-tools-version: 6.2
import PackageDescription

// A separate package, because its sanitizers must not affect other builds. `run.sh`, part of `make campaign`, builds and runs it.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pyramid", path: "../..")],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", .product(name: "PyramidBuild", package: "pyramid"),
                .product(name: "PyramidClient", package: "pyramid"),
                .product(name: "PyramidServer", package: "pyramid"),
                .product(name: "PyramidStore", package: "pyramid"), .product(name: "PyramidTiles", package: "pyramid"),
                .product(name: "PyramidVerification", package: "pyramid"),
            ],
            exclude: ["SeedTests.swift"]),
    ],
    swiftLanguageModes: [.v6]
)
