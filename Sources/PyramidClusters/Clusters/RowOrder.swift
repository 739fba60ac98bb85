import PyramidTiles

/// Orders places by rows of cells from north to south, and from west to east in each row.
///
/// A place's key is its position in this order. From the highest bit down it holds the row, the x, and the distance
/// from the top of the row. In a list of ascending keys, the places of a row between two meridians are contiguous.
struct RowOrder: Sendable {
    /// The depth of the cells in the quadtree, in 0 ... 31. A row is as high as a cell.
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

    /// The difference between the keys of a place and of the place one row further south.
    @inline(__always)
    var rowStep: UInt64 { (1 &<< 32) &<< rowShift }

    var lastRow: UInt64 { (1 &<< UInt64(depth)) - 1 }

    func point(_ key: UInt64) -> WorldPoint { WorldPoint(x: x(key), y: y(key)) }

    @inline(__always)
    func firstKey(inRow row: UInt64, x: UInt64) -> UInt64 { (row << 32 | x) &<< rowShift }

    @inline(__always)
    func lastKey(inRow row: UInt64, x: UInt64) -> UInt64 { firstKey(inRow: row, x: x) | lowestBits }

    /// The cell that holds a place: its row in the upper half, its column in the lower half.
    func cell(_ key: UInt64) -> UInt64 { row(key) << 32 | UInt64(x(key)) &>> rowShift }

    /// The lowest two bits of a cell's quadtree code; neighbouring cells always differ in them.
    func colour(ofCell cell: UInt64) -> UInt64 { (cell >> 32 & 1) << 1 | cell & 1 }

    /// The bits of a key that hold the distance from the top of the row.
    private var lowestBits: UInt64 { 1 &<< rowShift &- 1 }
}

extension Span<UInt64> {
    /// The index of the first key that is at least `key`; the keys are ascending. O(log n)
    package func firstIndex(notBelow key: UInt64) -> Int { (0..<count).partitioningIndex { self[$0] >= key } }
}
