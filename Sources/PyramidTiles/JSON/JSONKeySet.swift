/// The keys of a JSON object read so far, to find repeated ones.
package struct JSONKeySet {
    private var keys: [JSONText] = []
    /// Used from ``linearLimit`` keys on, so that a million keys don't need a million squared comparisons.
    private var distinct: Set<[UInt8]> = []

    /// Up to this many keys, comparing with each is faster than hashing.
    private static let linearLimit = 32

    package init() { keys.reserveCapacity(JSONKeySet.linearLimit) }

    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        if !distinct.isEmpty { distinct.removeAll() }
    }

    /// Adds a key; returns `false` if it is there already. O(1) on average.
    package mutating func insert(_ key: JSONText, in bytes: Span<UInt8>) -> Bool {
        if keys.count < JSONKeySet.linearLimit {
            for other in keys where bytes.isEqual(other, key) { return false }
            keys.append(key)
            return true
        }
        if distinct.isEmpty {
            for key in keys { distinct.insert(bytes.unescaped(key)) }
        }
        return distinct.insert(bytes.unescaped(key)).inserted
    }
}
