import Foundation
import Testing

@testable import PyramidTiles

struct GeoJSONTileEncoderTests {
    private static func append(_ name: String, _ text: String, isNumber: Bool, to encoder: inout GeoJSONTileEncoder) {
        var buffer = ByteBuffer()
        buffer.append(quoted: name)
        buffer.append(":")
        let quotedName = buffer.withUnsafeBytes { Array($0) }
        Array(text.utf8).withUnsafeBytes { encoder.append(quotedName: quotedName, text: $0, isNumber: isNumber) }
    }

    private static func beginPoint(
        longitude: Double, latitude: Double, id: String, isNumber: Bool, in encoder: inout GeoJSONTileEncoder
    ) {
        Array(id.utf8).withUnsafeBytes {
            encoder.beginPoint(
                at: Coordinate(longitude: longitude, latitude: latitude), id: (text: $0, isNumber: isNumber))
        }
    }

    /// A cluster across the antimeridian, then points with an id of either kind, and one with nothing.
    private static func writeTile(to encoder: inout GeoJSONTileEncoder) {
        encoder.begin()
        encoder.beginCluster(
            id: 4_503_599_627_370_495, at: Coordinate(longitude: 178.4415, latitude: -18.1416),
            boundingBox: BoundingBox(west: 177_443_400, south: -21_139_400, east: -175_201_800, north: -8_525_000),
            pointCount: 1_234, expansionZoom: 5)
        encoder.endFeature()
        beginPoint(longitude: -77.0364, latitude: 38.8951, id: "007", isNumber: false, in: &encoder)
        append("city", "Washington, \"D.C.\"", isNumber: false, to: &encoder)
        append("population", "690000", isNumber: true, to: &encoder)
        append("note", "two\nlines", isNumber: false, to: &encoder)
        encoder.endFeature()
        beginPoint(longitude: 6.7273, latitude: 0.3365, id: "42", isNumber: true, in: &encoder)
        append("city", "São Tomé", isNumber: false, to: &encoder)
        encoder.endFeature()
        encoder.beginPoint(at: Coordinate(longitude: -0.000_001, latitude: -0.5))
        encoder.endFeature()
        encoder.end()
    }

    private static let tile = [
        #"{"type":"FeatureCollection","features":["#,
        #"{"type":"Feature","id":4503599627370495,"bbox":[177.4434,-21.1394,-175.2018,-8.525],"#,
        #""geometry":{"type":"Point","coordinates":[178.4415,-18.1416]},"#,
        #""properties":{"cluster":true,"cluster_id":4503599627370495,"point_count":1234,"#,
        #""point_count_abbreviated":"1.2k","expansion_zoom":5}},"#,
        #"{"type":"Feature","id":"007","geometry":{"type":"Point","coordinates":[-77.0364,38.8951]},"#,
        #""properties":{"city":"Washington, \"D.C.\"","population":690000,"note":"two\nlines"}},"#,
        #"{"type":"Feature","id":42,"geometry":{"type":"Point","coordinates":[6.7273,0.3365]},"#,
        #""properties":{"city":"São Tomé"}},"#,
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.000001,-0.5]},"properties":{}}"#,
        #"]}"#,
    ].joined()

    @Test func `a tile has these bytes`() {
        var encoder = GeoJSONTileEncoder()
        GeoJSONTileEncoderTests.writeTile(to: &encoder)
        #expect(encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == GeoJSONTileEncoderTests.tile)
    }

    @Test func `nothing of a tile is left in the next`() {
        var encoder = GeoJSONTileEncoder()
        GeoJSONTileEncoderTests.writeTile(to: &encoder)
        encoder.begin()
        encoder.end()
        let empty = encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(empty == #"{"type":"FeatureCollection","features":[]}"#)
        GeoJSONTileEncoderTests.writeTile(to: &encoder)
        #expect(encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == GeoJSONTileEncoderTests.tile)
    }

    @Test(
        arguments: [
            (2, "2"), (999, "999"), (1_000, #""1k""#), (1_049, #""1k""#), (1_050, #""1.1k""#), (1_234, #""1.2k""#),
            (1_949, #""1.9k""#), (1_950, #""2k""#), (2_000, #""2k""#), (9_949, #""9.9k""#), (9_950, #""10k""#),
            (9_999, #""10k""#), (10_000, #""10k""#), (10_499, #""10k""#), (10_500, #""11k""#), (12_345, #""12k""#),
            (99_499, #""99k""#), (99_500, #""100k""#), (999_499, #""999k""#), (999_500, #""1M""#),
            (1_000_000, #""1M""#), (1_049_999, #""1M""#), (1_050_000, #""1.1M""#), (1_249_999, #""1.2M""#),
            (1_250_000, #""1.3M""#), (9_949_999, #""9.9M""#), (9_950_000, #""10M""#), (12_345_678, #""12M""#),
            (123_456_789, #""123M""#), (2_147_483_647, #""2147M""#),
        ] as [(Int, String)])
    func `a count is abbreviated`(count: Int, abbreviated: String) {
        var encoder = GeoJSONTileEncoder()
        encoder.begin()
        let place = Coordinate(longitude: 7, latitude: -3)
        encoder.beginCluster(
            id: 1, at: place, boundingBox: BoundingBox(place), pointCount: count, expansionZoom: 1)
        encoder.endFeature()
        encoder.end()
        let json = encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(json.contains(#""point_count":\#(count),"point_count_abbreviated":\#(abbreviated),"#))
    }
}
