// swift-tools-version: 6.0
import AppleProductTypes
import PackageDescription

// An app for Xcode on a Mac. The rest of pyramid doesn't need it.
let package = Package(
    name: "Capitals",
    platforms: [.iOS("18.0")],
    products: [
        .iOSApplication(
            name: "Capitals", targets: ["Capitals"], bundleIdentifier: "org.example.capitals", displayVersion: "1.0",
            bundleVersion: "1", supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight],
            additionalInfoPlistContentFilePath: "Info.plist")
    ],
    dependencies: [.package(name: "pyramid", path: "../../../..")],
    targets: [
        .executableTarget(
            name: "Capitals",
            dependencies: [
                .product(name: "PyramidClient", package: "pyramid"),
                .product(name: "PyramidMapKit", package: "pyramid"),
            ],
            path: ".", exclude: ["Info.plist"])
    ],
    swiftLanguageModes: [.v6]
)
