import Testing

@testable import PyramidTiles
@testable import PyramidVerification

struct AbbreviatedCountTests {
    @Test(arguments: [
        (2, "2"), (999, "999"), (1_000, "\"1k\""), (1_049, "\"1k\""), (1_050, "\"1.1k\""), (1_234, "\"1.2k\""),
        (9_949, "\"9.9k\""), (9_950, "\"10k\""), (12_499, "\"12k\""), (12_500, "\"13k\""), (999_499, "\"999k\""),
        (999_500, "\"1M\""), (1_234_567, "\"1.2M\""), (9_950_000, "\"10M\""), (123_456_789_012, "\"123457M\""),
    ])
    func `counts are abbreviated by rounding halves up`(count: Int, json: String) {
        #expect(AbbreviatedCount.json(of: count) == json)
    }

    @Test func `the encoder writes the same`() {
        var counts = Array(2...20_000)
        for power in stride(from: 1_000, through: 1 << 52, by: 997_331_000_127) { counts.append(power) }
        for digit in 1...99 { counts += [digit * 10_000 - 1, digit * 10_000, digit * 10_500, digit * 105_000 - 1] }
        for count in counts {
            let cluster = Cluster(
                id: 1, coordinate: Coordinate(longitude: 1, latitude: 2),
                boundingBox: BoundingBox(west: 0, south: 0, east: 0, north: 0), pointCount: count, expansionZoom: 3)
            let body = String(decoding: [Marker.cluster(cluster)].encodedTile(), as: UTF8.self)
            #expect(body.contains("\"point_count_abbreviated\":\(AbbreviatedCount.json(of: count)),"))
        }
    }
}
