import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

extension PyramidFixture {
    /// What the verifier finds, whether it looks at the whole map at once or at regions.
    func findings(jobs: Int = 2) throws -> [Finding] {
        try withDirectory { try PyramidVerifier(tileset: $0, jobs: jobs).checkedReport().findings }
    }

    /// The kinds of what the verifier finds.
    func kinds() throws -> Set<Finding.Kind> { Set(try findings().map(\.kind)) }

    /// A tile with several markers.
    func crowdedTile(atZoom zoom: Int) throws -> TileCoordinate {
        let tiles = Dictionary(grouping: zooms[zoom] ?? []) { tile(of: $0, zoom) }
        return try #require(tiles.filter { $0.value.count > 2 }.keys.min())
    }

    /// The marker at this index of a zoom, which must be a point.
    func point(_ zoom: Int, _ index: Int) throws -> Feature {
        try #require(zooms[zoom]?[index].point)
    }

    /// Replaces a cluster; points are left alone.
    mutating func edit(_ zoom: Int, _ index: Int, _ change: (Cluster) -> Cluster) {
        guard let cluster = zooms[zoom]?[index].cluster else { return }
        zooms[zoom]?[index] = .cluster(change(cluster))
    }
}

extension Feature {
    func with(id: PropertyValue) -> Feature { Feature(id: id, coordinate: coordinate, properties: properties) }
}
