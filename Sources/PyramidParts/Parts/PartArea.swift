import PyramidInput
import PyramidTiles

/// The rows that a part of the world needs: its own, which it counts, and the rows in a halo around it, which can
/// affect its markers.
struct PartArea: RowSelection {
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
        let (x, y, halo) = (tile.xUnits, tile.yUnits, min(haloUnits, 1 << 32))
        self.haloUnits = halo
        west = UInt32(truncatingIfNeeded: x.lowerBound &- halo)
        width = UInt64(x.count) + 2 * halo
        rows = (y.lowerBound > halo ? y.lowerBound - halo : 0)..<y.upperBound + halo
    }

    /// Whether this part counts rows without a place: only the part at the north-western corner does.
    var countsRowsWithoutPlace: Bool { tile.x == 0 && tile.y == 0 }

    /// Rows in the halo are read, but not counted.
    func use(of point: WorldPoint) -> RowUse {
        if tile.contains(point) { return .counted }
        return UInt64(point.x &- west) < width && rows.contains(UInt64(point.y)) ? .uncounted : .leftOut
    }

    /// How much of a tile lies in the part or its halo.
    enum Overlap {
        case none, partial, whole
    }

    func overlap(with other: TileCoordinate) -> Overlap {
        let (columns, y) = (other.xUnits, other.yUnits)
        guard y.overlaps(rows) else { return .none }
        let isInside = y.clamped(to: rows) == y
        let start = UInt64(UInt32(columns.lowerBound) &- west)
        let end = start + UInt64(columns.count)
        if width >= 1 << 32 || end <= width { return isInside ? .whole : .partial }
        return start >= width && end <= 1 << 32 ? .none : .partial
    }

    /// Calls `body` with ranges of `nodes`, ascending: the cells that overlap the part or its halo.
    /// O(cells along the border × log n)
    /// - Parameters:
    ///   - nodes: of cells, ascending.
    ///   - zoom: the cells', not lower than the tile's.
    func forEachRange<Failure: Error>(
        of nodes: [UInt64], atZoom zoom: Int, _ body: (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        func visit(_ cells: Range<Int>, _ node: UInt64, depth: Int) throws(Failure) {
            guard !cells.isEmpty else { return }
            switch overlap(with: TileCoordinate(node: node, atZoom: depth)) {
            case .none: return
            case .partial where depth < zoom:
                var start = cells.lowerBound
                for child in (node << 2)...(node << 2 | 3) {
                    let end = nodes[start..<cells.upperBound].partitioningIndex {
                        $0 >> UInt64(2 * (zoom - depth - 1)) > child
                    }
                    try visit(start..<end, child, depth: depth + 1)
                    start = end
                }
            case .partial, .whole: try body(cells)
            }
        }
        try visit(nodes.indices, 0, depth: 0)
    }

    /// The cell of ``digestZoom`` in which a row is summed up; `nil` if it can't be in any part's halo.
    /// - Parameter point: in the part or its halo.
    func digestNode(of point: WorldPoint) -> UInt64? {
        guard let digestZoom else { return nil }
        func isInside(_ place: UInt32, _ units: Range<UInt64>) -> Bool {
            UInt64(place) >= units.lowerBound + haloUnits && UInt64(place) + haloUnits < units.upperBound
        }
        if isInside(point.x, tile.xUnits), isInside(point.y, tile.yUnits) { return nil }
        return MortonCode(point).node(atDepth: digestZoom)
    }

    func use(of coordinate: Coordinate) -> RowUse { use(of: WebMercator.project(coordinate)) }
}

/// The places in the tile, in world units.
extension TileCoordinate {
    fileprivate var xUnits: Range<UInt64> { units(UInt64(x)) }
    fileprivate var yUnits: Range<UInt64> { units(UInt64(y)) }

    private func units(_ index: UInt64) -> Range<UInt64> {
        index << UInt64(32 - z)..<(index + 1) << UInt64(32 - z)
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
}
