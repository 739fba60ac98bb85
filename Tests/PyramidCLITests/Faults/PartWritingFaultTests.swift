import Foundation
import Testing

/// Builds of a part whose system calls fail, and builds that are killed.
@Suite(.disabled(if: FaultLibrary.isMissing, "needs Linux and a C compiler"))
struct PartWritingFaultTests {
    private let folder: TemporaryFolder
    private let input: String
    private let schema: String
    /// The folder of the part, and nothing else.
    private var place: String { folder.path("place") }
    private var path: String { place + "/part" }

    init() throws {
        folder = try TemporaryFolder()
        let rows = (0..<60).map { index in
            let place = "[\(index * 21 % 359 - 179),\(index * 37 % 160 - 80)]"
            return
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(place)},"properties":{"n":\#(index)}}"#
        }
        input = try folder.file("points.ndjson", rows.joined(separator: "\n"))
        schema = try folder.file(
            "schema.json", #"{"columns":[{"name":"n","types":["number"]}],"version":1}"#)
    }

    private func build(environment: [String: String] = [:]) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(
            [
                "build", input, path, "--part", "1/0/0", "--cut-zoom", "2", "--schema", schema, "--max-zoom", "5",
                "--quiet", "--jobs", "1",
            ], environment: environment)
    }

    private func begin(with old: Data?) throws {
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try old?.write(to: URL(fileURLWithPath: path))
    }

    @Test func `a part is there as a whole or not at all, and the next build makes it`() throws {
        try begin(with: nil)
        let log = folder.path("calls")
        #expect(try build(environment: FaultLibrary.environment("NONE", at: 0, logPath: log)).exitCode == 0)
        let part = try Data(contentsOf: URL(fileURLWithPath: path))
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(calls.count > 5)
        // Any other file that begins as a part does.
        let old = part.prefix(8) + Data("old".utf8)
        for (index, fault) in ["EIO", "ENOSPC", "SHORT", "KILL"].enumerated() {
            for number in 1...calls.count where FaultLibrary.isCampaign || number % 2 == index % 2 {
                let what: Comment = "\(fault) at call \(number), \(calls[number - 1])"
                try begin(with: index < 2 ? old : nil)
                let outcome = try build(environment: FaultLibrary.environment(fault, at: number))
                let found = FileManager.default.contents(atPath: path)
                if outcome.exitCode == 0, !outcome.wasKilled {
                    #expect(found == part, what)
                } else {
                    #expect(found == part || found == (index < 2 ? old : nil), what)
                    #expect(outcome.wasKilled || outcome.standardError.hasPrefix("error: "), what)
                }
                #expect(try build().exitCode == 0, what)
                #expect(FileManager.default.contents(atPath: path) == part, what)
                #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["part"], what)
            }
        }
    }
}
