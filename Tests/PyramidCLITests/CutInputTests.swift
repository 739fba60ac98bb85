import Foundation
import PyramidStore
import PyramidVerification
import Testing

/// Inputs that another program changes while they are read.
struct CutInputTests {
    private let folder: TemporaryFolder
    private let out: String

    init() throws {
        folder = try TemporaryFolder()
        out = folder.path("out")
    }

    /// Builds from a file that is cut while the program waits for its second input, a pipe.
    private func build(_ content: String, cutTo length: UInt64, more: String) throws -> CommandLineProgram.Outcome {
        let input = try folder.file("points", content)
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        return try CommandLineProgram.run(
            ["build", input, pipe, out, "--max-zoom", "3", "--quiet"], environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { _ in
            // Opening it waits for the program, which has the first input by then.
            let handle = try #require(FileHandle(forWritingAtPath: pipe))
            try #require(truncate(input, off_t(length)) == 0)
            try handle.write(contentsOf: Data(more.utf8))
            try handle.close()
        }
    }

    private static let rows = (0..<20_000).map { "\(Double($0 % 170) - 85.5),\(Double($0 % 350) - 175.25),name \($0)" }
    private static let header = "lat,lon,name\n"

    private static let features = (0..<5_000).map { index in
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(index % 179),\#(index % 83)]},"properties":{}}"#
    }

    @Test(arguments: [0, 10, 4_096, 100_000])
    func `a CSV file that is cut short ends the build with a sentence and touches no output`(length: UInt64) throws {
        let small = try folder.file("small.csv", CutInputTests.header + "1,2,x\n")
        #expect(try CommandLineProgram.run(["build", small, out, "--max-zoom", "3", "--quiet"]).exitCode == 0)
        let before = try FaultyBuild.tree(at: out)
        let outcome = try build(
            CutInputTests.header + CutInputTests.rows.joined(separator: "\n"), cutTo: length,
            more: CutInputTests.header + "1,2,x\n")
        #expect(!outcome.wasKilled && outcome.exitCode == 74)
        #expect(
            outcome.standardError.hasSuffix(
                "error: \(folder.path("points")): was cut short by another program while it was read; "
                    + "build again when it is complete\n"))
        #expect(try FaultyBuild.tree(at: out) == before)
    }

    @Test(arguments: [0, 1_000, 200_000])
    func `a GeoJSON file that is cut short ends the build with a sentence`(length: UInt64) throws {
        let outcome = try build(
            "[" + CutInputTests.features.joined(separator: ",\n") + "]", cutTo: length, more: CutInputTests.features[1])
        #expect(!outcome.wasKilled && outcome.exitCode == 74)
        #expect(outcome.standardError.contains("points: was cut short by another program while it was read"))
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func `a file that grows is read as far as it was`() throws {
        let content = CutInputTests.header + "1,2,x\n"
        let outcome = try build(
            content, cutTo: UInt64(content.utf8.count + 100), more: CutInputTests.header + "3,4,y\n")
        #expect(outcome.exitCode == 0)
        #expect(PyramidVerifier(tileset: DirectoryTileset(path: out)).verify().findings.isEmpty)
    }
}
