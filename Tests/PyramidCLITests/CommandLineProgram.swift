import Foundation

/// Runs the program that was built beside the tests.
struct CommandLineProgram {
    struct Outcome {
        let exitCode: Int32
        let standardOutput: String
        let standardError: String
    }

    /// - Parameters:
    ///   - input: what the program finds on its standard input.
    ///   - outputPath: where its standard output goes instead of into the outcome.
    static func run(_ arguments: [String], input: Data = Data(), outputPath: String? = nil) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files instead of pipes: neither side can wait for the other.
        let files = try ["in", "out", "err"].map { name in
            let file = folder.appendingPathComponent(name)
            try (name == "in" ? input : Data()).write(to: file)
            return file
        }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(
            forWritingTo: outputPath.map { URL(fileURLWithPath: $0) } ?? files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            exitCode: process.terminationStatus,
            standardOutput: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            standardError: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    static var url: URL { productsFolder.appendingPathComponent("pyramid") }

    private static var productsFolder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}

/// A folder that is removed at the end of a test.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pyramid-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file and gives its path.
    func file(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: url.appendingPathComponent(name))
        return path(name)
    }
}
