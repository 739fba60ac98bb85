import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidInput

/// Whole tilesets whose values are spelled in different ways.
@Suite struct CanonicalValuesTests {
    private static let header = "name,lon,lat,team,open,size\n"

    /// Rows whose team, a number, and whose booleans are spelled by `spell`.
    private static func rows(spelled spell: (Int, Int) -> (team: String, open: String)) -> [String] {
        var random = SeededRandom(seed: 71)
        return PointScatter.points(.lumps, count: 120, random: &random).enumerated().map { index, point in
            let place = WebMercator.unproject(point)
            let (team, open) = spell(index, random.next(below: 1000))
            return "p\(index),\(place.longitude),\(place.latitude),\(team),\(open),\(index % 5).\(index % 3)0\n"
        }
    }

    private static let plain = rows { index, _ in (["24", "-7", "0.5"][index % 3], index % 4 == 0 ? "true" : "false") }
    private static let spelled = rows { index, choice in
        (
            [
                ["24", "24.0", "2.4e1", "240E-1"], ["-7", "-7.00", "-70e-1", "-0.7e+1"],
                ["0.5", "0.50", "5e-1", "0.5"],
            ][index % 3][
                choice % 4],
            index % 4 == 0 ? ["true", "True", "TRUE"][choice % 3] : ["false", "False", "fALSE"][choice % 3]
        )
    }

    private static let clusters = ClusterContentOptions(
        accumulate: ["team:comma:teams", "team:sum:team_sum", "size:max:largest", "size:min:least", "size:mean"]
            .compactMap { Accumulation($0) },
        countBy: [CategoryCount(name: "open")])

    private func clustering(_ change: (inout ClusteringOptions) -> Void) -> ClusteringOptions {
        var options = ClusteringOptions(maxZoom: 6)
        change(&options)
        return options
    }

    /// The clusters of a zoom by their ids.
    private func clusters(_ pyramid: BuiltPyramid, atZoom zoom: Int) throws -> Set<Cluster> {
        Set(try pyramid.clusters(atZoom: zoom))
    }

    @Test(arguments: [
        ClusteringOptions(maxZoom: 6), ClusteringOptions(position: .centroid, maxZoom: 6),
    ])
    func `clusters are the same however the values of their group are spelled`(clustering: ClusteringOptions) throws {
        var clustering = clustering
        clustering.groupColumn = "team"
        clustering.unclustered = UnclusteredRule("open=TRUE")
        let header = CanonicalValuesTests.header
        let pyramids = try [CanonicalValuesTests.plain, CanonicalValuesTests.spelled].map {
            try BuiltPyramid(csv: header + $0.joined(), clustering: clustering, clusters: CanonicalValuesTests.clusters)
        }
        for pyramid in pyramids {
            #expect(PyramidVerifier(tileset: pyramid.directory).verify().findings.map(\.description) == [])
            #expect(try pyramid.directory.manifest().totals.unclusteredPoints == 30)
            #expect(try pyramid.directory.manifest().totals == pyramids[0].directory.manifest().totals)
        }
        for zoom in 0...6 {
            let expected = try clusters(pyramids[0], atZoom: zoom)
            #expect(try clusters(pyramids[1], atZoom: zoom) == expected)
            #expect(zoom > 2 || expected.count > 2)
        }
        // In another order, by other jobs, in two files, and half of it as GeoJSON, read back by a parser of its own.
        var random = SeededRandom(seed: 72)
        let shuffled = CanonicalValuesTests.spelled.shuffled(using: &random)
        let again = try BuiltPyramid(
            inputs: [shuffled[..<50], shuffled[50...]].map { Data((header + $0.joined()).utf8) },
            clustering: clustering,
            clusters: CanonicalValuesTests.clusters, jobs: 3)
        #expect(try again.files() == pyramids[1].files())
        let features = shuffled[50...].map { CanonicalValuesTests.feature($0) }.joined(separator: "\n")
        let mixed = try BuiltPyramid(
            inputs: [Data(features.utf8), Data((header + shuffled[..<50].joined()).utf8)], clustering: clustering,
            clusters: CanonicalValuesTests.clusters)
        #expect(PyramidVerifier(tileset: mixed.directory).verify().isSound)
        let ids = { (pyramid: BuiltPyramid) in try self.clusters(pyramid, atZoom: 1).map(\.id).sorted() }
        // Which of several points at one place is the anchor depends on the rows' bytes; the place doesn't.
        #expect(try ids(mixed) == ids(pyramids[0]))
        #expect(try clusters(mixed, atZoom: 1) == clusters(pyramids[0], atZoom: 1))
    }

    private static func feature(_ row: String) -> String {
        let cells = row.dropLast().split(separator: ",")
        return GeoJSONText.feature(
            "[\(cells[1]),\(cells[2])]",
            #","properties":{"name":"\#(cells[0])","team":\#(cells[3]),"open":\#(cells[4].lowercased()),"size":\#(cells[5])}"#
        )
    }

    @Test func `what clusters carry is canonical, read by another parser`() throws {
        let pyramid = try BuiltPyramid(
            csv: CanonicalValuesTests.header + CanonicalValuesTests.spelled.joined(),
            clustering: clustering { $0.groupColumn = "team" }, clusters: CanonicalValuesTests.clusters)
        var clusterCount = 0
        for entry in try pyramid.directory.tileEntries() where entry.address.z == 1 {
            let body = try #require(try pyramid.directory.body(of: entry.address))
            let text = String(decoding: body, as: UTF8.self)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            for feature in try #require(object["features"] as? [[String: Any]]) {
                let properties = try #require(feature["properties"] as? [String: Any])
                guard properties["cluster"] as? Bool == true else { continue }
                clusterCount += 1
                let team = try #require(properties["team"] as? NSNumber)
                #expect([24, -7, 0.5].contains(team.doubleValue))
                let teams = try #require(properties["teams"] as? String).split(separator: ",")
                let count = try #require(properties["point_count"] as? Int)
                #expect(teams == [Substring](repeating: Substring("\(team)"), count: count))
                let sum = try #require(properties["team_sum"] as? NSNumber)
                #expect(abs(sum.doubleValue - team.doubleValue * Double(count)) < 1e-9)
                let open = try #require(properties["open"] as? [String: Int])
                #expect(Set(open.keys).isSubset(of: ["true", "false"]) && open.values.reduce(0, +) == count)
                let (least, largest) = (properties["least"] as? NSNumber, properties["largest"] as? NSNumber)
                #expect(try #require(least).doubleValue <= #require(largest).doubleValue)
            }
            for spelling in [#""cluster":true"#] where text.contains(spelling) {
                // No cluster repeats a spelling of its anchor.
                let clusters = text.split(separator: #"{"type":"Feature""#).filter { $0.contains(spelling) }
                #expect(clusters.allSatisfy { !$0.contains(#""team":24."#) && !$0.contains(#""team":2.4e"#) })
            }
        }
        #expect(clusterCount > 2)
    }

    private func groupCount(_ texts: String..., input: InputOptions = InputOptions()) throws -> Int {
        let pyramid = try BuiltPyramid(
            inputs: texts.map { Data($0.utf8) }, clustering: clustering { $0.groupColumn = "team" }, input: input)
        #expect(PyramidVerifier(tileset: pyramid.directory).verify().findings.map(\.description) == [])
        return try pyramid.markers(atZoom: 0).count
    }

    @Test func `only numbers are compared as numbers`() throws {
        let rows = { (values: String...) in "lat,lon,team\n" + values.map { "1,2,\($0)\n" }.joined() }
        #expect(try groupCount(rows("7", "7.0", "70e-1")) == 1)
        #expect(try groupCount(rows("7", "7.0", "007")) == 3)
        #expect(try groupCount(rows("True", "TRUE")) == 1)
        #expect(try groupCount(rows("True", "TRUE", "yes")) == 3)
        #expect(
            try groupCount(rows("7", "7.0"), input: InputOptions(types: [.init(column: "team", type: .string)])) == 2)
        // What is no number has no value.
        #expect(
            try groupCount(rows("7", "7.0", "007"), input: InputOptions(types: [.init(column: "team", type: .number)]))
                == 2)
        let feature = { (value: String) in GeoJSONText.feature("[2,1]", #","properties":{"team":\#(value)}"#) }
        #expect(try groupCount(rows("24"), feature("24.0"), feature("2.4e1")) == 1)
        #expect(try groupCount(feature("true") + feature("true") + feature("1.50") + feature("1.5")) == 2)
        // A string is its characters, which can be those of a number.
        #expect(try groupCount(feature(#""24""#) + feature("24.0")) == 1)
        #expect(try groupCount(feature(#""24.0""#) + feature("24.0")) == 2)
    }

    @Test(arguments: [
        ("team=24", 2), ("team=24.0", 2), ("team=240e-1", 2), ("team=7", 0), ("team=0", 1), ("team", 2),
        ("open=true", 2),
        ("open=TRUE", 2), ("open=1", 0), ("open", 2), ("size=5", 1), ("size=5.0", 1), ("size=5.00", 0), ("size=", 1),
    ])
    func `values that never merge are meant by their value`(rule: String, count: Int) throws {
        let csv = "lat,lon,team,open,size\n1,2,24.0,True,5\n1,2,24,true,5.0\n1,2,-0.0,False,x\n1,2,,,\n"
        let pyramid = try BuiltPyramid(csv: csv, clustering: clustering { $0.unclustered = UnclusteredRule(rule) })
        #expect(try pyramid.directory.manifest().totals.unclusteredPoints == count)
        #expect(PyramidVerifier(tileset: pyramid.directory).verify().isSound)
    }

    @Test(
        arguments: [
            { $0.content.clusters.accumulate[0].output = "other" },
            { $0.content.clusters.accumulate[0].name = "other" },
            { $0.content.clusters.accumulate[1].output = "third" },
            { $0.totals.accumulated[1] = "4" },
        ] as [@Sendable (inout Manifest) -> Void])
    func `a lie about a named value is found`(lie: @Sendable (inout Manifest) -> Void) throws {
        let rows = (1...6).map { "\($0),\($0),\($0).50,\($0 * 2),\(["7", "7.0"][$0 % 2])\n" }
        let pyramid = try BuiltPyramid(
            csv: "lat,lon,price,other,kind\n" + rows.joined(), clustering: ClusteringOptions(maxZoom: 3),
            clusters: ClusterContentOptions(
                accumulate: ["price:max:largest", "price:min"].compactMap { Accumulation($0) },
                countBy: [CategoryCount(name: "kind")]))
        #expect(PyramidVerifier(tileset: pyramid.directory).verify().findings == [])
        var manifest = try pyramid.directory.manifest()
        #expect(manifest.totals.accumulated == ["6.5", "1.5"] && manifest.totals.categories == [["7": 6]])
        lie(&manifest)
        try Data(manifest.encoded()).write(
            to: URL(fileURLWithPath: pyramid.directory.path(ofFile: Manifest.fileName)))
        let kinds = PyramidVerifier(tileset: pyramid.directory).verify().findings.map(\.kind)
        #expect(Set(kinds) == [.wrongContent])
    }

    @Test func `a name that a cluster has already is refused`() {
        func build(_ text: String, _ change: (inout ClusteringOptions) -> Void = { _ in }) throws {
            _ = try BuiltPyramid(
                csv: "lat,lon,n,team\n1,2,3,4\n", clustering: clustering(change),
                clusters: ClusterContentOptions(accumulate: [try #require(Accumulation(text))]))
        }
        #expect(throws: Never.self) { try build("n:sum:team") }
        #expect(throws: InputError.self) { try build("n:sum:team") { $0.groupColumn = "team" } }
        #expect(throws: Never.self) { try build("n:sum:point_weight") }
        #expect(throws: InputError.self) { try build("n:sum:point_weight") { $0.weightColumn = "team" } }
    }
}
