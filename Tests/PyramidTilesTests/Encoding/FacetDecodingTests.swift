import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles

struct FacetDecodingTests {
    private static let table = #","facets":[["bar",[0,10]],["café \"x\"",null],[["a","b"],[50,null]]]"#

    private static func cluster(_ facets: String, _ more: String = "") -> String {
        #"{"type":"Feature"\#(more),"id":52,"bbox":[-0.5,2,170,45],"geometry":{"type":"Point","coordinates":[10.5,20]},"#
            + #""properties":{"cluster":true,"cluster_id":52,"point_count":12,"point_count_abbreviated":12,"#
            + #""expansion_zoom":7,"n":1\#(facets)}}"#
    }

    private static func collection(_ features: [String], _ table: String = table) -> [UInt8] {
        Array((#"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]" + table + "}").utf8)
    }

    private func clusters(_ bytes: [UInt8]) throws -> [Cluster] {
        let tile = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        return try GeoJSONTileDecoder.decode(bytes, at: tile).markers.compactMap(\.cluster)
    }

    private static let expected = [
        FacetCount(values: ["bar", .array([0, 10])], count: 4),
        FacetCount(values: [.array(["a", "b"]), .array([50, .null])], count: 8),
    ]

    @Test func `counts refer to the table behind the features`() throws {
        let bytes = FacetDecodingTests.collection([
            FacetDecodingTests.cluster(#","facets":[[0,1],[3,7]]"#), FacetDecodingTests.cluster(""),
            FacetDecodingTests.cluster(#","facets":[[1],[11]]"#),
        ])
        let clusters = try clusters(bytes)
        #expect(
            clusters.map(\.facets) == [
                FacetDecodingTests.expected, nil, [FacetCount(values: ["café \"x\"", .null], count: 12)],
            ])
        #expect(clusters.allSatisfy { $0.properties == ["n": 1] })
    }

    @Test func `clusters with counts have their parents`() throws {
        let inTile = FacetDecodingTests.collection([FacetDecodingTests.cluster(#","parent":77,"facets":[[0,1],[3,7]]"#)]
        )
        let tile = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        #expect(try GeoJSONTileDecoder.decode(inTile, at: tile).markers.map(\.parentID) == [77])
        let inBundle = FacetDecodingTests.collection([
            FacetDecodingTests.cluster(#","facets":[[0,1],[3,7]]"#, #","minzoom":5,"parent_id":77"#)
        ])
        #expect(try GeoJSONTileDecoder.decodeBundle(inBundle, zooms: 0...6).map(\.marker.parentID) == [77])
    }

    @Test func `without a table, facets are a column`() throws {
        let bytes = FacetDecodingTests.collection([FacetDecodingTests.cluster(#","facets":[[0,1],[3,7]]"#)], "")
        #expect(try clusters(bytes).map(\.facets) == [nil])
        #expect(try clusters(bytes).first?.properties["facets"] == .array([.array([0, 1]), .array([3, 7])]))
    }

    @Test(arguments: [
        "[[0,2],[3,7]]", "[[3],[11]]", "[[1,1,1],[3,6]]", "[[],[]]", "[[0,1],[3,6]]", "[[0,1],[3,8]]", "[[1],[12]]",
        "[[1,0],[10]]", "[[],[10,0]]", "[[1],[10,0]]", "[[0,1],[11]]", "[[],[11],[]]", "[[],11]", "[[11]]", "[]", "{}",
        "12", "[0,4,2,8]", "[[0.5],[11]]", "[[-1],[11]]", "[[1],[-1]]", #"[["bar",null],[11]]"#,
    ])
    func `counts that the table doesn't explain are no tile`(facets: String) throws {
        let bytes = FacetDecodingTests.collection([FacetDecodingTests.cluster(#","facets":"# + facets)])
        #expect(throws: TileDecodingError.self) { try clusters(bytes) }
    }

    @Test(arguments: [#","facets":[3]"#, #","facets":{}"#, #","facets":[[1]],"facets":[[1]]"#, #","facet":[[1]]"#])
    func `another table is no tile`(table: String) throws {
        let bytes = FacetDecodingTests.collection([FacetDecodingTests.cluster("")], table)
        #expect(throws: TileDecodingError.self) { try clusters(bytes) }
    }

    @Test func `a tile made from a bundle has the bundle's table`() throws {
        let bundle = FacetDecodingTests.collection([
            FacetDecodingTests.cluster(#","facets":[[0,1],[3,7]]"#, #","maxzoom":4"#),
            FacetDecodingTests.cluster(#","parent":52"#, #","minzoom":5,"parent":0"#),
        ])
        let (world, tile) = try (
            #require(TileCoordinate(z: 0, x: 0, y: 0)), #require(TileCoordinate(z: 4, x: 8, y: 7))
        )
        let made = try #require(try BundleExpansion.tile(tile, from: bundle, of: world, maxZoom: 6))
        #expect(made == FacetDecodingTests.collection([FacetDecodingTests.cluster(#","facets":[[0,1],[3,7]]"#)]))
        let records = try GeoJSONTileDecoder.decodeBundle(bundle, zooms: 0...6)
        #expect(records.map(\.zooms) == [0...4, 5...6])
        let (first, second) = try (#require(records[0].marker.cluster), #require(records[1].marker.cluster))
        #expect(first.facets == FacetDecodingTests.expected)
        // A column of the user's can be called parent, too.
        #expect(second.facets == nil && second.properties["parent"] == 52)
        #expect(records.map(\.parentIndex) == [nil, 0] && records[1].marker.parentID == first.id)
        let other = FacetDecodingTests.collection([FacetDecodingTests.cluster("", #","minzoom":5,"parent_id":77"#)])
        #expect(try GeoJSONTileDecoder.decodeBundle(other, zooms: 0...6).first?.marker.parentID == 77)
    }

    /// The record itself, one that isn't there, one that isn't shown at the zoom before, and nonsense.
    @Test(arguments: [
        #""parent":1"#, #""parent":2"#, #""parent":0"#, #""parent":-1"#, #""parent":0.5"#, #""parent":"0""#,
        #""parent_id":9007199254740992"#, #""parent_id":7,"parent":0"#, #""parent_id":7,"parent_id":7"#,
    ])
    func `a record with an impossible parent makes no bundle`(member: String) {
        let bundle = FacetDecodingTests.collection([
            FacetDecodingTests.cluster("", #","maxzoom":3"#),
            FacetDecodingTests.cluster("", #","minzoom":5,"# + member),
        ])
        #expect(throws: TileDecodingError.self) { try GeoJSONTileDecoder.decodeBundle(bundle, zooms: 0...6) }
        let tile = FacetDecodingTests.collection([FacetDecodingTests.cluster("", "," + member)])
        #expect(throws: TileDecodingError.self) { try clusters(tile) }
    }

    @Test(arguments: [
        (#"[["bar",[0,10]],4,[["a","b"],[50,null]],8]"#, true), (#"[["bar",[0,10]],4]"#, false),
        (#"[["bar"],12]x"#, false), (#"[["bar"]]"#, false),
    ])
    func `vector tiles spell combinations out`(text: String, isRight: Bool) throws {
        let place = Coordinate(longitude: 10.5, latitude: 20)
        let cluster = Cluster(
            id: 4_503_599_627_370_497, coordinate: place, boundingBox: BoundingBox(place), pointCount: 12,
            expansionZoom: nil, properties: ["facets": .string(text)])
        let tile = TileCoordinate(containing: WebMercator.project(place), atZoom: 3)
        let bytes = [Marker.cluster(cluster)].encodedTile(at: tile, TileStorage(codec: .mvt))
        guard isRight else {
            #expect(throws: TileDecodingError.self) { try MVTTileDecoder.decode(bytes, at: tile) }
            return
        }
        let found = try #require(try MVTTileDecoder.decode(bytes, at: tile).markers.first?.cluster)
        #expect(found.facets == FacetDecodingTests.expected && found.properties.isEmpty)
    }
}
