import PyramidTiles

/// The rows that a part of the world needs: its own, which it counts, and the rows in a halo around it, which can
/// affect its markers.
struct PartArea: Sendable {
    /// Where a row's point lies in relation to the part.
    enum Place: Sendable {
        case own, halo, outside
    }

    let tile: TileCoordinate
    /// The zoom of the cells in which ``CellDigests`` sum up the rows near the border; `nil` if they don't.
    let digestZoom: Int?
    private let haloUnits: UInt64
    /// In world units, eastward from the halo's western edge, which may be across the antimeridian.
    private let west: UInt32
    private let width: UInt64
    private let rows: Range<UInt64>

    /// - Parameter haloUnits: the width of the halo, in world units.
    init(_ tile: TileCoordinate, haloUnits: UInt64, digestZoom: Int? = nil) {
        self.tile = tile
        self.digestZoom = digestZoom
        let side = UInt64(1) << UInt64(32 - tile.z)
        let (left, top) = (UInt64(tile.x) * side, UInt64(tile.y) * side)
        let halo = min(haloUnits, 1 << 32)
        self.haloUnits = halo
        west = UInt32(truncatingIfNeeded: left &- halo)
        width = side + 2 * halo
        rows = (top > halo ? top - halo : 0)..<top + side + halo
    }

    /// Whether this part counts rows without a place: only the part at the north-western corner does.
    var countsRowsWithoutPlace: Bool { tile.x == 0 && tile.y == 0 }

    func place(of point: WorldPoint) -> Place {
        if tile.contains(point) { return .own }
        return UInt64(point.x &- west) < width && rows.contains(UInt64(point.y)) ? .halo : .outside
    }

    /// How much of a square lies in the part or its halo.
    enum Overlap {
        case none, partial, whole
    }

    func overlap(with square: QuadtreeSquare) -> Overlap {
        let (x, y) = (UInt64(UInt32(truncatingIfNeeded: square.x) &- west), square.y..<square.y + square.side)
        guard y.overlaps(rows) else { return .none }
        let isInside = y.clamped(to: rows) == y
        if width >= 1 << 32 || x + square.side <= width { return isInside ? .whole : .partial }
        return x >= width && x + square.side <= 1 << 32 ? .none : .partial
    }

    /// The cell of ``digestZoom`` in which a row is summed up; `nil` if it can't be in any part's halo.
    /// - Parameter point: in the part or its halo.
    func digestNode(of point: WorldPoint) -> UInt64? {
        guard let digestZoom else { return nil }
        let side = UInt64(1) << UInt64(32 - tile.z)
        func isInside(_ place: UInt32, _ index: Int) -> Bool {
            let start = UInt64(index) * side
            return UInt64(place) >= start + haloUnits && UInt64(place) + haloUnits < start + side
        }
        if isInside(point.x, tile.x), isInside(point.y, tile.y) { return nil }
        return MortonCode(point).node(atDepth: digestZoom)
    }

    func place(of coordinate: Coordinate) -> Place { place(of: WebMercator.project(coordinate)) }
}

/// A square of the quadtree, in world units.
struct QuadtreeSquare {
    let x, y, side: UInt64

    init(node: UInt64, depth: Int) {
        side = 1 << UInt64(32 - depth)
        let point = MortonCode(rawValue: depth == 0 ? 0 : node << UInt64(64 - 2 * depth)).point
        (x, y) = (UInt64(point.x), UInt64(point.y))
    }
}

extension ClusteringOptions {
    /// How far from a part points can be and still affect its markers, in world units: to the east, west, north or
    /// south.
    ///
    /// A marker at a zoom depends on candidates within `4 s + 6 D`, where `s` is the width of a cell and `D` the
    /// cluster distance: two rounds of selection reach 4 D, the four colours 4 s (one cell each), a marker's members
    /// are within D, and so are the other markers near them. The candidates are the markers of the next higher zoom,
    /// and so on up to the highest clustered zoom, where they are micro-cells that must be complete.
    /// - Parameter cutZoom: the lowest zoom whose markers must be right; clustered.
    func haloUnits(cutZoom: Int) -> UInt64 {
        guard method == .anchors else { return gridHaloUnits(cutZoom: cutZoom) }
        // How far from the part the markers of a zoom, with all their members, must be right.
        var exact: UInt64 = 0
        for zoom in cutZoom...clusterMaxZoom {
            let (cell, distance) = (UInt64(1) << UInt64(32 - cellDepth(atZoom: zoom)), distanceUnits(atZoom: zoom))
            // A marker is shown up to D from its anchor; neighbours up to 3 D from the anchor decide where.
            let isMoved = position == .centroid
            let (shown, seen) = isMoved ? (distance, 4 * distance) : (0, 0)
            exact = 4 * cell + max(max(exact, shown) + 6 * distance, seen + 4 * distance)
        }
        return exact + UInt64(1) << UInt64(32 - candidateDepth)
    }

    /// The width of a part's halo, in world units: ``haloUnits(cutZoom:)``, rounded up to whole cells of
    /// ``digestZoom(cutZoom:)``.
    func partHaloUnits(cutZoom: Int) -> UInt64 {
        let cell = UInt64(1) << UInt64(32 - digestZoom(cutZoom: cutZoom))
        return (haloUnits(cutZoom: cutZoom) + cell - 1) / cell * cell
    }

    /// The zoom of cells that are 32 pixels wide at the cut zoom, of which a halo of 992 pixels has 31.
    func digestZoom(cutZoom: Int) -> Int { cutZoom + (tileSize / 32).trailingZeroBitCount }

    /// A cell lies entirely in one part. Only a mean can leave its cell, when it is rounded to a microdegree.
    private func gridHaloUnits(cutZoom: Int) -> UInt64 {
        position == .centroid ? UInt64(1) << UInt64(32 - cellDepth(atZoom: cutZoom)) : 0
    }
}
