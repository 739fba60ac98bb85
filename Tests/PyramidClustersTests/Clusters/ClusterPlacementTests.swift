import Foundation
import PyramidBuild
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters
@testable import PyramidInput

/// Where clusters are shown, against sums over their members.
@Suite struct ClusterPlacementTests {
    @Test(arguments: PointScatter.Shape.allCases)
    func `a mean is rounded to the nearest unit, halves to the east and south`(shape: PointScatter.Shape) {
        forEachCluster(shape, ClusteringOptions(position: .centroid, maxZoom: 12)) { cluster in
            let (east, south) = cluster.meanOffset
            #expect(cluster.roundedOffset.map { Double($0.east) } == (east + 0.5).rounded(.down))
            #expect(cluster.roundedOffset.map { Double($0.south) } == (south + 0.5).rounded(.down))
        }
    }

    @Test(arguments: PointScatter.Shape.allCases)
    func `a lonely cluster's centroid is the mean of its members`(shape: PointScatter.Shape) {
        let options = ClusteringOptions(position: .centroid, maxZoom: 12)
        var lonelyCount = 0
        forEachCluster(shape, options) { cluster in
            let distance = Double(options.distanceUnits(atZoom: cluster.zoom))
            guard cluster.distanceToNearestAnchor > 3 * distance else { return }
            let (east, south) = cluster.meanOffset
            let length = hypot(east, south)
            let anchor = WebMercator.project(cluster.anchorCoordinate)
            let rounding = WebMercator.roundingUnits(atLatitude: 86) + 2
            guard length + rounding < distance, Double(anchor.y) + south < 0x1p32 - 1 else { return }
            let shown = WebMercator.project(cluster.coordinate)
            #expect(abs(Double(shown.eastward(from: anchor)) - east) <= rounding)
            #expect(abs(Double(shown.southward(from: anchor)) - south) <= rounding)
            lonelyCount += 1
        }
        #expect(lonelyCount > 0)
    }

    private struct PlacedCluster {
        let zoom: Int
        let members: [WorldPoint]
        let anchor: WorldPoint
        let coordinate: Coordinate
        let distanceToNearestAnchor: Double
        /// From the anchor to the mean, as the table has it; `nil` if means are not needed.
        let roundedOffset: (east: Int64, south: Int64)?

        var anchorCoordinate: Coordinate { WebMercator.unproject(anchor) }

        var meanOffset: (east: Double, south: Double) {
            let count = Double(members.count)
            return (
                members.reduce(0) { $0 + Double($1.eastward(from: anchor)) } / count,
                members.reduce(0) { $0 + Double($1.southward(from: anchor)) } / count
            )
        }
    }

    /// Clusters of random points at all zooms; at least one, or there is nothing to see.
    private func forEachCluster(
        _ shape: PointScatter.Shape, _ options: ClusteringOptions, _ body: (PlacedCluster) -> Void
    ) {
        var random = SeededRandom(seed: 6)
        var count = 0
        for number in 0..<12 {
            // Places that a coordinate can name; in half of the cases, one at the north-western corner of the map.
            let corner = number % 2 == 0 ? [] : [WorldPoint(x: 0, y: 0)]
            let scattered = (PointScatter.points(shape, count: 60, random: &random) + corner)
                .map { WebMercator.project(WebMercator.unproject($0)) }
            let (quadtree, _) = LinearQuadtree.sorting(
                count: scattered.count, worldPoint: { scattered[$0] }, precedes: { $0 < $1 })
            guard let hierarchy = ClusteringRules(options).hierarchy(of: quadtree) else { continue }
            let clusters = ClusterPyramid(
                of: hierarchy, in: quadtree, rules: ClusteringRules(options), hasMembers: true,
                coordinates: PointCoordinates(of: quadtree))
            var descent = ClusterDescent(
                of: clusters, hierarchy, in: quadtree, rules: ClusteringRules(options), hasRoots: true)
            for zoom in options.clusteredZooms {
                descent.descend()
                let markers = ArrangedMarkers(of: descent)
                for index in 0..<markers.count where markers.numbers[index].isCluster {
                    count += 1
                    let entry = clusters.entry(markers.numbers[index])
                    let anchor = quadtree.point(at: Int(entry.anchorPoint))
                    let members = (0..<hierarchy.candidateCount)
                        .filter { descent.root(of: $0) == Int(entry.candidate) }
                        .flatMap { hierarchy.points(of: $0).map { quadtree.point(at: $0) } }
                    let nearest = descent.anchors.filter { $0 != entry.candidate }.map { other in
                        let place = quadtree.point(at: Int(hierarchy.anchorPoint[Int(other)]))
                        return hypot(Double(place.eastward(from: anchor)), Double(place.southward(from: anchor)))
                    }.min()
                    body(
                        PlacedCluster(
                            zoom: zoom, members: members, anchor: anchor,
                            coordinate: markers.coordinate(of: index) ?? WebMercator.unproject(anchor),
                            distanceToNearestAnchor: nearest ?? .infinity,
                            roundedOffset: ClusteringRules(options).needsMeans
                                ? clusters.table.meanOffset(of: markers.numbers[index].index) : nil))
                }
            }
        }
        #expect(count > 20)
    }
}
