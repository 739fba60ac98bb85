/// Finds which places of a list are near others that are asked for one after the other, in the order of rows.
///
/// Rows are at least as high as the distance, so the places near one are in three rows. In each of them the sweep keeps
/// the first place that is not too far west, and only ever moves on: but for the distance tests, all questions together
/// take one pass over the list.
struct NearSweep {
    private let order: RowOrder
    private let near: NearTest
    private var north: Int
    private var middle: Int
    private var south: Int

    /// - Parameters:
    ///   - first: the first key that is asked for.
    ///   - keys: of the list, ascending.
    init(from first: UInt64, in keys: Span<UInt64>, order: RowOrder, near: NearTest) {
        self.order = order
        self.near = near
        let row = order.row(first)
        let (west, _) = near.reach(of: order.x(first))
        north = row > 0 ? keys.firstIndex(notBelow: order.firstKey(inRow: row - 1, x: west)) : 0
        middle = keys.firstIndex(notBelow: order.firstKey(inRow: row, x: west))
        south = middle
    }

    /// Calls `body` with the index of every key near this one, and with the square of its distance, until it returns
    /// false.
    /// - Parameter key: not below those that were asked for before.
    @inline(__always)
    mutating func forEachNear(
        _ key: UInt64, in keys: Span<UInt64>, _ body: (_ index: Int, _ squaredDistance: UInt64) -> Bool
    ) {
        let row = order.row(key)
        guard visit(row, key, in: keys, &middle, body) else { return }
        guard row == 0 || visit(row - 1, key, in: keys, &north, body) else { return }
        guard row == order.lastRow || visit(row + 1, key, in: keys, &south, body) else { return }
        if near.reachesAcrossTheAntimeridian(order.x(key)) { visitAcrossTheAntimeridian(key, in: keys, body) }
    }

    /// - Returns: what `body` has returned last.
    @inline(__always)
    private func visit(
        _ row: UInt64, _ key: UInt64, in keys: Span<UInt64>, _ first: inout Int, _ body: (Int, UInt64) -> Bool
    ) -> Bool {
        let (x, y) = (order.x(key), order.y(key))
        let (west, east) = near.reach(of: x)
        let (start, last) = (order.firstKey(inRow: row, x: west), order.lastKey(inRow: row, x: east))
        while first < keys.count, keys[first] < start { first += 1 }
        var index = first
        while index < keys.count, keys[index] <= last {
            if let squaredDistance = near.squaredDistance(x, y, order.x(keys[index]), order.y(keys[index])),
                !body(index, squaredDistance)
            {
                return false
            }
            index += 1
        }
        return true
    }

    @inline(never)
    private func visitAcrossTheAntimeridian(_ key: UInt64, in keys: Span<UInt64>, _ body: (Int, UInt64) -> Bool) {
        let (x, y, row) = (order.x(key), order.y(key), order.row(key))
        for row in (row > 0 ? row - 1 : 0)...min(row + 1, order.lastRow) {
            for columns in near.reachAcrossTheAntimeridian(of: x) {
                var index = keys.firstIndex(notBelow: order.firstKey(inRow: row, x: columns.lowerBound))
                let last = order.lastKey(inRow: row, x: columns.upperBound)
                while index < keys.count, keys[index] <= last {
                    if let squaredDistance = near.squaredDistance(x, y, order.x(keys[index]), order.y(keys[index])),
                        !body(index, squaredDistance)
                    {
                        return
                    }
                    index += 1
                }
            }
        }
    }
}
