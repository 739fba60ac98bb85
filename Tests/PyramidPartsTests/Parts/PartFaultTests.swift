import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts

/// Parts that can't be joined: the error names the file, and the output is as it was.
@Suite struct PartFaultTests {
    private let pyramid: JoinedPyramid
    private let parts: [String]

    init() throws {
        var random = SeededRandom(seed: 21)
        let rows = PointScatter.features(.everywhere, count: 80, random: &random)
        let pyramid = try JoinedPyramid(rows: rows, clustering: ClusteringOptions(maxZoom: 5))
        parts = try [(0, 0), (1, 0), (0, 1), (1, 1)].map { x, y in
            try pyramid.build(try #require(TileCoordinate(z: 1, x: x, y: y)), cutZoom: 2)
        }
        self.pyramid = pyramid
    }

    /// What an error says; empty if there is none.
    private static func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch {
            return "\(error)"
        }
    }

    private func expectFailure(_ parts: [String], naming words: String...) {
        let message = PartFaultTests.message { try pyramid.join(parts) }
        for word in words { #expect(message.contains(word)) }
        #expect(!FileManager.default.fileExists(atPath: pyramid.path("joined")))
    }

    @Test func `a missing part is named by its tile`() {
        expectFailure([parts[0], parts[1], parts[3]], naming: "part 1/0/1: is missing")
        expectFailure([parts[1]], naming: "1/0/0")
    }

    @Test func `a part that comes twice is named, with the file that has it`() throws {
        expectFailure(parts + [parts[2]], naming: parts[2], "is given twice")
        let inner = try pyramid.build(try #require(TileCoordinate(z: 2, x: 3, y: 3)), cutZoom: 2)
        expectFailure(parts + [inner], naming: inner, parts[3])
    }

    @Test func `parts of other options, another cut zoom or another schema are named`() throws {
        let tile = try #require(TileCoordinate(z: 1, x: 1, y: 1))
        _ = try pyramid.build(tile, cutZoom: 2) { $0.clustering.clusterDistance = 41 }
        expectFailure(parts, naming: parts[3], "another clusterDistance (40, 41)")
        _ = try pyramid.build(tile, cutZoom: 3)
        expectFailure(parts, naming: "another cut zoom (2, 3)")
        _ = try pyramid.build(tile, cutZoom: 2) {
            $0.schema = PointSchema(columns: ($0.schema?.columns ?? []) + [.init(name: "x", types: [])])
        }
        expectFailure(parts, naming: parts[3], "another schema")
        _ = try pyramid.build(tile, cutZoom: 2) { $0.clusters.countLabel = .exact }
        expectFailure(parts, naming: "another countLabel (abbreviated, exact)")
    }

    @Test func `parts of another version or another compressor are named`() throws {
        let part = try OpenedPart(path: parts[0])
        let manifest = part.manifest
        var other = manifest
        other.generator = "pyramid 0.0.1"
        #expect(manifest.difference(from: other) == "another version of pyramid (\(manifest.generator), pyramid 0.0.1)")
        other = manifest
        other.compressor = "pigz 9"
        #expect(manifest.difference(from: other)?.hasPrefix("another compressor") == true)
        other = manifest
        other.options.tileJSON.attribution = "x"
        #expect(manifest.difference(from: other) == "another attribution (none, x)")
        #expect(manifest.difference(from: manifest) == nil)
    }

    @Test func `a file that is no part is named`() throws {
        let input = pyramid.path("points.ndjson")
        expectFailure(parts.dropLast() + [input], naming: input, "is not a part")
        expectFailure(parts.dropLast() + [pyramid.path("nowhere")], naming: "nowhere")
        try Data().write(to: URL(fileURLWithPath: parts[2]))
        expectFailure(parts, naming: parts[2], "is not a part")
    }

    @Test func `any byte that is changed, cut off or added is found`() throws {
        let url = URL(fileURLWithPath: parts[1])
        let good = [UInt8](try Data(contentsOf: url))
        var random = SeededRandom(seed: 4)
        for _ in 0..<(isCampaign ? 1000 : 60) {
            var bad = good
            switch random.next(below: 3) {
            case 0: bad[random.next(below: bad.count)] ^= 1 << UInt8(random.next(below: 8))
            case 1: bad.removeLast(1 + random.next(below: bad.count - 1))
            default: bad.append(UInt8(random.next(below: 256)))
            }
            try Data(bad).write(to: url)
            #expect(throws: (any Error).self, "\(bad.count) of \(good.count) bytes") { try pyramid.join(parts) }
        }
        try Data(good).write(to: url)
        try pyramid.join(parts)
    }

    /// Of features, and of a property that is named.
    @Test(arguments: [nil, "key"])
    func `an id of several rows is refused when parts are joined, wherever they are`(column: String?) throws {
        func row(_ id: String, _ longitude: Int) -> String {
            #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[\#(longitude),40]},"#
                + #""properties":{"key":"\#(id)"}}"#
        }
        func message(_ rows: [String]) throws -> (String, parts: [String]) {
            let pyramid = try JoinedPyramid(rows: rows, clustering: ClusteringOptions(maxZoom: 12)) {
                $0.input.idColumn = column
            }
            let tiles = (0..<4).compactMap { TileCoordinate(z: 1, x: $0 % 2, y: $0 / 2) }
            let parts = try tiles.map { try pyramid.build($0, cutZoom: 8) }
            return (PartFaultTests.message { try pyramid.join(parts) }, parts)
        }
        let (apart, parts) = try message([row("a", -90), row("a", 60), row("b", 60)])
        #expect(apart.contains("\(parts[1]): shares the id \"a\" with \(parts[0]); in all parts, 2 rows"))
        let (together, ofTogether) = try message([row("a", -90), row("a", -91), row("b", 60)])
        #expect(together.contains("\(ofTogether[0]): has two rows with the id \"a\""))
        let several = try message([row("a", -90), row("a", 60), row("b", 61), row("b", 62), row("b", 63), row("c", 60)])
        #expect(several.0.contains("in all parts, 5 rows share 2 ids"))
        // Each part reads one of the rows in its halo, and doesn't count it as its own.
        #expect(try message([row("a", 1), row("b", -1)]).0.isEmpty)
    }

    @Test func `what can't work in parts is refused with the reason`() throws {
        let tile = try #require(TileCoordinate(z: 1, x: 0, y: 1))
        func expectProblem(_ words: String, _ change: (inout PartOptions) -> Void) {
            let build = BuildOptions(inputPaths: ["in"], outputPath: "out", clustering: ClusteringOptions(maxZoom: 8))
            var options = PartOptions(build: build, part: WorldPart(tile: tile, cutZoom: 3))
            options.build.schema = PointSchema(columns: [])
            change(&options)
            let problem = options.problem?.description ?? "none"
            #expect(problem.contains(words))
        }
        expectProblem("none") { _ in }
        expectProblem("needs schema") { $0.build.schema = nil }
        expectProblem("needs max zoom with a number") { $0.build.choosesMaxZoom = true }
        expectProblem("expected 0 to 6") { $0.part.cutZoom = 7 }
        expectProblem("a tile of a zoom up to 0") { $0.part.cutZoom = 0 }
        expectProblem("expected 4 to 6") { $0.build.clustering.minZoom = 4 }
        expectProblem("preview can't be used with part") { $0.build.previewPage = [1] }
    }

    @Test func `rows that the schema lacks are an error that says which`() throws {
        let tile = try #require(TileCoordinate(z: 0, x: 0, y: 0))
        #expect(throws: InputError.self) {
            try pyramid.build(tile, cutZoom: 2) { $0.schema = PointSchema(columns: []) }
        }
        let columns = [PointSchema.Column(name: "nr", types: .text)]
        let error = #expect(throws: InputError.self) {
            try pyramid.build(tile, cutZoom: 2) {
                let others = $0.schema?.columns.filter { $0.name != "nr" } ?? []
                $0.schema = PointSchema(columns: others + columns)
            }
        }
        #expect(error?.description.contains("has values of type number, which the schema lacks; ") == true)
    }

    @Test func `numbers that are other dates than the schema says are an error`() throws {
        let tile = try #require(TileCoordinate(z: 0, x: 0, y: 0))
        func build(_ dates: DateNotation?) throws {
            _ = try pyramid.build(tile, cutZoom: 2) {
                let others = $0.schema?.columns.filter { $0.name != "nr" } ?? []
                $0.schema = PointSchema(columns: others + [.init(name: "nr", types: [.number], dates: dates)])
                $0.clusters.filterBy = [FacetColumn(name: "nr", edges: [20])]
            }
        }
        for dates in [DateNotation.years, .days] {
            let error = #expect(throws: InputError.self) { try build(dates) }
            let words = "the property \"nr\" has numbers that as dates aren't \(dates), as the schema says; "
            #expect(error?.description.contains(words) == true)
        }
        for dates in [nil, DateNotation.seconds, .milliseconds] { try build(dates) }
    }
}
