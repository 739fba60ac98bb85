import TestSupport
import Testing

/// Enough points and files that every stage of the commands divides its work among threads.
@Suite(.tags(.slow, .threads)) struct SeveralThreadsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        var random = SeededRandom(seed: 7)
        // A small area, so that files are few; it crosses the equator and the prime meridian.
        let places = (0..<20_000).map { number in
            let east = Double(random.next(below: 30_000)) / 1e4 - 0.7
            return (id: number, east: east, north: Double(random.next(below: 30_000)) / 1e4 - 1.2)
        }
        let rows = places.map { "place number \($0.id),\($0.east),\($0.north),\(["bakery", "bar", "café"][$0.id % 3])" }
        for (name, rows) in [("rows", rows), ("edited", rows.dropFirst() + ["place number 0,1.5,-0.5,bar"])] {
            try folder.file("\(name).csv", "name,longitude,latitude,kind\n" + rows.joined(separator: "\n"))
        }
        let features = places.map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#($0.east),\#($0.north)]},"properties":{"id":\#($0.id)}}"#
        }
        try folder.file("rows.ndjson", features.joined(separator: "\n"))
    }

    @discardableResult private func run(_ arguments: [String]) throws -> String {
        let outcome = try CommandLineProgram.run(arguments)
        try #require(outcome.exitCode == 0, "\(arguments): \(outcome.standardOutput) \(outcome.standardError)")
        return outcome.standardOutput
    }

    /// Builds a tileset of a file of rows; its path.
    private func build(_ rows: String, _ output: String, jobs: Int, _ options: [String] = []) throws -> String {
        let input = folder.path(rows), path = folder.path(output)
        try run(["build", input, path, "--quiet", "--max-zoom", "11", "--jobs", "\(jobs)"] + options)
        return path
    }

    @Test(arguments: [
        ("files", []), ("bundles", ["--bundle", "64", "--filter-by", "kind"]),
        ("vector", ["--format", "mvt"]), ("points.pmtiles", ["--format", "mvt"]),
    ])
    func `four threads write the files that one writes, over another tileset too, and verify them`(
        output: String, options: [String]
    ) throws {
        let alone = try build("edited.csv", "alone-" + output, jobs: 1, options)
        _ = try build("rows.csv", output, jobs: 4, options)
        let path = try build("edited.csv", output, jobs: 4, options)
        #expect(try fileTree(at: path) == fileTree(at: alone))
        try run(["verify", path, folder.path("edited.csv"), "--quiet", "--jobs", "4"])
    }

    @Test func `parts that four threads build and join are the tileset that one writes`() throws {
        let schema = try folder.file("schema.json", run(["schema", folder.path("rows.ndjson")]))
        let parts = try ["1/0/0", "1/1/0", "1/0/1", "1/1/1"].map { tile in
            let part = ["--part", tile, "--cut-zoom", "2", "--schema", schema]
            return try build("rows.ndjson", "part-" + tile.replacing("/", with: "-"), jobs: 4, part)
        }
        let joined = folder.path("joined"), alone = try build("rows.ndjson", "alone", jobs: 1)
        try run(["join"] + parts + [joined, "--quiet", "--jobs", "4"])
        #expect(try fileTree(at: joined) == fileTree(at: alone))
    }
}
