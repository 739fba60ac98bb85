// swift-tools-version: 6.2
import PackageDescription

// Measures the pyramid package from outside: `make bench`. A package of its own, so that neither a build nor the tests of
// the other compile it.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "pyramid", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "PyramidBenchmarks",
            dependencies: [
                .product(name: "PyramidBuild", package: "pyramid"),
                .product(name: "PyramidStore", package: "pyramid"),
                .product(name: "PyramidTiles", package: "pyramid"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
