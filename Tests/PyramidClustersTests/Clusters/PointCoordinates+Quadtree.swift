import PyramidTiles

@testable import PyramidClusters
@testable import PyramidInput

extension PointCoordinates {
    /// Those that the points of a quadtree most likely came from.
    init(of quadtree: LinearQuadtree) {
        let all = (0..<quadtree.count).map { WebMercator.unproject(quadtree.point(at: $0)) }
        self.init(longitudes: all.map(\.longitudeMicrodegrees), latitudes: all.map(\.latitudeMicrodegrees))
    }
}
