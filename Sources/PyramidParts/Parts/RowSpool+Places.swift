import PyramidInput
import PyramidTiles

/// Rows by place.
extension RowSpool {
    /// The rows of a part and its halo; with starts in the copies, if there are any.
    func rows(in area: PartArea) -> AcceptedRows {
        var found = AcceptedRows()
        func add(_ row: Int) {
            guard !dropped.contains(row) else { return }
            found.append(
                start: Int(copies?.start(ofRow: row) ?? self[row].start), longitude: self[row].longitude,
                latitude: self[row].latitude)
        }
        func visit(_ node: UInt64, depth: Int, _ ranges: [Range<Int>]) {
            guard ranges.contains(where: { !$0.isEmpty }) else { return }
            switch area.overlap(with: TileCoordinate(node: node, atZoom: depth)) {
            case .none: return
            case .whole: for row in ranges.joined() { add(row) }
            case .partial where depth >= RowSpool.finestDepth || ranges.reduce(0) { $0 + $1.count } <= RowSpool.fewRows:
                for row in ranges.joined() {
                    let place = Coordinate(
                        longitudeMicrodegrees: self[row].longitude, latitudeMicrodegrees: self[row].latitude)
                    if area.use(of: place) != .leftOut { add(row) }
                }
            case .partial:
                for (child, ranges) in children(of: node, depth, ranges) { visit(child, depth: depth + 1, ranges) }
            }
        }
        visit(0, depth: 0, runs.map(\.rows))
        releasePages()
        return found
    }

    /// Up to this many rows are compared with an area one by one.
    private static let fewRows = 64
    private static let finestDepth = 20

    /// The non-empty children of a node, with their ranges in each run.
    private func children(of node: UInt64, _ depth: Int, _ ranges: [Range<Int>]) -> [(UInt64, [Range<Int>])] {
        var rest = ranges
        var children: [(UInt64, [Range<Int>])] = []
        for child in (node << 2)...(node << 2 | 3) {
            let ofChild = rest.map { range in
                range
                    .lowerBound..<range.partitioningIndex {
                        MortonCode(rawValue: self[$0].code).node(atDepth: depth + 1) > child
                    }
            }
            for index in rest.indices { rest[index] = ofChild[index].upperBound..<rest[index].upperBound }
            if ofChild.contains(where: { !$0.isEmpty }) { children.append((child, ofChild)) }
        }
        return children
    }

    /// The number of rows in each tile of a zoom.
    func cells(atZoom zoom: Int) -> CellCounts {
        var cells = CellCounts(zoom: zoom)
        guard zoom > RowSpool.countedZoom else {
            for (node, count) in counts.enumerated() where count > 0 {
                cells.counts[UInt64(node) >> UInt64(2 * (RowSpool.countedZoom - zoom)), default: 0] += Int(count)
            }
            return cells
        }
        func visit(_ node: UInt64, depth: Int, _ ranges: [Range<Int>]) {
            guard depth < zoom else {
                cells.counts[node] = ranges.reduce(0) { sum, range in
                    sum + (dropped.isEmpty ? range.count : range.count { !dropped.contains($0) })
                }
                return
            }
            for (child, ranges) in children(of: node, depth, ranges) { visit(child, depth: depth + 1, ranges) }
        }
        visit(0, depth: 0, runs.map(\.rows))
        releasePages()
        return cells
    }

    /// The number of tiles of a zoom that have rows, or any number above the limit.
    func occupiedCells(atZoom zoom: Int, limit: Int) -> Int {
        let depth = min(zoom, RowSpool.countedZoom)
        var last: UInt64?
        var count = 0
        for (node, rows) in counts.enumerated() where rows > 0 {
            let ancestor = UInt64(node) >> UInt64(2 * (RowSpool.countedZoom - depth))
            if ancestor != last { count += 1 }
            last = ancestor
        }
        guard zoom > depth, count <= limit else { return count }
        count = 0
        func visit(_ node: UInt64, depth: Int, _ ranges: [Range<Int>]) {
            guard count <= limit else { return }
            guard depth < zoom, ranges.reduce(0, { $0 + $1.count }) > 1 else {
                count += 1
                return
            }
            for (child, ranges) in children(of: node, depth, ranges) { visit(child, depth: depth + 1, ranges) }
        }
        visit(0, depth: 0, runs.map(\.rows))
        releasePages()
        return count
    }
}
