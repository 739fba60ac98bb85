import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput

struct MVTTileEncoderTests {
    /// A point with one property given as the bytes of a number.
    private struct NumberView: MarkerView {
        let number: String
        var coordinate: Coordinate { Coordinate(longitude: 7, latitude: -3) }
        var cluster: ClusterFields? { nil }

        func withID(_ body: (PropertyView?) -> Void) {
            Array(number.utf8).withUnsafeBytes { body(.number($0)) }
        }

        func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
            Array(number.utf8).withUnsafeBytes { visitor.visit(#""n":"#, .number($0)) }
            if let decimal = FixedDecimal(number) { visitor.visit(#""d":"#, .decimal(decimal)) }
            visitor.visit(#""b":"#, .bool(true))
            for (name, json) in [
                (#""j":"#, #"{"a":[1,"ü"]}"#), (#""s\n\"é":"#, #""two\nlines \u00e9""#), (#""e":"#, #""""#),
            ] {
                Array(json.utf8).withUnsafeBytes { visitor.visit(Array(name.utf8), .json($0)) }
            }
            Array("".utf8).withUnsafeBytes { visitor.visit(#""t":"#, .text($0)) }
        }
    }

    /// A marker with nothing but a place in world units.
    private struct PlaceView: MarkerView {
        let place: WorldPoint
        var coordinate: Coordinate { WebMercator.unproject(place) }
        var cluster: ClusterFields? { nil }
        func withID(_ body: (PropertyView?) -> Void) { body(nil) }
        func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {}
    }

    private static func tile<View: MarkerView>(
        _ views: [View], _ tile: TileCoordinate? = nil, _ options: EncodingOptions = EncodingOptions()
    ) throws -> [UInt8] {
        var encoder = MVTTileEncoder(options)
        encoder.begin(try tile ?? world())
        for view in views {
            var view = view
            encoder.append(&view)
        }
        encoder.finish()
        return encoder.withUnsafeBytes { [UInt8]($0) }
    }

    private static func world() throws -> TileCoordinate { try #require(TileCoordinate(z: 0, x: 0, y: 0)) }

    @Test func `a tile has these bytes`() throws {
        let place = Coordinate(longitude: 90, latitude: 0)
        let point = Feature(id: 7, coordinate: place, properties: ["a": "x", "b": 2, "c": "x"])
        let bytes = try MVTTileEncoderTests.tile([EncodedMarker(.point(point))])
        let feature: [UInt8] = [
            0x12, 0x13, 0x08, 7, 0x12, 6, 0, 0, 1, 1, 2, 0, 0x18, 1, 0x22, 5, 9, 0x80, 0x60, 0x80, 0x40,
        ]
        let tables: [UInt8] =
            [0x1a, 1, 0x61, 0x1a, 1, 0x62, 0x1a, 1, 0x63] + [0x22, 3, 0x0a, 1, 0x78] + [0x22, 2, 0x28, 2]
        let layer = [0x78, 2, 0x0a, 6] + Array("points".utf8) + feature + tables + [0x28, 0x80, 0x40]
        #expect(bytes == [0x1a, UInt8(layer.count)] + layer)
    }

    @Test(
        arguments: [
            ("24", .uint(24)), ("24.0", .uint(24)), ("1e3", .uint(1000)), ("-0.0", .uint(0)), ("0", .uint(0)),
            ("-0", .uint(0)), ("2.50e1", .uint(25)), ("-7", .sint(-7)), ("-7.000", .sint(-7)),
            ("9007199254740993", .uint(9_007_199_254_740_993)), ("9007199254740992.5", .double(9_007_199_254_740_992)),
            ("18446744073709551615", .uint(.max)), ("18446744073709551616", .double(0x1p64)),
            ("-9223372036854775808", .sint(.min)), ("-9223372036854775809", .double(-0x1p63)),
            ("1e30", .double(1e30)), ("0.1", .double(0.1)), ("-0.5", .double(-0.5)), ("1.5e-7", .double(1.5e-7)),
            ("123456789.123456789", .double(123456789.123456789)), ("5e-324", .double(.leastNonzeroMagnitude)),
            ("0.30000000000000004", .double(0.30000000000000004)), ("1e-400", .double(0)),
        ] as [(String, ReferenceMVT.Value)])
    func `a number that is whole by value is written as a whole number`(text: String, value: ReferenceMVT.Value) throws
    {
        let tile = try ReferenceMVT(try MVTTileEncoderTests.tile([NumberView(number: text)]))
        #expect(tile.features[0].properties["n"] == value)
        let isID = if case .uint(let id) = value { id < 1 << 53 } else { false }
        #expect(tile.features[0].id == (isID ? Double(text).map { UInt64($0) } : nil))
        #expect(tile.features[0].properties["id"] == (isID ? nil : value))
    }

    @Test func `an exact decimal is the nearest double, or a whole number`() throws {
        for text in ["12.5", "-12", "0.000000000001", "999999999999999.999", "123456789012.123456789", "-3.7"] {
            let tile = try ReferenceMVT(try MVTTileEncoderTests.tile([NumberView(number: text)]))
            #expect(tile.features[0].properties["d"]?.number == Double(text), "\(text)")
        }
        let whole = try ReferenceMVT(try MVTTileEncoderTests.tile([NumberView(number: "-12")]))
        #expect(whole.features[0].properties["d"] == .sint(-12))
    }

    @Test func `nested values are text, names and strings lose their escapes, and empty ones are left out`() throws {
        let tile = try ReferenceMVT(try MVTTileEncoderTests.tile([NumberView(number: "1")]))
        let properties = tile.features[0].properties
        #expect(properties["j"] == .string(#"{"a":[1,"ü"]}"#))
        #expect(properties["s\n\"é"] == .string("two\nlines é"))
        #expect(properties["b"] == .bool(true))
        #expect(properties["e"] == nil && properties["t"] == nil)
    }

    @Test func `a cluster has its id once more, and no box`() throws {
        let place = Coordinate(longitude: 178.4415, latitude: -18.1416)
        let box = BoundingBox(west: 177_443_400, south: -21_139_400, east: -175_201_800, north: -8_525_000)
        let cluster = Cluster(
            id: 4_503_599_627_370_497, coordinate: place, boundingBox: box, pointCount: 1_234, expansionZoom: 5,
            properties: ["n": -1])
        let usual: [String: ReferenceMVT.Value] = [
            "cluster": .bool(true), "cluster_id": .uint(cluster.id), "point_count": .uint(1_234),
            "point_count_abbreviated": .string("1.2k"), "expansion_zoom": .uint(5), "n": .sint(-1),
        ]
        let marker = EncodedMarker(.cluster(cluster))
        let plain = try ReferenceMVT(try MVTTileEncoderTests.tile([marker])).features[0]
        #expect(plain.properties == usual && plain.id == cluster.id)
        let options = EncodingOptions(countLabel: .exact)
        let exact = try ReferenceMVT(try MVTTileEncoderTests.tile([marker], nil, options)).features[0]
        #expect(exact.properties == usual.merging(["point_count_abbreviated": .string("1234")]) { $1 })

        let one = Cluster(
            id: 9, coordinate: place, boundingBox: BoundingBox(place), pointCount: 2, expansionZoom: nil)
        let coincident = try ReferenceMVT(try MVTTileEncoderTests.tile([EncodedMarker(.cluster(one))])).features[0]
        #expect(coincident.properties["coincident"] == .bool(true) && coincident.properties["expansion_zoom"] == nil)
    }

    @Test(arguments: [0, 1, 5, 14, 18, 19, 20, 23])
    func `a place is the nearest unit, within the tile`(zoom: Int) throws {
        var random = SeededRandom(seed: UInt64(zoom))
        let width = 1 << UInt64(32 - zoom)
        let corner = WorldPoint(
            x: UInt32(random.next(below: 1 << zoom) * width), y: UInt32(random.next(below: 1 << zoom) * width))
        let tile = TileCoordinate(containing: corner, atZoom: zoom)
        var offsets = [(0, 0), (width - 1, 0), (0, width - 1), (width / 2, width - 1), (width / 16384, width / 8192)]
        for _ in 0..<200 { offsets.append((random.next(below: width), random.next(below: width))) }
        let places = offsets.map { WorldPoint(x: corner.x + UInt32($0), y: corner.y + UInt32($1)) }
        let bytes = try MVTTileEncoderTests.tile(places.map { PlaceView(place: $0) }, tile)
        let features = try ReferenceMVT(bytes).features
        let markers = try MVTTileDecoder.transcript(of: bytes, at: tile).places
        for (index, (x, y)) in offsets.enumerated() {
            func unit(_ offset: Int) -> Int {
                min(8191, Int((Double(offset) / Double(width) * 8192 + 0.5).rounded(.down)))
            }
            #expect(features[index].x == unit(x) && features[index].y == unit(y))
            #expect(tile.contains(markers[index]))
            // Half a unit, but a whole one at the eastern and southern border.
            let allowance = width / 8192
            #expect(abs(markers[index].eastward(from: places[index])) * 2 <= allowance || unit(x) == 8191)
            #expect(abs(markers[index].southward(from: places[index])) < max(1, allowance))
        }
    }

    @Test func `nothing of a tile is left in the next, and kept features can be appended elsewhere`() throws {
        let markers = (0..<300).map { index in
            EncodedMarker(
                .point(
                    Feature(
                        id: .string("p\(index % 250)"),
                        coordinate: Coordinate(longitude: Double(index) / 2, latitude: -Double(index) / 5),
                        properties: ["n": .number(Double(index % 90)), "t": .string("t\(index)")])))
        }
        let tile = try MVTTileEncoderTests.world()
        let whole = try MVTTileEncoderTests.tile(markers)
        var encoder = MVTTileEncoder(EncodingOptions())
        var features = ByteBuffer()
        var kept: [(Range<Int>, WorldPoint)] = []
        encoder.begin(tile)
        for marker in markers.reversed() {
            var marker = marker
            encoder.append(&marker)
            kept.append((encoder.appendLastFeature(to: &features), marker.place))
        }
        encoder.finish()
        encoder.begin(tile)
        for (feature, place) in kept.reversed() { encoder.append(feature: feature, of: features, at: place) }
        encoder.finish()
        #expect(encoder.withUnsafeBytes { [UInt8]($0) } == whole)
        #expect(encoder.idTypes == .text)

        let eastern = try #require(TileCoordinate(z: 1, x: 1, y: 1))
        encoder.begin(eastern)
        encoder.append(feature: kept[0].0, of: features, at: kept[0].1)
        encoder.finish()
        let bytes = encoder.withUnsafeBytes { [UInt8]($0) }
        #expect(try bytes == MVTTileEncoderTests.tile([markers[299]], eastern))
        #expect(try ReferenceMVT(bytes).values.count == 3)
    }
}
