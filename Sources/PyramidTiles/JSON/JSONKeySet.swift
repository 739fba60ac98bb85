/// The keys of one JSON object that were met so far, to refuse a key that comes twice.
package struct JSONKeySet {
    private var keys: [JSONReader.Text] = []
    /// In use from ``linearLimit`` keys on, so that an object of a million keys is not a million squared comparisons.
    private var distinct: Set<[UInt8]> = []

    /// Up to here comparing with every key is quicker than hashing.
    private static let linearLimit = 32

    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        if !distinct.isEmpty { distinct.removeAll() }
    }

    /// Adds a key; `false` where it was there. O(1) on average.
    package mutating func insert(_ key: JSONReader.Text, of reader: JSONReader) -> Bool {
        if keys.count < JSONKeySet.linearLimit {
            for other in keys where reader.isEqual(other, key) { return false }
            keys.append(key)
            return true
        }
        if distinct.isEmpty { distinct = Set(keys.map { reader.unescaped($0) }) }
        return distinct.insert(reader.unescaped(key)).inserted
    }
}
