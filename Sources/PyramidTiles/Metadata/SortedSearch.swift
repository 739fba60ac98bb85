extension Array {
    /// The element with a key, found in O(log n); `nil` where there is none.
    /// - Parameter keyOf: of an element; keys ascend.
    package func sortedElement<Key: Comparable>(_ key: Key, _ keyOf: (Element) -> Key) -> Element? {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = keyOf(self[middle])
            if found == key { return self[middle] }
            range = found < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
