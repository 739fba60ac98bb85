import PyramidClient
import PyramidTiles
import TestSupport
import Testing

@Suite(.tags(.threads)) struct TileSourceTests {
    /// Points in memory, cut into tiles.
    private struct PointSource: TileSource {
        let zoom: Int
        let tiles: [TileCoordinate: [Marker]]

        init(_ coordinates: [Coordinate], zoom: Int) {
            self.zoom = zoom
            tiles = Dictionary(grouping: coordinates.map { Marker.point(Feature(coordinate: $0)) }) {
                TileCoordinate(containing: WebMercator.project($0.coordinate), atZoom: zoom)
            }
        }

        func tile(at coordinate: TileCoordinate) throws -> Tile? {
            #expect(coordinate.z == zoom)
            return tiles[coordinate].map { Tile(coordinate: coordinate, markers: $0) }
        }
    }

    @Test(arguments: [
        (-30, 20, -10, 62), (150, -170, -60, 60), (-180, 180, -85, 85), (100, 180, 0, 30), (20, 10, -5, 5),
    ])
    func `the markers of a box are those whose places are in it`(
        west: Int32, east: Int32, south: Int32, north: Int32
    ) throws {
        var random = SeededRandom(seed: 71)
        var coordinates = (0..<3000).map { _ in
            Coordinate(
                longitudeMicrodegrees: .random(in: -180_000_000..<180_000_000, using: &random),
                latitudeMicrodegrees: .random(in: -89_000_000...89_000_000, using: &random))
        }
        coordinates += [-180, -30, 20, 100].map { Coordinate(longitude: $0, latitude: 3) }
        let box = BoundingBox(
            west: west * 1_000_000, south: south * 1_000_000, east: east * 1_000_000, north: north * 1_000_000)
        let inside = coordinates.filter {
            let (longitude, latitude) = ($0.longitude, $0.latitude)
            let isBetween =
                west < east
                ? longitude >= Double(west) && (longitude <= Double(east) || (east == 180 && longitude == -180))
                : longitude >= Double(west) || longitude <= Double(east)
            return (isBetween || (east == 180 && longitude == -180)) && latitude >= Double(south)
                && latitude <= Double(north)
        }
        for zoom in [0, 3, 6] {
            let visible = try PointSource(coordinates, zoom: zoom).visibleMarkers(in: box, zoom: zoom)
            #expect(visible.count == inside.count)
            #expect(Set(visible.map(\.coordinate)) == Set(inside))
        }
    }
}

extension TileSource {
    /// What `RemoteTiles.visibleMarkers(in:zoom:)` finds in the same files.
    func visibleMarkers(in box: BoundingBox, zoom: Int) throws -> [Marker] {
        try TileCoordinate.covering(box, atZoom: zoom).flatMap { coordinate in
            try tile(at: coordinate)?.markers.filter { box.contains($0.coordinate) } ?? []
        }
    }
}
