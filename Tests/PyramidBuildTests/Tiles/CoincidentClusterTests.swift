import PyramidTiles
import Testing

@testable import PyramidBuild

@Suite struct CoincidentClusterTests {
    @Test func `only a cluster of one coordinate is coincident`() throws {
        let pyramid = try BuiltPyramid(
            csv: "lat,lon\n-18.5,179.5\n-18.5,179.5\n40.25,-3.5\n40.250001,-3.5\n",
            clustering: ClusteringOptions(maxZoom: 4))
        let clusters = try pyramid.markers(atZoom: 3).compactMap { _, marker in
            if case .cluster(let cluster) = marker { cluster } else { nil }
        }
        #expect(clusters.map(\.isCoincident).sorted { $1 } == [false, true])
        #expect(clusters.first { $0.isCoincident }?.coordinate == Coordinate(longitude: 179.5, latitude: -18.5))
        #expect(clusters.allSatisfy { $0.expansionZoom == 4 })
    }
}
