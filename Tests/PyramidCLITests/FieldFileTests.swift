import Foundation
import TestSupport
import Testing

/// Files as people bring them: no row is lost in silence, and each message says what it must.
@Suite(.tags(.slow)) struct FieldFileTests {
    @Test(arguments: FieldFile.csv + FieldFile.geoJSON + FieldFile.rows)
    func `a file comes to its points, or is refused with what helps`(given: FieldFile) throws {
        let folder = try TemporaryFolder()
        let inputs = try given.contents.enumerated().map { number, content in
            try folder.file(number == 0 ? given.name : "\(number)-\(given.name)", content)
        }
        let out = folder.path("out")
        let outcome = try CommandLineProgram.run(
            ["build"] + inputs + [out, "--max-zoom", "0", "--compression", "none", "--no-sync", "--json"]
                + given.arguments)
        switch given.outcome {
        case .points(let places, let skipped, let says):
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
            let json = try outcome.json()
            let rows = try #require(json["input"] as? [String: Any])
            #expect(rows["rows_accepted"] as? Int == places.count)
            #expect(rows["rows_read"] as? Int == places.count + skipped)
            #expect(try FieldFileTests.places(out) == places.sorted())
            for text in says { #expect(outcome.standardError.contains(text)) }
            let verified = try CommandLineProgram.run(["verify", out] + inputs)
            #expect(verified.exitCode == 0, "\(verified.standardOutput)\(verified.standardError)")
        case .refused(let says):
            #expect([64, 65].contains(outcome.exitCode))
            for text in says { #expect(outcome.standardError.contains(text)) }
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    /// The places of all points at zoom 0, where every point stands alone: longitude/latitude in microdegrees, sorted.
    private static func places(_ out: String) throws -> [String] {
        let tile = try Data(contentsOf: URL(fileURLWithPath: out + "/tiles/0/0/0.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: tile) as? [String: Any])
        let features = try #require(json["features"] as? [[String: Any]])
        return try features.map { feature in
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let degrees = try #require(geometry["coordinates"] as? [Double])
            return degrees.map { "\(Int(($0 * 1e6).rounded()))" }.joined(separator: "/")
        }.sorted()
    }

    @Test func `points whose id several features have are written without one, in any order`() throws {
        let features = ["7", "\"7\"", "7.0", "8", "\"u\"", "\"u\""].enumerated().map { index, id in
            """
            {"type":"Feature","id":\(id),"properties":{},"geometry":{"type":"Point","coordinates":[1\(index),5]}}

            """
        }
        let folder = try TemporaryFolder()
        var trees: [[String: Data]] = []
        for (number, rows) in [features, features.reversed()].enumerated() {
            let paths = try [rows[..<2], rows[2...]].enumerated().map {
                try folder.file("\(number)-\($0).geojson", $1.joined())
            }
            let out = folder.path("out\(number)")
            let outcome = try CommandLineProgram.run(
                ["build"] + paths + [out, "--max-zoom", "0", "--compression", "none", "--no-sync"])
            #expect(outcome.exitCode == 0 && outcome.standardError.contains("2 ids stand in several features"))
            let tile = try String(contentsOfFile: out + "/tiles/0/0/0.json", encoding: .utf8)
            #expect(tile.components(separatedBy: "\"id\":").count == 2 && tile.contains("\"id\":8,"))
            trees.append(try fileTree(at: out))
        }
        #expect(trees[0] == trees[1])
    }

    /// The stray quotes are around the place where the second thread begins, 512 KiB into the file.
    @Test(arguments: ["open", "close", "both"])
    func `a stray quote near the border of two chunks is read alike by any number of jobs`(kind: String) throws {
        var text = "id\tname\tlat\tlon\n"
        let border = 1 << 19
        var rowCount = 0
        while text.utf8.count < border + 40_000 {
            let isNear = abs(text.utf8.count - border) < 60
            let name = (isNear && kind != "close" ? "\"" : "") + "name" + (isNear && kind == "close" ? "\"" : "")
            let note = isNear && kind == "both" ? "\"" : ""
            text += "\(rowCount)\(note)\t\(name)\t\(rowCount % 80).5\t\(rowCount % 170).25\n"
            rowCount += 1
        }
        let folder = try TemporaryFolder()
        let input = try folder.file("t.tsv", text)
        var trees: [[String: Data]] = []
        for jobs in [1, 2] {
            let out = folder.path("out\(jobs)")
            let outcome = try CommandLineProgram.run(
                ["build", input, out, "--max-zoom", "1", "--no-sync", "--jobs", "\(jobs)"])
            #expect(outcome.exitCode == 0)
            #expect(
                outcome.standardError.filter { $0 != "," }.contains("\(rowCount) read \(rowCount) accepted 0 skipped"))
            #expect(outcome.standardError.contains("quotes") == (kind != "close"))
            trees.append(try fileTree(at: out))
        }
        #expect(trees[0] == trees[1])
    }
}
