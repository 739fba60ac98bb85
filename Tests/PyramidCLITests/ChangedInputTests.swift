import Foundation
import PyramidStore
import PyramidVerification
import TestSupport
import Testing

/// Inputs that another program changes while they are read.
@Suite(.tags(.slow)) struct ChangedInputTests {
    private let folder: TemporaryFolder
    private let out: String

    init() throws {
        folder = try TemporaryFolder()
        out = folder.path("out")
    }

    /// Builds from a file that is changed while the program waits for its second input, a pipe.
    /// - Parameter more: comes through the pipe.
    private func build(
        _ content: String, more: String, change: (_ input: String) throws -> Void
    ) throws -> CommandLineProgram.Outcome {
        // The program may have noticed the change and gone.
        signal(SIGPIPE, SIG_IGN)
        let input = try folder.file("points", content)
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        return try CommandLineProgram.run(
            ["build", input, pipe, out, "--max-zoom", "3", "--quiet"], environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { _ in
            // Opening it waits for the program, which has the first input by then.
            let handle = try #require(FileHandle(forWritingAtPath: pipe))
            try change(input)
            try? handle.write(contentsOf: Data(more.utf8))
            try handle.close()
        }
    }

    private var sentence: String {
        "error: \(folder.path("points")): was changed by another program while it was read; "
            + "build again when it is complete\n"
    }

    private static let rows = (0..<20_000).map { "\(Double($0 % 170) - 85.5),\(Double($0 % 350) - 175.25),name \($0)" }
    private static let header = "lat,lon,name\n"

    private static let features = (0..<5_000).map { index in
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(index % 179),\#(index % 83)]},"properties":{}}"#
    }

    @Test(arguments: [false, true], [0, 10, 4_096, 100_000])
    func `a file that is cut short ends the build with a sentence`(isGeoJSON: Bool, length: UInt64) throws {
        let (rows, features) = (ChangedInputTests.rows, ChangedInputTests.features)
        let header = isGeoJSON ? "" : ChangedInputTests.header
        let content = isGeoJSON ? "[\(features.joined(separator: ",\n"))]" : header + rows.joined(separator: "\n")
        let outcome = try build(content, more: header + (isGeoJSON ? features : rows)[1]) {
            #expect(truncate($0, off_t(length)) == 0)
        }
        #expect(!outcome.wasKilled && outcome.exitCode == 74)
        #expect(outcome.standardError.hasSuffix(sentence))
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    /// Rows of another file of the same size, one of other columns' widths, and more rows.
    @Test(arguments: [false, true])
    func `a file that is written while it is read ends the build with a sentence`(isGeoJSON: Bool) throws {
        let small = try folder.file("small.csv", ChangedInputTests.header + "1,2,x\n")
        #expect(try CommandLineProgram.run(["build", small, out, "--max-zoom", "3", "--quiet"]).exitCode == 0)
        let before = try fileTree(at: out, listsDirectories: true)
        let header = isGeoJSON ? "" : ChangedInputTests.header
        let rows = isGeoJSON ? ChangedInputTests.features : ChangedInputTests.rows
        let content = header + rows.joined(separator: "\n")
        let others = [
            header + rows.reversed().joined(separator: "\n"), String(repeating: "x", count: content.utf8.count),
            String(repeating: "\"", count: content.utf8.count),
            content + "\n" + rows[7],
        ]
        for other in others {
            let outcome = try build(content, more: header + rows[1]) { input in
                let handle = try #require(FileHandle(forWritingAtPath: input))
                try handle.write(contentsOf: Data(other.utf8))
                try handle.close()
            }
            #expect(!outcome.wasKilled && outcome.exitCode == 74)
            #expect(outcome.standardError.hasSuffix(sentence))
            #expect(try fileTree(at: out, listsDirectories: true) == before)
            try FileManager.default.removeItem(atPath: folder.path("pipe"))
        }
    }
}
