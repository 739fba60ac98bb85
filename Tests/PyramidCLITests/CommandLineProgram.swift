import Foundation
import TestSupport
import Testing

/// A little input.
let threeCities = """
    name,lat,lon
    Suva,-18.1416,178.4419
    Lautoka,-17.6100,177.4500
    Reykjavík,64.1466,-21.9426

    """

/// Runs the program that was built beside the tests, or the one that the variable `PYRAMID` names: a campaign takes the one of a
/// release, which is five times as fast.
struct CommandLineProgram {
    struct Outcome {
        /// Of a program that was killed, the number of the signal.
        let exitCode: Int32
        let wasKilled: Bool
        let standardOutput: String
        let standardError: String

        /// The object on standard output.
        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(standardOutput.utf8)) as? [String: Any])
        }
    }

    /// - Parameters:
    ///   - input: what the program finds on its standard input.
    ///   - outputPath: where its standard output goes instead of into the outcome.
    ///   - errorPath: where its standard error goes instead.
    ///   - environment: variables that it has besides those of the tests.
    ///   - limit: what `ulimit` is told before, such as "-n 32".
    ///   - body: is called while the program runs.
    static func run(
        _ arguments: [String], input: Data = Data(), outputPath: String? = nil, errorPath: String? = nil,
        environment: [String: String] = [:], limit: String? = nil,
        whileRunning body: (Process) throws -> Void = { _ in }
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        // Files instead of pipes: neither side can wait for the other.
        let files = try ["in", "out", "err"].map { name in
            URL(fileURLWithPath: try folder.file(name, name == "in" ? input : Data()))
        }
        let process = Process()
        if let limit {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "ulimit \(limit) && exec \"$0\" \"$@\"", url.path] + arguments
        } else {
            process.executableURL = url
            process.arguments = arguments
        }
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": TemporaryFolder.parent.path]) { $1 }.merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(
            forWritingTo: outputPath.map { URL(fileURLWithPath: $0) } ?? files[1])
        process.standardError = try FileHandle(forWritingTo: errorPath.map { URL(fileURLWithPath: $0) } ?? files[2])
        try process.run()
        try body(process)
        process.waitUntilExit()
        return Outcome(
            exitCode: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            standardOutput: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            standardError: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    static var url: URL {
        ProcessInfo.processInfo.environment["PYRAMID"].map { URL(fileURLWithPath: $0) }
            ?? productsFolder.appendingPathComponent("pyramid")
    }

    static var productsFolder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}
