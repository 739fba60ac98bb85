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

    @Test(arguments: [
        ("", "is not valid JSON"), ("{", "is not valid JSON"), ("{}", "has no \""),
        (#"{"tilejson":3}"#, "has another type of value than expected at \"tilejson\""),
    ])
    func `a damaged file is refused`(text: String, message: String) {
        let error = #expect(throws: MetadataError.self) { try TileJSON(decoding: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "accepted")")
    }
}
