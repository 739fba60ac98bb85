import PyramidTiles

extension TileSource {
    /// The markers of a zoom level that lie in a box: what a map shows there.
    ///
    /// A marker just outside the view may reach into it with its circle, so pass a box that is wider than the view by a
    /// marker's radius.
    /// - Parameters:
    ///   - box: in degrees; `west` is greater than `east` if it crosses the antimeridian.
    ///   - zoom: one of the tileset's zoom levels; for a fractional map zoom, its whole part.
    /// - Returns: in the order of their tiles, from west to east and from north to south.
    public func visibleMarkers(in box: BoundingBox, zoom: Int) throws -> [Marker] {
        try TileCoordinate.covering(box, atZoom: zoom).flatMap { coordinate in
            try tile(at: coordinate)?.markers(in: box) ?? []
        }
    }
}

extension Tile {
    /// The markers that lie in a box.
    public func markers(in box: BoundingBox) -> [Marker] {
        markers.filter { box.contains($0.coordinate) }
    }
}
