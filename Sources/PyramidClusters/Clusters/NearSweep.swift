import PyramidTiles

/// Finds the places of a list that are near given places, which come one by one in the order of rows.
///
/// Rows are at least as high as the distance, so the neighbours of a place are in three rows. The sweep only moves
/// forward in each of them: apart from the distance tests, all searches together take one pass over the list.
struct NearSweep {
    private let order: RowOrder
    private let near: NearTest
    private var north: NearWindow
    private var middle: NearWindow
    private var south: NearWindow

    /// - Parameters:
    ///   - first: the key of the first search.
    ///   - keys: of the list, ascending.
    init(from first: UInt64, in keys: Span<UInt64>, order: RowOrder, near: NearTest) {
        self.order = order
        self.near = near
        let row = order.row(first)
        let start = order.firstKey(inRow: row, x: near.reach(of: order.x(first)).west)
        north = NearWindow(keys, from: row > 0 ? start - order.rowStep : 0)
        middle = NearWindow(keys, from: start)
        south = NearWindow(keys, from: row < order.lastRow ? start + order.rowStep : .max)
    }

    /// Calls `body` with the index and the squared distance of every place near `key`, until it returns false.
    /// - Parameter key: at least the key of the call before.
    @inline(__always)
    mutating func forEachNear(
        _ key: UInt64, in keys: Span<UInt64>, _ body: (_ index: Int, _ squaredDistance: UInt64) -> Bool
    ) {
        let (row, place, step) = (order.row(key), order.point(key), order.rowStep)
        let (west, east) = near.reach(of: place.x)
        let (start, last) = (order.firstKey(inRow: row, x: west), order.lastKey(inRow: row, x: east))
        guard visit(keys, from: middle.move(to: start, in: keys), to: last, near: place, body) else { return }
        if row > 0 {
            let first = north.move(to: start &- step, in: keys)
            guard visit(keys, from: first, to: last &- step, near: place, body) else { return }
        }
        if row < order.lastRow {
            let first = south.move(to: start &+ step, in: keys)
            guard visit(keys, from: first, to: last &+ step, near: place, body) else { return }
        }
        if near.reachesAcrossTheAntimeridian(place.x) { visitAcrossTheAntimeridian(key, in: keys, body) }
    }

    /// - Returns: false if `body` returned false.
    @inline(__always)
    private func visit(
        _ keys: Span<UInt64>, from first: Int, to last: UInt64, near place: WorldPoint, _ body: (Int, UInt64) -> Bool
    ) -> Bool {
        var index = first
        while index < keys.count, keys[index] <= last {
            if let squaredDistance = near.squaredDistance(place.x, place.y, order.x(keys[index]), order.y(keys[index])),
                !body(index, squaredDistance)
            {
                return false
            }
            index &+= 1
        }
        return true
    }

    @inline(never)
    private func visitAcrossTheAntimeridian(_ key: UInt64, in keys: Span<UInt64>, _ body: (Int, UInt64) -> Bool) {
        let (place, row) = (order.point(key), order.row(key))
        for row in (row > 0 ? row - 1 : 0)...min(row + 1, order.lastRow) {
            for columns in near.reachAcrossTheAntimeridian(of: place.x) {
                let first = keys.firstIndex(notBelow: order.firstKey(inRow: row, x: columns.lowerBound))
                let last = order.lastKey(inRow: row, x: columns.upperBound)
                if !visit(keys, from: first, to: last, near: place, body) { return }
            }
        }
    }
}

/// The first place of a row that is not too far west of another place. It only moves east.
private struct NearWindow {
    private var first: Int

    /// - Parameters:
    ///   - keys: ascending.
    ///   - start: the least key that is not too far west.
    init(_ keys: Span<UInt64>, from start: UInt64) {
        first = keys.firstIndex(notBelow: start)
    }

    /// - Returns: the index of the first key from `start` on; `start` must not decrease from call to call.
    @inline(__always)
    mutating func move(to start: UInt64, in keys: Span<UInt64>) -> Int {
        // Counts four at a time: a search one by one ends at an unpredictable branch.
        while keys.count - first >= 4 {
            let next = keys.extracting(first..<first + 4)
            var below = 0
            for step in 0..<4 { below += next[step] < start ? 1 : 0 }
            first += below
            if below < 4 { return first }
        }
        while first < keys.count, keys[first] < start { first += 1 }
        return first
    }
}
