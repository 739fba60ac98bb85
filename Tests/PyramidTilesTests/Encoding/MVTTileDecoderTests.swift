import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

struct MVTTileDecoderTests {
    private static let place = Coordinate(longitude: 178.4415, latitude: -18.1416)
    private static let points: [Marker] = [
        .cluster(
            Cluster(
                id: 4_503_599_627_370_497, coordinate: place,
                boundingBox: BoundingBox(west: 177_443_400, south: -21_139_400, east: -175_201_800, north: -8_525_000),
                pointCount: 1_234, expansionZoom: 5, properties: ["share": 0.1])),
        .point(Feature(id: "007", coordinate: place, properties: ["city": "São \"Tomé\"\n", "n": -3])),
        .point(Feature(id: -2.5, coordinate: place, properties: ["city": "Suva", "flag": true])),
        .point(Feature(id: 42, coordinate: place)),
        .point(Feature(coordinate: place, properties: ["n": 9_007_199_254_740_993])),
    ]

    private static func tile() throws -> TileCoordinate {
        TileCoordinate(containing: WebMercator.project(place), atZoom: 12)
    }

    private static func encoded(
        _ markers: [Marker] = points, layer: String = TileStorage.defaultLayer
    ) throws -> [UInt8] {
        var storage = TileStorage(codec: .mvt)
        storage.layer = layer
        return markers.encodedTile(at: try tile(), storage)
    }

    @Test func `what is encoded is read back, at places of the tile`() throws {
        let tile = try MVTTileDecoder.decode(
            try MVTTileDecoderTests.encoded(), at: try MVTTileDecoderTests.tile(), idProperty: "id")
        let shown = WebMercator.unproject(
            MVTPlace.shown(WebMercator.project(MVTTileDecoderTests.place), atZoom: 12))
        #expect(tile.markers.count == MVTTileDecoderTests.points.count)
        for (found, marker) in zip(tile.markers, MVTTileDecoderTests.points) {
            #expect(found.coordinate == shown)
            switch (found, marker) {
            case (.point(let found), .point(let point)):
                #expect(found.id == point.id && found.properties == point.properties)
            case (.cluster(let found), .cluster(let cluster)):
                #expect(found.id == cluster.id && found.pointCount == cluster.pointCount)
                #expect(found.expansionZoom == cluster.expansionZoom && found.properties == cluster.properties)
                #expect(found.boundingBox == .world)
            default: Issue.record("a point became a cluster, or a cluster a point")
            }
        }
    }

    @Test func `the box of one place is known`() throws {
        let address = try MVTTileDecoderTests.tile()
        let coincident = Cluster(
            id: 5, coordinate: MVTTileDecoderTests.place, boundingBox: BoundingBox(MVTTileDecoderTests.place),
            pointCount: 2, expansionZoom: 13)
        let one = try MVTTileDecoder.decode(try MVTTileDecoderTests.encoded([.cluster(coincident)]), at: address)
        let found = try #require(one.markers[0].cluster)
        #expect(found.isCoincident && found.boundingBox == BoundingBox(found.coordinate))
    }

    @Test func `rules say which text of clusters is JSON and which property is the id`() throws {
        let properties: [String: PropertyValue] = ["kinds": #"{"a":1}"#, "bbox": "[1,2,3,4]", "note": "[]"]
        let place = MVTTileDecoderTests.place
        let bytes = try MVTTileDecoderTests.encoded([
            .point(Feature(id: "x", coordinate: place, properties: properties)),
            .cluster(
                Cluster(
                    id: 7, coordinate: place, boundingBox: .world, pointCount: 2, expansionZoom: nil,
                    properties: properties)),
        ])
        let address = try MVTTileDecoderTests.tile()
        func json(_ rules: MVTTranscript.Rules) throws -> String {
            String(decoding: try MVTTileDecoder.transcript(of: bytes, at: address, rules).json, as: UTF8.self)
        }
        let texts = #""bbox":"[1,2,3,4]","kinds":"{\"a\":1}","note":"[]"}"#
        let plain = try json(.none)
        #expect(plain.contains(#""properties":{"id":"x",\#(texts)"#))
        #expect(plain.contains(#""point_count_abbreviated":"2",\#(texts)"#))
        let ruled = try json(.init(idProperty: "id", nestedProperties: ["kinds"]))
        #expect(ruled.contains(#"{"type":"Feature","id":"x","geometry""#))
        #expect(ruled.contains(#""properties":{\#(texts)"#))
        #expect(ruled.contains(#""point_count_abbreviated":"2","bbox":"[1,2,3,4]","kinds":{"a":1},"note":"[]"}"#))
    }

    @Test func `nested text that is no JSON is refused`() throws {
        let cluster = Cluster(
            id: 7, coordinate: MVTTileDecoderTests.place, boundingBox: .world, pointCount: 2, expansionZoom: nil,
            properties: ["kinds": #"{"a":1}}"#])
        let bytes = try MVTTileDecoderTests.encoded([.cluster(cluster)])
        #expect(throws: TileDecodingError.self) {
            try MVTTileDecoder.transcript(
                of: bytes, at: try MVTTileDecoderTests.tile(), .init(nestedProperties: ["kinds"]))
        }
    }

    @Test func `bytes that end too early are an error, wherever they end`() throws {
        let bytes = try MVTTileDecoderTests.encoded()
        for count in 0..<bytes.count {
            #expect(throws: TileDecodingError.self) {
                try MVTTileDecoder.decode(Array(bytes.prefix(count)), at: try MVTTileDecoderTests.tile())
            }
        }
        #expect(throws: TileDecodingError.self) {
            try MVTTileDecoder.decode(bytes + [0], at: try MVTTileDecoderTests.tile())
        }
    }

    @Test func `no damage is more than an error`() throws {
        let bytes = try MVTTileDecoderTests.encoded()
        let address = try MVTTileDecoderTests.tile()
        var random = SeededRandom(seed: 8)
        var errors = 0
        for _ in 0..<3_000 {
            var damaged = bytes
            for _ in 0...random.next(below: 3) {
                damaged[random.next(below: damaged.count)] = UInt8(random.next(below: 256))
            }
            do throws(TileDecodingError) { _ = try MVTTileDecoder.decode(damaged, at: address) } catch { errors += 1 }
        }
        #expect(errors > 1_500)
    }

    /// A layer of parts.
    private static func tile(_ parts: [UInt8]..., end: [UInt8] = [0x28, 0x80, 0x40]) -> [UInt8] {
        let layer = [0x78, 2, 0x0a, 6] + Array("points".utf8) + parts.flatMap { $0 } + end
        return [0x1a, UInt8(layer.count)] + layer
    }

    private static let key: [UInt8] = [0x1a, 1, 0x61]
    private static let value: [UInt8] = [0x22, 2, 0x28, 2]

    @Test(
        arguments: [
            ([0x12, 9, 0x12, 2, 0, 0, 0x18, 1, 0x22, 1, 9], "at most 64 bits"),
            ([0x12, 9, 0x12, 2, 0, 0, 0x18, 2, 0x22, 1, 9], "a point"),
            ([0x12, 11, 0x12, 2, 1, 0, 0x18, 1, 0x22, 3, 9, 2, 2], "one of 1 keys and one of 1 values"),
            ([0x12, 11, 0x12, 2, 0, 1, 0x18, 1, 0x22, 3, 9, 2, 2], "one of 1 keys and one of 1 values"),
            ([0x12, 10, 0x12, 1, 0, 0x18, 1, 0x22, 3, 9, 2, 2], "pairs of tags"),
            ([0x12, 7, 0x18, 1, 0x22, 3, 9, 1, 2], "one place in the tile"),
            ([0x12, 9, 0x18, 1, 0x22, 5, 9, 0x80, 0x80, 1, 2], "one place in the tile"),
            ([0x12, 9, 0x18, 1, 0x22, 5, 17, 2, 2, 2, 2], "a command that moves to one place"),
            ([0x12, 2, 0x18, 1], "a feature with type and geometry"),
            ([0x12, 11, 0x12, 2, 0, 0, 0x18, 1, 0x22, 3, 9, 2, 2, 0x28, 0x80, 0x40], "each once"),
            ([0x22, 9, 0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f], "a number of JSON"),
            ([0x22, 2, 0x38, 2], "true or false"),
            ([0x22, 3, 0x0a, 1, 0xff], "valid UTF-8"),
            ([0x22, 4, 0x28, 1, 0x28, 1], "the end of a value"),
            ([0x1a, 1, 0xff], "valid UTF-8"),
            ([0x12, 13, 0x12, 4, 0, 0, 0, 0, 0x18, 1, 0x22, 3, 9, 2, 2], "a key that is not repeated"),
            ([0x22, 11, 0x28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], "at most 64 bits"),
        ] as [([UInt8], String)])
    func `what no tile of ours has is refused`(part: [UInt8], expected: String) throws {
        let bytes = MVTTileDecoderTests.tile(MVTTileDecoderTests.key, MVTTileDecoderTests.value, part)
        let error = #expect(throws: TileDecodingError.self) {
            try MVTTileDecoder.decode(bytes, at: try MVTTileDecoderTests.tile())
        }
        #expect(error?.expected.contains(expected) ?? false, "\(String(describing: error))")
    }

    @Test func `the parts of a layer can come in any order`() throws {
        let feature: [UInt8] = [0x12, 11, 0x22, 3, 9, 2, 4, 0x18, 1, 0x12, 2, 0, 0]
        let bytes = MVTTileDecoderTests.tile(feature, MVTTileDecoderTests.value, MVTTileDecoderTests.key)
        let tile = try MVTTileDecoder.decode(bytes, at: try MVTTileDecoderTests.tile())
        #expect(tile.markers.first?.point?.properties == ["a": 2])
    }

    @Test(arguments: [[0x0a, 0], [0x1a, 0], [0x1a, 2, 0x78, 1], [0x1a, 3, 0x28, 0x80, 0x20]] as [[UInt8]])
    func `another layer is refused`(bytes: [UInt8]) throws {
        #expect(throws: TileDecodingError.self) {
            try MVTTileDecoder.decode(bytes, at: try MVTTileDecoderTests.tile())
        }
    }

    @Test func `a property named id stays one unless it is said to hold ids`() throws {
        let point = Feature(id: 7.5, coordinate: MVTTileDecoderTests.place)
        let bytes = try MVTTileDecoderTests.encoded([.point(point)])
        let tile = try MVTTileDecoder.decode(bytes, at: try MVTTileDecoderTests.tile())
        let found = try #require(tile.markers.first?.point)
        #expect(found.id == nil && found.properties == ["id": 7.5])
    }

    @Test func `a fault shows its byte as a number`() throws {
        let error = #expect(throws: TileDecodingError.self) {
            try MVTTileDecoder.decode([0x1a, 2, 0x78, 1], at: try MVTTileDecoderTests.tile())
        }
        #expect(error?.description == "byte 2 is 0x78, expected version 2")
    }

    @Test func `the start of a tile is known again`() throws {
        let isStart = { MVT.isStart($0, layer: "points") }
        #expect(isStart(try MVTTileDecoderTests.encoded()))
        #expect(isStart(Array(try MVTTileDecoderTests.encoded().prefix(5))))
        #expect(!isStart([0x1a, 5, 0x78, 1]) && !isStart([]) && !isStart(Array("{".utf8)))
        let other = try MVTTileDecoderTests.encoded([], layer: "shops")
        #expect(MVT.isStart(other, layer: "shops") && !isStart(other))
    }
}
