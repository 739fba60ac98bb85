import Foundation
import Testing

@testable import PyramidTiles

struct TileJSONTests {
    private static let box = BoundingBox(west: -17_467_700, south: -34_833_000, east: 51_275_001, north: 37_346_000)
    private static let fields = [
        "city": "String", "populationCount": "Number", "is_capital": "String", "São": "String",
    ]
    private static let tileJSON = TileJSON(
        tileTemplate: "tiles/{z}/{x}/{y}.json", minZoom: 2, maxZoom: 11, bounds: box, fields: fields)

    private static func object(_ tileJSON: TileJSON) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(tileJSON.encoded()))
        return try #require(object as? [String: Any])
    }

    @Test func `a file survives the way to bytes and back`() throws {
        let bytes = try TileJSONTests.tileJSON.encoded()
        #expect(try TileJSON(decoding: bytes) == TileJSONTests.tileJSON)
        #expect(try TileJSON(decoding: bytes).encoded() == bytes)
    }

    @Test(arguments: [(-1, 5), (0, 31), (-9, -2), (4, 3), (0, Int.max)])
    func `zoom levels that no tile can have are refused`(minZoom: Int, maxZoom: Int) throws {
        var tileJSON = TileJSONTests.tileJSON
        (tileJSON.minzoom, tileJSON.maxzoom) = (minZoom, maxZoom)
        let bytes = try tileJSON.encoded()
        let error = #expect(throws: MetadataError.self) { try TileJSON(decoding: bytes) }
        #expect(error?.description == "has zoom levels \(minZoom) to \(maxZoom), expected zooms from 0 to 30")
    }

    @Test func `the file has the members that the specification requires`() throws {
        let object = try TileJSONTests.object(TileJSONTests.tileJSON)
        // Sections 3.1 to 3.3: tilejson, tiles and vector_layers, which has id and fields.
        #expect(object["tilejson"] as? String == "3.0.0")
        #expect(object["tiles"] as? [String] == ["tiles/{z}/{x}/{y}.json"])
        #expect(object["scheme"] as? String == "xyz")
        #expect(object["minzoom"] as? Int == 2)
        #expect(object["maxzoom"] as? Int == 11)
        let layers = try #require(object["vector_layers"] as? [[String: Any]])
        #expect(layers.count == 1)
        #expect(layers[0]["id"] as? String == "points")
        #expect(layers[0]["fields"] as? [String: String] == TileJSONTests.fields)
        #expect(layers[0]["minzoom"] as? Int == 2)
        #expect(layers[0]["maxzoom"] as? Int == 11)
    }

    @Test func `a base URL makes the template absolute, with one slash between them`() throws {
        for base in ["https://cdn.example.org/a/b", "https://cdn.example.org/a/b/"] {
            let options = TileJSONOptions(name: "Städte", attribution: "© <b>nobody</b>", baseURL: base)
            #expect(TileJSONOptions.isBaseURL(base))
            let tileJSON = TileJSON(
                tileTemplate: "tiles/{z}/{x}/{y}.json", minZoom: 2, maxZoom: 11, bounds: TileJSONTests.box,
                fields: [:], options: options)
            let object = try TileJSONTests.object(tileJSON)
            #expect(object["tiles"] as? [String] == ["https://cdn.example.org/a/b/tiles/{z}/{x}/{y}.json"])
            #expect(object["data"] as? [String] == object["tiles"] as? [String])
            #expect(object["name"] as? String == "Städte")
            #expect(object["attribution"] as? String == "© <b>nobody</b>")
            #expect(try TileJSON(decoding: tileJSON.encoded()) == tileJSON)
        }
    }

    @Test func `what the user did not say is left out, because null is no string`() throws {
        let object = try TileJSONTests.object(TileJSONTests.tileJSON)
        #expect(object["name"] == nil && object["description"] == nil && object["attribution"] == nil)
    }

    @Test(arguments: [
        "", "cdn.example.org", "//cdn.example.org", "ftp://cdn.example.org", "https://", "https:///a", "https://a/?b=c",
        "https://a/#b", "https://a b", "https://a/{z}", "https://ä", "file:///a",
    ])
    func `a base URL that no path can be put behind is refused`(text: String) {
        #expect(!TileJSONOptions.isBaseURL(text))
    }

    /// The rules of [schema.json](https://github.com/mapbox/tilejson-spec/blob/master/3.0.0/schema.json) beyond the members
    /// that it requires, and those of the text that a schema can't say.
    @Test func `the file keeps the rules of the published schema and of the text`() throws {
        let tileJSON = TileJSON(
            tileTemplate: "t/{z}/{x}/{y}", minZoom: 2, maxZoom: 11, bounds: TileJSONTests.box,
            fields: TileJSONTests.fields,
            options: TileJSONOptions(name: "n", description: "d", attribution: "a", baseURL: "http://localhost:8080"))
        let object = try TileJSONTests.object(tileJSON)
        #expect((object["tilejson"] as? String)?.wholeMatch(of: /\d+\.\d+\.\d+\w?[\w\d]*/) != nil)
        for key in ["scheme", "name", "description", "attribution"] { #expect(object[key] is String) }
        for key in ["tiles", "data"] {
            let urls = try #require(object[key] as? [String])
            #expect(!urls.isEmpty && urls.allSatisfy { $0.hasPrefix("http://localhost:8080/") })
        }
        for key in ["bounds", "center"] { #expect(object[key] is [Double]) }
        let zooms = try ["minzoom", "maxzoom"].map { try #require(object[$0] as? Int) }
        #expect(0 <= zooms[0] && zooms[0] <= zooms[1] && zooms[1] <= 30)
        let center = try #require(object["center"] as? [Double])
        #expect(Int(exactly: center[2]).map { zooms[0] <= $0 && $0 <= zooms[1] } == true)
        for layer in try #require(object["vector_layers"] as? [[String: Any]]) {
            #expect(layer["id"] is String && layer["fields"] is [String: String])
            #expect(layer["minzoom"] is Int && layer["maxzoom"] is Int)
        }
    }

    @Test(arguments: [
        (box, [-17.4677, -34.833, 51.275001, 37.346]),
        (BoundingBox(Coordinate(longitude: -0.000_001, latitude: 0)), [-0.000001, 0, -0.000001, 0]),
        // Bounds must not wrap around the antimeridian: a box that does becomes the whole belt.
        (
            BoundingBox(west: 177_000_000, south: -21_000_000, east: -171_500_000, north: 14_000_000),
            [-180, -21, 180, 14]
        ),
        (BoundingBox(west: -180_000_000, south: -5, east: 180_000_000, north: 7), [-180, -0.000005, 180, 0.000007]),
    ])
    func `bounds are west, south, east, north, with the center in them`(box: BoundingBox, degrees: [Double]) throws {
        let tileJSON = TileJSON(tileTemplate: "t", minZoom: 3, maxZoom: 4, bounds: box, fields: [:])
        let object = try TileJSONTests.object(tileJSON)
        let bounds = try #require(object["bounds"] as? [Double])
        #expect(bounds == degrees)
        let center = try #require(object["center"] as? [Double])
        #expect(center.count == 3)
        #expect(bounds[0] <= center[0] && center[0] <= bounds[2])
        #expect(bounds[1] <= center[1] && center[1] <= bounds[3])
        #expect(center[2] == 3)
    }

    @Test func `the center is the middle of the box, also across the antimeridian`() {
        #expect(TileJSONTests.tileJSON.center == [16.90365, 1.2565, 2])
        let pacific = BoundingBox(west: 177_000_000, south: -21_000_000, east: -171_500_000, north: 14_000_000)
        let east = BoundingBox(west: 164_000_000, south: -21_000_000, east: -178_000_000, north: 14_000_000)
        func center(_ box: BoundingBox) -> [Double] {
            TileJSON(tileTemplate: "t", minZoom: 0, maxZoom: 4, bounds: box, fields: [:]).center
        }
        #expect(center(pacific) == [-177.25, -3.5, 0])
        #expect(center(east) == [173, -3.5, 0])
    }

    @Test(
        arguments: [
            { $0.tileSize = 0 }, { $0.tileSize = .min }, { $0.minzoom = -1 }, { $0.maxzoom = .max },
            { $0.minzoom = $0.maxzoom + 1 },
            { $0.pointCount = -1 }, { $0.pointCount = .max }, { $0.clusterDistances = [40, 1e300] },
            { $0.clusterDistances = [-1] }, { $0.clusterDistances = [Double](repeating: 40, count: 65) },
            { $0.facets?.counts["[1]"] = 7 }, { $0.facets?.counts["[1,2,3]"] = 7 },
            { $0.facets?.counts["[1,2] 3"] = 7 },
            { $0.facets?.counts["{}"] = 7 }, { $0.facets?.counts["[1,2"] = 7 }, { $0.facets?.counts["[1,2]"] = 0 },
            { $0.facets?.counts["[1,2]"] = .max }, { $0.facets?.columns = [] },
        ] as [@Sendable (inout TileJSON) -> Void])
    func `numbers that readers can't calculate with are refused`(edit: @Sendable (inout TileJSON) -> Void) throws {
        var tileJSON = TileJSONTests.tileJSON
        tileJSON.pointCount = 5
        tileJSON.facets = Facets(
            columns: [FacetColumn(name: "a"), FacetColumn(name: "b", edges: [-1, 2])],
            counts: [#"["x",[-1,2]]"#: 2, "[null,[2,null]]": 3, "[1e400,null]": 1])
        #expect(try TileJSON(decoding: tileJSON.encoded()) == tileJSON)
        edit(&tileJSON)
        #expect(throws: MetadataError.self) { try TileJSON(decoding: tileJSON.encoded()) }
    }

    @Test(arguments: [
        ("", "is not valid JSON"), ("{", "is not valid JSON"), ("{}", "has no \""),
        (#"{"tilejson":3}"#, "has a value of the wrong type at \"tilejson\""),
    ])
    func `a damaged file is refused`(text: String, message: String) {
        let error = #expect(throws: MetadataError.self) { try TileJSON(decoding: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "accepted")")
    }
}
