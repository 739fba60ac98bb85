import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts

/// Where rows are judged: once, by whoever sees all of them.
struct JudgedBuildTests {
    private static let world = TileCoordinate(z: 0, x: 0, y: 0)

    private let deep = String(repeating: "[", count: 61) + String(repeating: "]", count: 61)

    /// Features whose places are spread, and faulty ones at their own places or at none.
    private func features(good: Int, bad: Int, empty: Int = 0) -> [String] {
        (0..<good).map {
            GeoJSONText.feature("[\($0 * 37 % 340 - 170).5,\($0 * 23 % 150 - 75).25]", #","properties":{"n":\#($0)}"#)
        } + (0..<bad).map { GeoJSONText.feature("[\($0 * 71 % 300 - 150),10]", #","properties":{"n":\#(deep)}"#) }
            + (0..<empty).map { _ in #"{"type":"Feature","geometry":null,"properties":{}}"# }
    }

    private func pyramid(good: Int, bad: Int, empty: Int = 0) throws -> JoinedPyramid {
        try JoinedPyramid(
            rows: features(good: good, bad: bad, empty: empty), clustering: ClusteringOptions(maxZoom: 4)
        ) { $0.input.maxSkipped = .unlimited }
    }

    private func parts(_ pyramid: JoinedPyramid, isStrict: Bool = false) throws -> [String] {
        try (0..<4).map { index in
            try pyramid.build(try #require(TileCoordinate(z: 1, x: index % 2, y: index / 2)), cutZoom: 2) {
                ($0.input.maxSkipped, $0.input.isStrict) = (nil, isStrict)
            }
        }
    }

    private func join(_ parts: [String], _ pyramid: JoinedPyramid, _ change: (inout JoinOptions) -> Void = { _ in })
        throws
    {
        var options = JoinOptions(partPaths: parts, outputPath: pyramid.path("joined"))
        options.syncs = false
        change(&options)
        _ = try PartJoiner(options: options).join()
    }

    @Test func `parts don't judge, and the join judges the sums`() throws {
        let pyramid = try pyramid(good: 20, bad: 3, empty: 30)
        let parts = try parts(pyramid)
        let error = #expect(throws: InputError.self) { try join(parts, pyramid) }
        #expect(error?.kind == .badData)
        #expect(
            error?.description
                == "the parts: skipped 3 of 23 rows, 14% (nested too deep: 3), expected at most 10% or 1 row; "
                + "30 more don't count (no geometry: 30); to build without these rows, use max skipped 14%")
        #expect(!FileManager.default.fileExists(atPath: pyramid.path("joined")))
        #expect(throws: InputError.self) { try join(parts, pyramid) { $0.maxSkipped = .rows(2) } }
        let strict = #expect(throws: InputError.self) { try join(parts, pyramid) { $0.isStrict = true } }
        #expect(
            strict?.description.contains("skipped 33 of 53 rows (nested too deep: 3, no geometry: 30), expected none")
                == true)
        try join(parts, pyramid) { $0.maxSkipped = .percent(14) }
        try pyramid.buildWhole()
        #expect(try pyramid.differences() == [])
    }

    @Test func `a part stops at its own bad rows only in strict reading`() throws {
        let pyramid = try pyramid(good: 20, bad: 3)
        let error = #expect(throws: InputError.self) { try parts(pyramid, isStrict: true) }
        #expect(error?.description.contains("expected none (strict)") == true)
        var options = BuildOptions(inputPaths: ["a"], outputPath: "part", clustering: ClusteringOptions(maxZoom: 4))
        options.schema = PointSchema(columns: [])
        options.input.maxSkipped = .percent(5)
        let world = WorldPart(tile: try #require(JudgedBuildTests.world), cutZoom: 2)
        #expect(
            PartOptions(build: options, part: world).problem?.description
                == "max skipped can't be used with part; use it when joining the parts")
        // Planning takes the options of the whole build.
        #expect(options.planProblem(cutZoom: 2) == nil)
        options.input.isStrict = true
        #expect(options.planProblem(cutZoom: 2)?.description.hasPrefix("max skipped can't be used with strict") == true)
    }

    @Test func `a build in parts judges all rows once, and writes nothing`() throws {
        let folder = try TemporaryFolder()
        let limits = PartLimits(rowsRead: 40, rowsPerPart: 40, joinMarkers: 4096)
        for (bad, isAllowed) in [(40, true), (41, false)] {
            let input = try folder.file("points", features(good: 360, bad: bad).joined(separator: "\n"))
            let options = BuildOptions(
                inputPaths: [input], outputPath: folder.path("out\(bad)"), clustering: ClusteringOptions(maxZoom: 14))
            var builder = PyramidBuilder(options: options)
            builder.partLimits = limits
            if isAllowed {
                let report = try builder.build()
                #expect((report.partwise?.partCount ?? 0) > 1)
            } else {
                let error = #expect(throws: InputError.self) { try builder.build() }
                #expect(error?.description.contains("skipped 41 of 401 rows, 11% (") == true)
                #expect(!FileManager.default.fileExists(atPath: folder.path("out\(bad)")))
            }
        }
    }

    @Test func `a schema is made of inputs with few bad rows only`() throws {
        let folder = try TemporaryFolder()
        let (few, many) = (
            try folder.file("few", features(good: 18, bad: 2, empty: 9).joined(separator: "\n")),
            try folder.file("many", features(good: 17, bad: 2).joined(separator: "\n"))
        )
        #expect(try PointSchema(reading: [few]).columns.map(\.name) == ["n"])
        let error = #expect(throws: InputError.self) { try PointSchema(reading: [few, many]) }
        #expect(
            error?.description
                == "\(many): skipped 2 of 19 rows, 11% (nested too deep: 2), expected at most 10% or 1 row; \(many):18: "
                + "feature has 63 nested brackets, expected at most 60; to build without these rows, use max skipped 11%"
        )
        #expect(
            try PointSchema(reading: [few, many], options: InputOptions(maxSkipped: .percent(11))).columns.count == 1)
        #expect(throws: InputError.self) { try PointSchema(reading: [few], options: InputOptions(isStrict: true)) }
    }

    @Test func `advice for a schema looks at all rows, not at the bad ones alone`() throws {
        let folder = try TemporaryFolder()
        let rows = features(good: 15, bad: 0) + (0..<5).map { GeoJSONText.feature("[5,\(100 + $0)]") }
        let input = try folder.file("rows", rows.joined(separator: "\n"))
        let error = #expect(throws: InputError.self) { try PointSchema(reading: [input]) }
        #expect(error?.description.contains("skipped 5 of 20 rows, 25% (") == true)
        #expect(error?.description.contains("most latitudes") == false)
    }
}
