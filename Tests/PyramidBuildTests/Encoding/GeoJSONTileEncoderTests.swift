import Foundation
import PyramidTiles
import Testing

@testable import PyramidBuild
@testable import PyramidInput

struct GeoJSONTileEncoderTests {
    /// A marker with an id and properties of every type.
    private struct View: MarkerView {
        enum Value {
            case text(String), number(String), json(String), integer(Int), decimal(String), bool(Bool)
        }

        let coordinate: Coordinate
        var cluster: ClusterFields?
        var id: Value?
        var properties: [(name: StaticString, value: Value)] = []

        func withID(_ body: (PropertyView?) -> Void) {
            guard let id else { return body(nil) }
            withView(of: id, body)
        }

        func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
            for (name, value) in properties { withView(of: value) { visitor.visit(name, $0) } }
        }

        private func withView(of value: Value, _ body: (PropertyView) -> Void) {
            switch value {
            case .text(let text): Array(text.utf8).withUnsafeBytes { body(.text($0)) }
            case .number(let text): Array(text.utf8).withUnsafeBytes { body(.number($0)) }
            case .json(let text): Array(text.utf8).withUnsafeBytes { body(.json($0)) }
            case .integer(let number): body(.integer(number))
            case .decimal(let text): body(.decimal(FixedDecimal(text) ?? .zero))
            case .bool(let value): body(.bool(value))
            }
        }
    }

    private static let markers = [
        View(
            coordinate: Coordinate(longitude: 178.4415, latitude: -18.1416),
            cluster: ClusterFields(
                id: 4_503_599_627_370_495,
                boundingBox: BoundingBox(west: 177_443_400, south: -21_139_400, east: -175_201_800, north: -8_525_000),
                pointCount: 1_234, expansionZoom: 5)),
        View(
            coordinate: Coordinate(longitude: -77.0364, latitude: 38.8951), id: .text("007"),
            properties: [
                (#""city":"#, .text("Washington, \"D.C.\"")), (#""population":"#, .number("690000")),
                (#""note":"#, .text("two\nlines")),
            ]),
        View(
            coordinate: Coordinate(longitude: 6.7273, latitude: 0.3365), id: .number("42"),
            properties: [
                (#""city":"#, .text("São Tomé")), (#""rank":"#, .integer(-7)), (#""share":"#, .decimal("-0.0250")),
                (#""old":"#, .bool(true)), (#""tags":"#, .json(#"["a",{"b":1}]"#)),
            ]),
        View(coordinate: Coordinate(longitude: -0.000_001, latitude: -0.5)),
    ]

    /// A cluster across the antimeridian, then points with an id of either kind, and one with nothing.
    private static func writeTile(to encoder: inout GeoJSONTileEncoder) {
        encoder.begin()
        for marker in markers {
            var marker = marker
            encoder.append(&marker)
        }
        encoder.finish()
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
        #""properties":{"city":"São Tomé","rank":-7,"share":-0.025,"old":true,"tags":["a",{"b":1}]}},"#,
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
        encoder.finish()
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
        var marker = View(
            coordinate: place,
            cluster: ClusterFields(id: 1, boundingBox: BoundingBox(place), pointCount: count, expansionZoom: 1))
        encoder.append(&marker)
        encoder.finish()
        let json = encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(json.contains(#""point_count":\#(count),"point_count_abbreviated":\#(abbreviated),"#))
    }

    @Test func `a feature can be kept and written again`() {
        var encoder = GeoJSONTileEncoder()
        var features = ByteBuffer()
        var kept: [Range<Int>] = []
        encoder.begin()
        for marker in GeoJSONTileEncoderTests.markers {
            var marker = marker
            encoder.append(&marker)
            kept.append(encoder.appendLastFeature(to: &features))
        }
        encoder.begin()
        for feature in kept { encoder.append(feature: feature, of: features, at: WorldPoint(x: 0, y: 0)) }
        encoder.finish()
        #expect(encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == GeoJSONTileEncoderTests.tile)
    }
}
