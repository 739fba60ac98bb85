import PyramidTiles

/// An order of places by rows of cells from north to south, and in each row from west to east.
///
/// A place's key is its number in this order: from the highest bit down its row, its x, and how far south of the row's
/// upper edge it is. In a list of ascending keys the places between two meridians are one run in each row.
struct RowOrder: Sendable {
    /// Of the cells in the quadtree, in 0 ... 31. A row is as high as a cell.
    let depth: Int

    private var rowShift: UInt64 { UInt64(32 - depth) }

    @inline(__always)
    func key(_ point: WorldPoint) -> UInt64 {
        firstKey(inRow: UInt64(point.y) &>> rowShift, x: UInt64(point.x)) | UInt64(point.y) & lowestBits
    }

    @inline(__always)
    func x(_ key: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: key &>> rowShift) }

    @inline(__always)
    func y(_ key: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: row(key) &<< rowShift | key & lowestBits) }

    /// In 0 ... lastRow.
    @inline(__always)
    func row(_ key: UInt64) -> UInt64 { (key &>> 32) &>> rowShift }

    /// From a key to that of the place right below it in the next row.
    @inline(__always)
    var rowStep: UInt64 { (1 &<< 32) &<< rowShift }

    var lastRow: UInt64 { (1 &<< UInt64(depth)) - 1 }

    func point(_ key: UInt64) -> WorldPoint { WorldPoint(x: x(key), y: y(key)) }

    @inline(__always)
    func firstKey(inRow row: UInt64, x: UInt64) -> UInt64 { (row << 32 | x) &<< rowShift }

    @inline(__always)
    func lastKey(inRow row: UInt64, x: UInt64) -> UInt64 { firstKey(inRow: row, x: x) | lowestBits }

    /// The cell that holds a place, row in the upper and column in the lower half.
    func cell(_ key: UInt64) -> UInt64 { row(key) << 32 | UInt64(x(key)) &>> rowShift }

    /// The lowest two bits of a cell's quadtree code: no two neighbours have the same.
    func colour(ofCell cell: UInt64) -> UInt64 { (cell >> 32 & 1) << 1 | cell & 1 }

    /// Those of a key that are not of its row or its x.
    private var lowestBits: UInt64 { 1 &<< rowShift &- 1 }
}

extension Span<UInt64> {
    /// The first of ascending keys that is not below `key`. O(log n)
    func firstIndex(notBelow key: UInt64) -> Int { (0..<count).partitioningIndex { self[$0] >= key } }
}
