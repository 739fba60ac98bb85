extension RandomAccessCollection {
    /// The first index whose element satisfies `belongsInSecondHalf`, or `endIndex` if none does.
    ///
    /// The collection must be partitioned: all elements that satisfy the predicate come after all others. To search
    /// positions instead of elements, write `(0..<count).partitioningIndex { ... }`: the elements of a `Range<Int>` are
    /// its indices.
    ///
    /// - Complexity: O(log *n*) calls of `belongsInSecondHalf`.
    @inlinable
    package func partitioningIndex<Failure: Error>(
        where belongsInSecondHalf: (Element) throws(Failure) -> Bool
    ) throws(Failure) -> Index {
        var count = self.count
        var lower = startIndex
        while count > 0 {
            let half = count / 2
            let middle = index(lower, offsetBy: half)
            if try belongsInSecondHalf(self[middle]) {
                count = half
            } else {
                lower = index(after: middle)
                count -= half + 1
            }
        }
        return lower
    }
}

extension BidirectionalCollection {
    /// The collection without the elements at both ends for which `isBlank` holds. A range stays a range.
    @inlinable
    package func trimming(while isBlank: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: isBlank)
        return rest.lastIndex { !isBlank($0) }.map { rest[...$0] } ?? rest
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    package var trimmingBlanks: SubSequence { trimming { $0 == " " || $0 == "\t" } }
}
