import PyramidTiles

/// Which rows a part of the world needs: its own, which it counts, and those in a halo round it, whose points can change
/// what its own become.
struct PartArea: Sendable {
    /// Where a row's point is.
    enum Place: Sendable {
        case own, halo, outside
    }

    let tile: TileCoordinate
    /// In world units, from the western edge of the halo on, which may be beyond the antimeridian.
    private let west: UInt32
    private let width: UInt64
    private let rows: Range<UInt64>

    /// - Parameter haloUnits: how far the halo reaches, in world units.
    init(_ tile: TileCoordinate, haloUnits: UInt64) {
        self.tile = tile
        let side = UInt64(1) << UInt64(32 - tile.z)
        let (left, top) = (UInt64(tile.x) * side, UInt64(tile.y) * side)
        let halo = min(haloUnits, 1 << 32)
        west = UInt32(truncatingIfNeeded: left &- halo)
        width = side + 2 * halo
        rows = (top > halo ? top - halo : 0)..<top + side + halo
    }

    /// Whether the part counts the rows that are nowhere: one part does, that of the north western corner.
    var countsRowsWithoutPlace: Bool { tile.x == 0 && tile.y == 0 }

    func place(of point: WorldPoint) -> Place {
        if tile.contains(point) { return .own }
        return UInt64(point.x &- west) < width && rows.contains(UInt64(point.y)) ? .halo : .outside
    }

    func place(of coordinate: Coordinate) -> Place { place(of: WebMercator.project(coordinate)) }
}

extension ClusteringOptions {
    /// How far from a part points can be and still change its markers, in world units: east, west, north or south.
    ///
    /// A marker at a zoom depends on candidates within `4 s + 6 D`, where `s` is a cell and `D` the cluster distance: two
    /// rounds of selection reach 4 D, the four colours 4 s (each of them one cell), and the points that a marker takes in
    /// are within D, as are the other markers near them. The candidates are the markers of the zoom below, and so on down
    /// to the last clustered zoom, where they are small cells that must be whole.
    /// - Parameter cutZoom: the first zoom whose markers must be right; clustered.
    func haloUnits(cutZoom: Int) -> UInt64 {
        guard method == .anchors else { return gridHaloUnits(cutZoom: cutZoom) }
        // How far from the part the markers of a zoom must be right, with all that they have taken in.
        var exact: UInt64 = 0
        for zoom in cutZoom...clusterMaxZoom {
            let (cell, distance) = (UInt64(1) << UInt64(32 - cellDepth(atZoom: zoom)), distanceUnits(atZoom: zoom))
            // Shown up to D from its anchor, whose neighbours up to 3 D away decide where.
            let isMoved = position == .centroid
            let (shown, seen) = isMoved ? (distance, 4 * distance) : (0, 0)
            exact = 4 * cell + max(max(exact, shown) + 6 * distance, seen + 4 * distance)
        }
        return exact + UInt64(1) << UInt64(32 - candidateDepth)
    }

    /// Cells lie in one part as a whole. Only a mean that is rounded to a microdegree can leave its cell.
    private func gridHaloUnits(cutZoom: Int) -> UInt64 {
        position == .centroid ? UInt64(1) << UInt64(32 - cellDepth(atZoom: cutZoom)) : 0
    }
}
