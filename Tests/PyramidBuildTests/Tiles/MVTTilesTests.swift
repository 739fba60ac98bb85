import Foundation
import PyramidParts
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore
@testable import PyramidTiles

/// MVT tiles, read by an independent reader, against the GeoJSON tiles of the same options.
@Suite struct MVTTilesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var clustering: ClusteringOptions
        var clusters = ClusterContentOptions()
        var idColumn: String? = "id"
    }

    private static let content = ClusterContentOptions(
        accumulate: [
            Accumulation(name: "n", operation: .sum), Accumulation(name: "n", operation: .mean, output: "mean"),
            Accumulation(name: "name", operation: .comma), Accumulation(name: "n", operation: .min, output: "least"),
        ], countBy: [CategoryCount(name: "kind", limit: 2)], properties: ["flag"], memberLimit: 5)

    private static let cases: [Case] = [
        Case(testDescription: "plain", clustering: ClusteringOptions(maxZoom: 7)),
        Case(
            testDescription: "content", clustering: ClusteringOptions(minPoints: 3, maxZoom: 6), clusters: content),
        Case(
            testDescription: "without ids", clustering: ClusteringOptions(position: .centroid, maxZoom: 9),
            idColumn: nil),
        Case(
            testDescription: "text ids, 99+",
            clustering: ClusteringOptions(position: .centroid, minZoom: 2, maxZoom: 20),
            clusters: ClusterContentOptions(countLabel: .ninetyNine), idColumn: "name"),
        Case(
            testDescription: "exact counts, fractional ids",
            clustering: ClusteringOptions(maxZoom: 5), clusters: ClusterContentOptions(countLabel: .exact),
            idColumn: "n"),
        Case(testDescription: "groups, coincident", clustering: groups),
    ]

    private static var groups: ClusteringOptions {
        var options = ClusteringOptions(maxZoom: 8)
        options.groupColumn = "kind"
        options.coincidentLimit = 2
        options.tileSize = 512
        return options
    }

    /// Rows with numbers and texts of many kinds, some at the same place, at the antimeridian and beyond the map's edge.
    static func csv(count: Int, seed: UInt64) -> String {
        var random = SeededRandom(seed: seed)
        var lines = ["id,name,lon,lat,n,kind,flag"]
        for index in 0..<count {
            let place =
                switch index % 6 {
                case 0: "\(random.next(below: 360) - 180),\(random.next(below: 180) - 90)"
                case 1: "-179.99\(random.next(below: 10)),\(random.next(below: 9)).5"
                case 2: "7.4474\(random.next(below: 10)),46.948\(random.next(below: 10))"
                case 3: "7.4,46.9"
                default: "\(random.next(below: 360) - 180).12345\(random.next(below: 10)),-2\(random.next(below: 10)).5"
                }
            let number = [
                "\(index).5", "\(index + 1000).0", "-\(index).25", "\(index)e3", "-\(index)", "\(index).000001",
            ][index % 6]
            let kind = ["café", "bar", "\"a,\"\"b\"\"\"", "", "日本"][random.next(below: 5)]
            let id = index % 7 == 0 ? 9_007_199_254_740_991 - index : index
            lines.append("\(id),\"Ü \(index)\",\(place),\(number),\(kind),\(index % 3 == 0)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func build(_ item: Case, _ format: TileCodec, jobs: Int = 2) throws -> MemoryTileset {
        var options = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: item.clustering, clusters: item.clusters, jobs: jobs)
        options.input.idColumn = item.idColumn
        options.storage = TileStorage(codec: format, compression: .none)
        return try options.memoryTileset(of: MVTTilesTests.csv(count: 400, seed: 3))
    }

    @Test(arguments: cases)
    func `a tile says in MVT what it says in GeoJSON`(item: Case) throws {
        let (vector, plain) = (try build(item, .mvt), try build(item, .geojson))
        let tiles = try plain.tileEntries().map(\.address)
        #expect(try vector.tileEntries().map(\.address) == tiles)
        let zooms = try (vector.manifest().zooms, plain.manifest().zooms)
        #expect(zooms.0.map(\.markers) == zooms.1.map(\.markers) && zooms.0.map(\.clusters) == zooms.1.map(\.clusters))
        let layer = try #require(try vector.tileJSON().vectorLayers.first)
        var clusterCount = 0
        for tile in tiles {
            let found = try ReferenceMVT(try #require(try vector.body(of: tile)))
            #expect(found.name == "points" && found.version == 2 && found.extent == 8192)
            #expect(Set(found.keys).count == found.keys.count && Set(found.values).count == found.values.count)
            let markers = try #require(try plain.tile(at: tile)).markers
            #expect(found.features.count == markers.count)
            for (feature, marker) in zip(found.features, markers) {
                expect(feature, is: marker, in: tile, item)
                for (name, value) in feature.properties {
                    let type: String =
                        switch value {
                        case .string: "String"
                        case .bool: "Boolean"
                        default: "Number"
                        }
                    #expect([type, "String"].contains(layer.fields[name]), "\(name)")
                }
                if marker.pointCount > 1 { clusterCount += 1 }
            }
        }
        #expect(clusterCount > 20)
    }

    private func expect(_ feature: ReferenceMVT.Feature, is marker: Marker, in tile: TileCoordinate, _ item: Case) {
        let place = WebMercator.project(marker.coordinate)
        func unit(_ coordinate: UInt32, _ number: Int) -> Int {
            let fraction = Double(coordinate) / 0x1p32 * Double(1 << tile.z) - Double(number)
            return min(8191, Int((fraction * 8192 + 0.5).rounded(.down)))
        }
        #expect(feature.x == unit(place.x, tile.x) && feature.y == unit(place.y, tile.y))
        var properties = feature.properties
        #expect(properties.removeValue(forKey: "parent") == marker.parentID.map { .uint($0) })
        let expected: [String: PropertyValue]
        switch marker {
        case .cluster(let cluster):
            expected = cluster.properties
            for column in item.clusters.countBy {
                guard case .object(let counts)? = cluster.properties[column.name] else { continue }
                for (value, count) in counts where !value.isEmpty && value != CategoryCount.other {
                    let found = properties.removeValue(forKey: "\(column.name).\(value)")?.number
                    #expect(found.map { .number($0) } == count)
                }
            }
            #expect(feature.id == cluster.id)
            #expect(properties.removeValue(forKey: "cluster") == .bool(true))
            #expect(properties.removeValue(forKey: "point_count") == .uint(UInt64(cluster.pointCount)))
            #expect(
                properties.removeValue(forKey: "expansion_zoom")?.number == cluster.expansionZoom.map { Double($0) })
            #expect(properties.removeValue(forKey: "coincident") == (cluster.isCoincident ? .bool(true) : nil))
            #expect(properties.removeValue(forKey: "cluster_id") == .uint(cluster.id))
            guard case .string? = properties.removeValue(forKey: "point_count_abbreviated") else {
                Issue.record("point_count_abbreviated is no string")
                return
            }
        case .point(let point):
            expected = point.properties
            switch point.id {
            case .number(let number)? where number >= 0 && number < 0x1p53 && number == number.rounded():
                #expect(feature.id == UInt64(number))
            case .number(let number)?:
                #expect(feature.id == nil && properties.removeValue(forKey: item.idColumn ?? "id")?.number == number)
            case .string(let text)?:
                #expect(feature.id == nil && properties.removeValue(forKey: item.idColumn ?? "id") == .string(text))
            default: #expect(feature.id == nil)
            }
        }
        #expect(Set(properties.keys) == Set(expected.keys))
        for (name, value) in expected {
            switch (properties[name], value) {
            case (.string(let found)?, .string(let text)): #expect(found == text)
            case (.bool(let found)?, .bool(let flag)): #expect(found == flag)
            case (let found?, .number(let number)):
                #expect(found.number == number)
                let isWhole = if case .double = found { false } else { true }
                #expect(isWhole == (number == number.rounded()))
            case (.string(let found)?, .object), (.string(let found)?, .array):
                #expect(value == nested(found))
            default: Issue.record("\(name) is \(String(describing: properties[name])), expected \(value)")
            }
        }
    }

    private func nested(_ text: String) -> PropertyValue? {
        let collection =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":"#
            + #"{"type":"Point","coordinates":[1,2]},"properties":{"v":\#(text)}}]}"#
        guard let world = TileCoordinate(z: 0, x: 0, y: 0),
            case .point(let point)? = try? GeoJSONTileDecoder.decode(Array(collection.utf8), at: world).markers.first
        else { return nil }
        return point.properties["v"]
    }

    private func build(_ input: String, maxZoom: Int = 12) throws -> MemoryTileset {
        var options = BuildOptions(inputPaths: ["-"], outputPath: "", clustering: ClusteringOptions(maxZoom: maxZoom))
        options.storage = TileStorage(codec: .mvt)
        return try options.memoryTileset(of: input)
    }

    @Test(arguments: [
        ["0,0"], ["0,51.4779"], ["0,51.4779", "-3,40"], ["-78.5,0"], ["32.6,0", "32.5,3"], ["90,0", "45,-3.5"],
        ["-180,0"], ["180,5", "179,4"],
    ])
    func `MapLibre finds every tile within the bounds`(places: [String]) throws {
        let tileset = try build("lon,lat\n" + places.map { $0 + "\n" }.joined())
        let tileJSON = try tileset.tileJSON()
        let area = PMTilesHeader.Area(tileJSON)
        let archived = [area.west, area.south, area.east, area.north].map { Double($0) / 1e7 }
        #expect(archived == tileJSON.bounds)
        for bounds in [tileJSON.bounds, archived] {
            for tile in try tileset.tileEntries().map(\.address) {
                // TileBounds.contains of MapLibre GL JS.
                let side = Double(1 << tile.z)
                func x(_ longitude: Double) -> Double { (180 + longitude) / 360 * side }
                func y(_ latitude: Double) -> Double {
                    (180 - 180 / .pi * log(tan(.pi / 4 + latitude * .pi / 360))) / 360 * side
                }
                let isWithin =
                    Double(tile.x) >= x(bounds[0]).rounded(.down) && Double(tile.x) < x(bounds[2]).rounded(.up)
                    && Double(tile.y) >= y(bounds[3]).rounded(.down) && Double(tile.y) < y(bounds[1]).rounded(.up)
                #expect(isWithin, "\(tile) in \(bounds)")
            }
        }
    }

    @Test func `a plain column named id stays a property`() throws {
        let tileset = try build("id,lon,lat\n7,5,6\n")
        let entry = try #require(try tileset.tileEntries().last)
        let tile = entry.address
        #expect(try tileset.tileJSON().idProperty == nil)
        for found in [
            try tileset.tile(at: tile),
            try MVTTileDecoder.decode(
                try #require(try tileset.body(of: tile)), at: tile, idProperty: tileset.tileJSON().idProperty),
        ] {
            let point = try #require(found?.markers.first?.point)
            #expect(point.id == nil && point.properties == ["id": 7])
        }
    }

    @Test func `the number of jobs doesn't show in the bytes`() throws {
        let item = MVTTilesTests.cases[1]
        let (one, three) = (try build(item, .mvt, jobs: 1), try build(item, .mvt, jobs: 3))
        #expect(try one.metadataBytes(of: Manifest.fileName) == three.metadataBytes(of: Manifest.fileName))
        #expect(try one.fileList() == three.fileList())
    }

    @Test func `a tile of 512 pixels with twice the distance has the markers of one of 256`() throws {
        var twice = ClusteringOptions(clusterDistance: 80, maxZoom: 7)
        twice.tileSize = 512
        let small = try build(MVTTilesTests.cases[0], .geojson)
        let large = try build(Case(testDescription: "512", clustering: twice), .geojson)
        #expect(try small.fileList() == large.fileList())
        #expect(try small.tileJSON().tileSize == nil && large.tileJSON().tileSize == 512)
        #expect(try small.tileJSON().data?.count == 1 && build(MVTTilesTests.cases[0], .mvt).tileJSON().data == nil)
    }

    @Test func `GeoJSON's own ids become a property with a name that is free`() throws {
        let features = (0..<4).map { index in
            #"{"type":"Feature","id":\#(index == 3 ? "17" : #""f\#(index)""#),"geometry":{"type":"Point","coordinates":[\#(index * 40),2]},"properties":{"id":"own","empty":"","tags":["a\u0062"]}}"#
        }
        let built = try build(
            #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, maxZoom: 3)
        let features3 = try built.tileEntries().filter { $0.address.z == 3 }.flatMap { entry in
            try ReferenceMVT(try #require(try built.body(of: entry.address))).features
        }
        #expect(features3.allSatisfy { $0.properties["id"] == .string("own") && $0.properties["empty"] == nil })
        #expect(features3.allSatisfy { $0.properties["tags"] == .string(#"["ab"]"#) })
        #expect(Set(features3.compactMap { $0.properties["id_"] }) == [.string("f0"), .string("f1"), .string("f2")])
        #expect(features3.compactMap(\.id) == [17])
        #expect(try built.manifest().content.idProperty == "id_")
        #expect(try built.tileJSON().vectorLayers[0].fields["id_"] == "String" && built.tileJSON().idProperty == "id_")
    }

    @Test func `another format over an earlier one leaves nothing of it, and the same again writes nothing`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("points.csv", MVTTilesTests.csv(count: 120, seed: 5))
        func build(_ name: String, _ format: TileCodec) throws -> BuildReport {
            var options = BuildOptions(
                inputPaths: [input], outputPath: folder.path(name),
                clustering: ClusteringOptions(maxZoom: 4))
            options.syncs = false
            options.storage = TileStorage(codec: format)
            return try PyramidBuilder(options: options).build()
        }
        func files(_ name: String) throws -> [String: Data] { try fileTree(at: folder.path(name)) }
        _ = try build("once", .mvt)
        _ = try build("twice", .geojson)
        let over = try build("twice", .mvt)
        #expect(try files("once") == files("twice"))
        #expect(over.changes.unchanged == 0 && over.changes.removed > 0)
        let again = try build("twice", .mvt)
        #expect(again.changes.written == 0 && again.changes.removed == 0 && again.changes.unchanged > 0)
        _ = try build("twice", .geojson)
        #expect(try !files("twice").keys.contains { $0.hasSuffix(".mvt") })
        // A build that was interrupted knows its own files by their first bytes.
        try Data("A build of this pyramid is under way, or was interrupted.\nprocess 7\n".utf8)
            .write(to: folder.url.appendingPathComponent("once/.building"))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("once/manifest.json"))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("once/files.tsv"))
        _ = try build("once", .geojson)
        #expect(try files("once") == files("twice"))
    }

    /// The nearest double of each sum is whole.
    @Test(arguments: [
        (["66666.66666666667", "66666.66666666667", "66666.66666666667"], "200000.00000000001"),
        (["900000000000000", "0.01"], "900000000000000.01"), (["-100000", "-1e-12"], "-100000.000000000001"),
    ])
    func `a sum is verified as exactly as its nearest double, even a whole one`(numbers: [String], sum: String) throws {
        let rows = numbers.enumerated().map { "\(1 + Double($0) / 10_000),-2,\($1)\n" }
        var options = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: ClusteringOptions(maxZoom: 3),
            clusters: ClusterContentOptions(accumulate: [Accumulation(name: "v", operation: .sum)]))
        options.storage = TileStorage(codec: .mvt)
        let tileset = try options.memoryTileset(of: "lon,lat,v\n" + rows.joined())
        var manifest = try tileset.manifest()
        #expect(manifest.totals.accumulated == [sum])
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
        // One more.
        let total = try #require(FixedDecimal(sum))
        manifest.totals.accumulated = [(total + FixedDecimal(1)).description]
        _ = try tileset.finish(
            TilesetMetadata(list: tileset.fileList(), tileJSON: tileset.tileJSON(), manifest: manifest))
        let findings = try PyramidVerifier(tileset: tileset).checkedReport().findings
        #expect(findings.map(\.file) == (0...3).map { "tiles/\($0)" })
        #expect(findings.allSatisfy { $0.kind == .wrongContent })
    }

    @Test(arguments: [("200000", "200000.00000000001"), ("-0.1", "-0.10000000000000001")])
    func `groups and ids with the same nearest double have no findings`(one: String, other: String) throws {
        let features = [one, other].enumerated().flatMap { index, number in
            (0..<4).map { copy in
                let id = copy == 0 ? number : "\(10 * index + copy)"
                return #"{"type":"Feature","id":\#(id),"properties":{"v":\#(number)},"geometry":{"type":"Point","#
                    + #""coordinates":[\#(20 + 30 * copy + index),-4]}}"#
            }
        }
        var options = BuildOptions(inputPaths: ["-"], outputPath: "", clustering: ClusteringOptions(maxZoom: 4))
        options.clustering.groupColumn = "v"
        options.storage = TileStorage(codec: .mvt)
        let tileset = try options.memoryTileset(
            of: #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
        #expect(try tileset.manifest().zooms.last?.markers == 8)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    @Test(
        arguments: [
            (TileStorage(codec: .mvt, layout: .bundles(limit: 9)), "bundle can't be used with format mvt")
        ] as [(TileStorage, String)])
    func `what can't be together is refused`(storage: TileStorage, problem: String) {
        var options = BuildOptions(inputPaths: ["a"], outputPath: "b")
        options.storage = storage
        #expect(options.problem?.description == problem)
        options.storage = TileStorage(codec: .mvt)
        #expect(options.problem == nil)
        options.previewPage = []
        #expect(options.problem == nil, "the page reads vector tiles too")
    }

    @Test(arguments: [(513, 256), (1, 512), (513, 512), (257, 256)])
    func `limits on distances hold for a tile of 256 pixels`(distance: Int, tileSize: Int) {
        var options = ClusteringOptions(clusterDistance: PixelsByZoom(distance), maxZoom: 8)
        options.tileSize = tileSize
        #expect(options.problem?.description.contains("cluster distance is \(distance), expected") ?? false)
        options.clusterDistance = PixelsByZoom(tileSize)
        #expect(options.problem == nil)
        options.tileSize = 300
        #expect(options.problem?.description == "tile size is 300, expected 256 or 512")
    }
}
