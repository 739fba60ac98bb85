import TestSupport
import Testing

@testable import PyramidTiles

struct GeoJSONTileDecoderTests {
    private static func tile() throws -> TileCoordinate { try #require(TileCoordinate(z: 3, x: 4, y: 2)) }

    private static let cluster =
        #"{"type":"Feature","id":52,"bbox":[-0.5,2,179.999999,45],"#
        + #""geometry":{"type":"Point","coordinates":[10.5,-20.000001]},"#
        + #""properties":{"cluster":true,"cluster_id":52,"point_count":1234,"#
        + #""point_count_abbreviated":"1.2k","expansion_zoom":7}}"#
    private static let point =
        #"{"type":"Feature","id":"a\"b","geometry":{"type":"Point","coordinates":[-180,90]},"#
        + #""properties":{"name":"Zürich\n\u00e9\ud83d\ude00","n":-1.5e2}}"#

    private static func collection(_ features: String...) -> String {
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    }

    private func decode(_ text: String) throws -> Tile {
        try GeoJSONTileDecoder.decode(Array(text.utf8), at: try GeoJSONTileDecoderTests.tile())
    }

    @Test func `a tile's bytes are these markers`() throws {
        let tile = try decode(
            GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.cluster, GeoJSONTileDecoderTests.point))
        let cluster = Cluster(
            id: 52,
            coordinate: Coordinate(longitudeMicrodegrees: 10_500_000, latitudeMicrodegrees: -20_000_001),
            boundingBox: BoundingBox(west: -500_000, south: 2_000_000, east: 179_999_999, north: 45_000_000),
            pointCount: 1234, expansionZoom: 7)
        let point = Feature(
            id: #"a"b"#, coordinate: Coordinate(longitudeMicrodegrees: -180_000_000, latitudeMicrodegrees: 90_000_000),
            properties: ["name": "Zürich\né😀", "n": -150])
        #expect(
            tile == Tile(coordinate: try GeoJSONTileDecoderTests.tile(), markers: [.cluster(cluster), .point(point)]))
    }

    @Test func `what the encoder writes is read back`() throws {
        var random = SeededRandom(seed: 99)
        for _ in 0..<200 {
            let markers = (0..<Int.random(in: 0...9, using: &random)).map { _ in Marker.random(using: &random) }
            let tile = try GeoJSONTileDecoder.decode(markers.encodedTile(), at: try GeoJSONTileDecoderTests.tile())
            #expect(tile.markers == markers)
        }
    }

    @Test func `white space, the order of keys and escapes are free`() throws {
        let text =
            "\n{ \"features\" : [ {\"properties\":{ },\"geometry\":{\"coordinates\":[ -0.25 , 1.50 ],\t"
            + #""type":"Point"},"ty\u0070e":"Fe\u0061ture"}] ,"type":"FeatureCollection"}"# + "\r\n "
        let coordinate = Coordinate(longitudeMicrodegrees: -250_000, latitudeMicrodegrees: 1_500_000)
        #expect(try decode(text).markers == [.point(Feature(coordinate: coordinate))])
    }

    @Test func `without the value true for cluster it is a point, whatever its columns are called`() throws {
        for value in ["false", "1", "\"true\"", "null", "[true]"] {
            let text = GeoJSONTileDecoderTests.collection(
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"cluster":"# + value
                    + #","point_count":"many","cluster_id":null}}"#)
            let feature = try #require(try decode(text).markers.first?.point, "\(value) makes a cluster")
            #expect(feature.properties.count == 3)
            #expect(feature.properties["point_count"] == "many")
        }
    }

    @Test func `what a cluster carries besides its own names is kept`() throws {
        let text = GeoJSONTileDecoderTests.cluster.replacingFirst(
            #""cluster":true"#, #""sum":[1,{"a":null}],"cluster":true"#)
        let cluster = try #require(try decode(GeoJSONTileDecoderTests.collection(text)).markers.first?.cluster)
        #expect(cluster.properties == ["sum": .array([1, .object(["a": .null])])])
    }

    /// What is replaced in a tile of a cluster and a point, by what.
    private static let damages: [(String, String)] = [
        ("FeatureCollection", "Feature"), (#""features":"#, #""feature":"#), (#"{"type":"FeatureCollection","#, "{"),
        (#"{"type":"FeatureCollection","#, #"{"type":"FeatureCollection","type":"FeatureCollection","#),
        (#"{"type":"FeatureCollection","#, #"{"type":"FeatureCollection","name":"a","#),
        ("[{", "[,{"), ("]}", "],}"), ("}]}", "},]}"), (#"},{"type":"Feature""#, #"} {"type":"Feature""#),
        (#"{"type":"Feature","#, "{"), (#""type":"Feature","id""#, #""type":"feature","id""#),
        (#""type":"Feature","id""#, #""type":"Feature","type":"Feature","id""#),
        (#""id":52,"#, ""), (#""id":52,"#, #""id":53,"#), (#""id":52,"#, #""id":"52","#),
        (#""id":52,"#, #""id":52.0,"#),
        (#""id":52,"#, #""id":052,"#), (#""id":52,"#, #""id":null,"#), (#""id":52,"#, #""id":52,"id":52,"#),
        (#""id":52,"#, #""id":52,"extra":1,"#), ("52", "9007199254740992"), ("52", "99999999999999999999"),
        (#""bbox":[-0.5,2,179.999999,45],"#, ""), ("179.999999,45", "179.999999"), ("2,179", "2,180,179"),
        ("179.999999", "180.000001"), ("179.999999", "179.9999999"), ("-0.5", "-.5"), ("-0.5", "-0."), ("-0.5", "+0.5"),
        ("-0.5", "\"-0.5\""), ("-0.5", "-5e-1"), ("-0.5", "-00.5"), ("-0.5", "--0.5"),
        (#","expansion_zoom":7"#, #","expansion_zoom":7,"coincident":true"#),
        (#"[-0.5,2,179.999999,45]"#, "[-0.5,2,-0.5,2]"), ("[10.5,", "[180,"), ("[10.5,", "[-180.000001,"),
        ("[10.5,", "[10.5,0,"), ("[10.5,", "[null,"),
        ("[10.5,", "[10.50000000000000000000000000,"), ("-20.000001]", "-90.000001]"), ("-20.000001]", "-20.0000011]"),
        (#"{"type":"Point","coordinates":[10.5,-20.000001]}"#, "null"),
        (#"{"type":"Point","coordinates":[10.5,-20.000001]}"#, #"{"type":"Point"}"#),
        (#"{"type":"Point","coordinates":[10.5"#, #"{"type":"MultiPoint","coordinates":[10.5"#),
        (#""type":"Point","coordinates":[10.5"#, #""type":"Point","crs":1,"coordinates":[10.5"#),
        (#""cluster":true,"#, ""), (#""cluster":true,"#, #""cluster":true,"cluster":true,"#),
        (#""cluster_id":52,"#, ""), (#""cluster_id":52"#, #""cluster_id":"52""#), (#""point_count":1234,"#, ""),
        ("1234", "1"), ("1234", "0"), ("1234", "-5"), ("1234", "2.5"), ("1234", "1e3"), ("1234", "9007199254740993"),
        (#""point_count_abbreviated":"1.2k","#, ""), ("zoom\":7", "zoom\":31"),
        ("zoom\":7", "zoom\":\"7\""), (#""name":"Z"#, #""name":1,"name":"Z"#),
        (#""name":"Z"#, #""n\u0061me":1,"name":"Z"#),
        ("\\n", "\n"), ("\\n", "\u{1}"), ("\\n", "\\x"), ("\\u00e9", "\\u00e"), ("\\u00e9", "\\ud83d"),
        ("\\u00e9", "\\ude00"), ("\\u00e9", "\\ud83d\\u0041"), ("-1.5e2", "-1.5e"), ("-1.5e2", "01"), ("-1.5e2", "NaN"),
        ("-1.5e2", "1e400"), ("-1.5e2", "-"), ("-1.5e2", "True"), ("-1.5e2", "tru"), ("-1.5e2", ""), ("-1.5e2", "[1"),
        (#""a\"b""#, "null"), (#""a\"b""#, "{}"), (#""a\"b""#, #""a"b""#),
        (#"[-180,90]},"#, #"[-180,90]},"bbox":[1,2,3,4],"#),
    ]

    @Test(arguments: damages)
    func `what the encoder can't have written is refused`(found: String, replacement: String) throws {
        let sound = GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.cluster, GeoJSONTileDecoderTests.point)
        #expect(sound.contains(found))
        #expect(throws: TileDecodingError.self) { try decode(sound.replacingFirst(found, replacement)) }
    }

    @Test func `a tile that ends anywhere before its end is refused`() throws {
        let sound = Array(
            GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.cluster, GeoJSONTileDecoderTests.point).utf8)
        for count in sound.indices {
            #expect(throws: TileDecodingError.self) {
                try GeoJSONTileDecoder.decode(Array(sound.prefix(count)), at: try GeoJSONTileDecoderTests.tile())
            }
        }
        #expect(throws: TileDecodingError.self) {
            try GeoJSONTileDecoder.decode(sound + [UInt8(ascii: "x")], at: try GeoJSONTileDecoderTests.tile())
        }
    }

    @Test(
        arguments: [
            [0x80], [0xc0, 0x80], [0xc3], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x80, 0x80, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xff],
        ] as [[UInt8]])
    func `invalid UTF-8 is refused`(bytes: [UInt8]) throws {
        let parts = GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.point).split(separator: "ü")
        let body = Array(parts[0].utf8) + bytes + Array(parts[1].utf8)
        #expect(throws: TileDecodingError.self) {
            try GeoJSONTileDecoder.decode(body, at: try GeoJSONTileDecoderTests.tile())
        }
    }

    @Test func `an error says where, what and what was expected`() throws {
        let text = GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.cluster).replacingFirst("10.5", "190.5")
        #expect {
            try decode(text)
        } throws: { error in
            "\(error)"
                == "byte 138 is 190.5, expected degrees from -180 to below 180 with at most 6 decimals"
        }
    }

    @Test func `brackets a hundred thousand deep are refused`() throws {
        for bracket in ["[", "{\"a\":"] {
            let text = GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.point)
                .replacingFirst("-1.5e2", String(repeating: bracket, count: 100_000))
            #expect(throws: TileDecodingError.self) { try decode(text) }
        }
    }

    @Test func `the last of a hundred thousand keys is refused where it comes twice`() throws {
        let keys = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let point = GeoJSONTileDecoderTests.collection(GeoJSONTileDecoderTests.point)
        #expect(try decode(point.replacingFirst(#""n":-1.5e2"#, keys)).markers.count == 1)
        #expect(throws: TileDecodingError.self) {
            try decode(point.replacingFirst(#""n":-1.5e2"#, keys + #","k9":1"#))
        }
    }
}

extension Marker {
    fileprivate static func random(using random: inout SeededRandom) -> Marker {
        let coordinate = Coordinate(
            longitudeMicrodegrees: .random(in: -180_000_000..<180_000_000, using: &random),
            latitudeMicrodegrees: .random(in: -90_000_000...90_000_000, using: &random))
        let texts = ["", "007", "a\"b\\c", "line\nline\r\t\u{1}", "Ωmega 😀", "true"]
        guard Bool.random(using: &random) else {
            let ids: [PropertyValue?] = [nil, .number(Double(Int.random(in: -9...9, using: &random))), "x-1", ""]
            return .point(
                Feature(
                    id: ids.randomElement(using: &random) ?? nil, coordinate: coordinate,
                    properties: [
                        "name": .string(texts.randomElement(using: &random) ?? ""),
                        "a \"q\"": .number(Double(Int32.random(in: -999...999, using: &random)) / 8),
                    ]))
        }
        let far = Coordinate(
            longitudeMicrodegrees: .random(in: -180_000_000..<180_000_000, using: &random), latitudeMicrodegrees: 0)
        return .cluster(
            Cluster(
                id: .random(in: 0..<1 << 52, using: &random), coordinate: coordinate,
                boundingBox: BoundingBox(
                    west: far.longitudeMicrodegrees, south: -90_000_000, east: 180_000_000,
                    north: coordinate.latitudeMicrodegrees),
                pointCount: 2 + Int.random(in: 0...1 << 52, using: &random) >> Int.random(in: 0...50, using: &random),
                expansionZoom: .random(in: 1...23, using: &random)))
    }
}
