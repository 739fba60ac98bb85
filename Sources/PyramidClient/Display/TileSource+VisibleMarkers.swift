import PyramidTiles

extension TileSource {
    /// The markers of a zoom level whose places are in a box: what a map shows there.
    ///
    /// A marker whose place is just outside may reach into the view with its circle, so give a box that is wider than the
    /// view by a marker's radius.
    /// - Parameters:
    ///   - box: in degrees; `west` is greater than `east` where it crosses the antimeridian.
    ///   - zoom: one of the pyramid's zoom levels; of a map's zoom the whole part.
    /// - Returns: in the order of their tiles, from west to east and from north to south.
    public func visibleMarkers(in box: BoundingBox, zoom: Int) throws -> [Marker] {
        try TileCoordinate.covering(box, atZoom: zoom).flatMap { coordinate in
            try tile(at: coordinate)?.markers(in: box) ?? []
        }
    }
}

extension Tile {
    /// The markers whose places are in a box.
    public func markers(in box: BoundingBox) -> [Marker] {
        markers.filter { box.contains($0.coordinate) }
    }
}
