import Foundation
import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidStore

/// The facets of clusters against the rows of the members that they list.
@Suite struct FacetTests {
    /// A point with its combination of values, as Foundation writes its JSON.
    private struct Row {
        let json: String
        let combination: String
    }

    /// GeoJSON with a string, a boolean or nothing, a set, and a number for ranges.
    private static func rows(_ random: inout SeededRandom, count: Int) -> [Row] {
        (0..<count).map { number in
            let kind = [
                (#""inn""#, #""inn""#), (#""Caf\u00e9 \"x\"""#, #""Café \"x\"""#), ("24.0", "24"), ("null", "null"),
                // Texts that are written like a number are the number, and others are themselves.
                (#""2\u0034""#, "24"), (#""24.0""#, #""24.0""#), (#""0.5""#, "0.5"), ("5e-1", "0.5"),
                (#""1e999""#, #""1e999""#), (#""0.0000001""#, #""0.0000001""#),
                (#""12345678901234567890""#, #""12345678901234567890""#),
            ][random.next(below: 11)]
            let open = [
                ("true", "true"), ("false", "false"), ("null", "null"), (#""true""#, "true"), (#""1""#, #""1""#),
            ][
                random.next(below: 5)]
            let tags = [
                (#"["wifi", "dogs"]"#, #"["dogs","wifi"]"#), (#"["dogs","wifi","dogs"]"#, #"["dogs","wifi"]"#),
                ("[]", "null"), (#""wifi""#, #""wifi""#), ("[7.50]", "[7.5]"),
            ][random.next(below: 5)]
            let seats = [
                ("9.99", "[null,10]"), ("10", "[10,20]"), ("19.999", "[10,20]"), ("2e1", "[20,null]"),
                (#""many""#, "null"),
                ("-3", "[null,10]"),
            ][random.next(below: 6)]
            let east = Double(random.next(below: 2000)) / 1000 * [1, 8, 60][random.next(below: 3)]
            let place = number % 9 == 0 ? "8.5,47.25" : "\(-40 + east),\(Double(random.next(below: 5000)) / 100)"
            let json =
                #"{"type":"Feature","id":\#(number),"geometry":{"type":"Point","coordinates":[\#(place)]},"properties":{"#
                + #""kind":\#(kind.0),"open":\#(open.0),"tags":\#(tags.0),"seats":\#(seats.0),"nr":\#(number)}}"#
            return Row(json: json, combination: "[\(kind.1),\(open.1),\(tags.1),\(seats.1)]")
        }
    }

    private static let columns = [
        FacetColumn(name: "kind"), FacetColumn(name: "open"), FacetColumn(name: "tags"),
        FacetColumn(name: "seats", edges: [10, 20]),
    ]

    private static func tileset(
        _ rows: [Row], _ clustering: ClusteringOptions, limit: Int?, jobs: Int = 2
    ) throws -> MemoryTileset {
        var clusters = ClusterContentOptions(memberLimit: 10_000, memberProperties: ["nr"])
        clusters.filterBy = columns
        var build = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: clustering, clusters: clusters, jobs: jobs)
        build.storage = TileStorage(compression: .none, layout: TilesetLayout(bundleLimit: limit))
        return try build.memoryTileset(of: rows.map { $0.json + "\n" }.joined())
    }

    private static func object(_ body: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }

    private static func text(of combination: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: combination), as: UTF8.self)
    }

    /// How many of some rows have each combination.
    private static func counts(_ numbers: [Int], of rows: [Row]) -> [String: Int] {
        Dictionary(numbers.map { (rows[$0].combination, 1) }, uniquingKeysWith: +)
    }

    private static let options = [
        ClusteringOptions(maxZoom: 7),
        ClusteringOptions(position: .centroid, minPoints: 4, minZoom: 1, maxZoom: 7),
        {
            var options = ClusteringOptions(maxZoom: 8, clusterMaxZoom: 5)
            options.coincidentLimit = 4
            return options
        }(),
    ]

    @Test(arguments: options, [nil, 2, 15, 10_000])
    func `clusters count their members, or a bundle has them`(clustering: ClusteringOptions, limit: Int?) throws {
        var random = SeededRandom(seed: UInt64(clustering.maxZoom * 100 + (limit ?? 0)))
        let rows = FacetTests.rows(&random, count: 120)
        let tileset = try FacetTests.tileset(rows, clustering, limit: limit)
        var (countedClusters, completeClusters) = (0, 0)
        for entry in try tileset.fileList().entries {
            let body = try FacetTests.object(try tileset.storedBytes(of: entry.address, limitBytes: .max))
            let table = try (body["facets"] as? [Any] ?? []).map(FacetTests.text)
            let features = try #require(body["features"] as? [NSDictionary])
            let isBundle = entry.address.kind == .bundle
            for feature in features {
                let properties = try #require(feature["properties"] as? NSDictionary)
                guard properties["cluster"] != nil else { continue }
                let members = try #require(properties["members"] as? [[String: Int]]).compactMap { $0["nr"] }
                let expected = FacetTests.counts(members, of: rows)
                // Its points, wherever they are in the hierarchy, are in the same bundle.
                let points = Set(features.compactMap { FacetTests.number(ofPoint: $0) })
                let stays = features.flatMap { FacetTests.membersOfUnsplit($0) }
                let hasAll = isBundle && points.union(stays).isSuperset(of: members)
                #expect((properties["facets"] == nil) == (hasAll && properties["expansion_zoom"] != nil))
                if let facets = properties["facets"] as? [[Int]] {
                    countedClusters += 1
                    let counts = FacetCounts(stated: facets, pointCount: members.count)
                    #expect(Dictionary(counts.pairs.map { (table[$0], $1) }) { $0 + $1 } == expected)
                } else {
                    completeClusters += 1
                }
            }
        }
        #expect(limit == nil ? completeClusters == 0 : limit == 10_000 || countedClusters > 0)
        #expect(limit != 10_000 || completeClusters > 10)
        let total = try #require(try tileset.tileJSON().facets)
        #expect(total.counts == FacetTests.counts(Array(rows.indices), of: rows))
        #expect(total.columns == FacetTests.columns)
    }

    private static func number(ofPoint feature: NSDictionary) -> Int? {
        (feature["properties"] as? NSDictionary)?["nr"] as? Int
    }

    private static func membersOfUnsplit(_ feature: NSDictionary) -> [Int] {
        guard let properties = feature["properties"] as? NSDictionary, properties["expansion_zoom"] == nil else {
            return []
        }
        return (properties["members"] as? [[String: Int]] ?? []).compactMap { $0["nr"] }
    }

    @Test(arguments: TileCodec.allCases) func `verifying counts points as building does`(codec: TileCodec) throws {
        var random = SeededRandom(seed: 9)
        let rows = FacetTests.rows(&random, count: 150)
        var clusters = ClusterContentOptions()
        clusters.filterBy = FacetTests.columns
        var build = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: ClusteringOptions(maxZoom: 5), clusters: clusters, jobs: 2)
        build.storage = TileStorage(codec: codec)
        let tileset = try build.memoryTileset(of: rows.map { $0.json + "\n" }.joined())
        #expect(try PyramidVerifier(tileset: tileset, jobs: 2).checkedReport().findings.map(\.description) == [])
    }

    @Test func `neither the order of rows nor the threads make a difference`() throws {
        var random = SeededRandom(seed: 8)
        let rows = FacetTests.rows(&random, count: 300)
        let one = try FacetTests.tileset(rows, ClusteringOptions(maxZoom: 6), limit: 20)
        let other = try FacetTests.tileset(
            rows.shuffled(using: &random), ClusteringOptions(maxZoom: 6), limit: 20, jobs: 5)
        for name in [TileJSON.fileName, FileList.fileName] {
            #expect(try one.metadataBytes(of: name) == other.metadataBytes(of: name))
        }
    }

    private static func problem(csv: String, _ facets: [FacetColumn], exclude: [String] = []) throws -> String {
        let folder = try TemporaryFolder()
        var clusters = ClusterContentOptions()
        clusters.filterBy = facets
        var options = BuildOptions(
            inputPaths: [try folder.file("a.csv", csv)], outputPath: folder.path("out"), clusters: clusters)
        options.input.exclude = exclude
        if let problem = options.problem { return problem.description }
        do {
            return try PyramidBuilder(options: options).build().warnings.map(\.description).joined()
        } catch let error as InputError {
            return error.message.description
        }
    }

    @Test func `what can't be filtered by is refused with its cure`() throws {
        let csv = "name,n,lat,lon\n" + (0..<4100).map { "p\($0),\($0 % 2),1,\($0 % 90)\n" }.joined()
        let many = try FacetTests.problem(csv: csv, [FacetColumn(name: "name"), FacetColumn(name: "n")])
        #expect(many.contains("4,100 combinations of values (\"name\" has 4,100, \"n\" has 2), expected at most 4,096"))
        #expect(many.contains("price:0:10:50"))
        #expect(try FacetTests.problem(csv: csv, [FacetColumn(name: "nam")]).contains("did you mean \"name\"?"))
        #expect(
            try FacetTests.problem(csv: csv, [FacetColumn(name: "n")], exclude: ["n"]).contains(
                "left out of the output"))
        #expect(try FacetTests.problem(csv: csv, [FacetColumn(name: "n", edges: [1, 1])]).contains("aren't ascending"))
        #expect(
            try FacetTests.problem(csv: csv, [FacetColumn(name: "n"), FacetColumn(name: "n")]).contains("given twice"))
        #expect(try FacetTests.problem(csv: csv, [FacetColumn(name: "name", edges: [1])]).contains("has no numbers"))
        #expect(try FacetTests.problem(csv: csv, [FacetColumn(name: "n", edges: [1])]) == "")
    }

    /// Each with names or numbers that the tiles have for something else.
    @Test(
        arguments: [
            ("kind,parent,lat,lon\n", "a,x", ["kind"], [], TileCodec.geojson),
            ("a,a.b,lat,lon\n", "b.c,c", ["a", "a.b"], [], .mvt),
            ("kind,n,lat,lon\n", "cluster,2", ["kind"], ["kind.cluster"], .mvt),
            ("n,m,lat,lon\n", "0.00001,1700000000000001", ["n:0.00001:1e15", "m:1700000000000000:1e16"], [], .geojson),
        ] as [(String, String, [String], [String], TileCodec)])
    func `odd names and numbers make no tile unreadable`(
        header: String, values: String, facets: [String], sums: [String], codec: TileCodec
    ) throws {
        let rows = (0..<60).map { "\(values),\(Double($0 % 8) * 5),\(Double($0 / 8) * 7)\n" }.joined()
        var clusters = ClusterContentOptions()
        clusters.filterBy = facets.compactMap { FacetColumn($0) }
        clusters.accumulate = sums.map { Accumulation(name: "n", operation: .sum, output: $0) }
        var build = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: ClusteringOptions(maxZoom: 5), clusters: clusters, jobs: 2)
        build.storage = TileStorage(
            codec: codec, compression: .none, layout: TilesetLayout(bundleLimit: codec == .mvt ? nil : 20))
        let tileset = try build.memoryTileset(of: header + rows)
        #expect(try PyramidVerifier(tileset: tileset, jobs: 2).checkedReport().findings == [])
    }

    @Test(
        arguments: [
            ("kind", "kind", nil), ("price:0:10.5:1e2", "price", [0, 10.5, 100]), ("a:b", "a:b", nil),
            ("a:b:-1", "a:b", [-1]),
            ("x:inf", "x:inf", nil),
        ] as [(String, String, [Double]?)])
    func `a column is read with its edges`(text: String, name: String, edges: [Double]?) {
        #expect(FacetColumn(text) == FacetColumn(name: name, edges: edges))
    }

    @Test func `a column needs a name`() { #expect(FacetColumn(":1:2") == nil) }
}
