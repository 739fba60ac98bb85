import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidTiles

/// The boxes of clusters against the points that they list.
@Suite struct ClusterBoxTests {
    @Test(arguments: [(-180_000_000, 359_999_999), (-100_000_000, 270_000_000), (95_000_000, 170_000_000)])
    func `a box holds its points, and is no wider than from the least to the greatest longitude`(
        sector: (west: Int, width: Int)
    ) throws {
        var random = SeededRandom(seed: UInt64(sector.width))
        let middle = (0..<400).map { _ in random.next(below: sector.width) }
        let points = ([0, sector.width] + middle).map { east in
            let longitude = (sector.west + east + 180_000_000) % 360_000_000 - 180_000_000
            return Coordinate(
                longitudeMicrodegrees: Int32(longitude), latitudeMicrodegrees: Int32(random.next(below: 90_000_000)))
        }
        let rows = points.enumerated().map { "\($0),\($1.longitude),\($1.latitude)\n" }
        let pyramid = try BuiltPyramid(
            csv: "id,lon,lat\n" + rows.joined(), clustering: ClusteringOptions(clusterDistance: 256, maxZoom: 3),
            clusters: ClusterContentOptions(memberLimit: 10_000), input: InputOptions(idColumn: "id"))
        for zoom in 0..<3 {
            for cluster in try pyramid.clusters(atZoom: zoom) {
                guard case .array(let members)? = cluster.properties["members"] else { throw NoMembers() }
                let own = members.compactMap { if case .number(let id) = $0 { points[Int(id)] } else { nil } }
                try #require(own.count == cluster.pointCount)
                #expect(own.allSatisfy { cluster.boundingBox.contains($0) })
                let longitudes = own.map { Int64($0.longitudeMicrodegrees) }
                let width = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
                #expect(cluster.boundingBox.width <= width, "\(cluster.boundingBox) at zoom \(zoom)")
            }
        }
    }

    private struct NoMembers: Error {}
}
