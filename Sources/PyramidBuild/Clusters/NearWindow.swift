/// The first place of a row that is not too far west of another: it only ever moves east.
struct NearWindow {
    private var first: Int

    /// - Parameters:
    ///   - keys: ascending.
    ///   - start: the least key that is not too far west.
    init(_ keys: Span<UInt64>, from start: UInt64) {
        first = keys.firstIndex(notBelow: start)
    }

    /// - Returns: the index of the first key not below `start`, which is not below those that were given before.
    @inline(__always)
    mutating func move(to start: UInt64, in keys: Span<UInt64>) -> Int {
        // Four at a time are counted, as the processor can't guess where a search ends.
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
