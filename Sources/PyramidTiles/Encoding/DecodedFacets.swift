/// The combinations of values that the clusters of a file refer to by index: the member `facets` of its collection.
package struct DecodedFacets {
    /// The array's bytes.
    package let range: Range<Int>
    /// Where each combination stands, a JSON array.
    package let combinations: [Range<Int>]

    init(reading json: inout JSONReader) throws(JSONFault) {
        _ = json.peek()
        let start = json.position
        try json.expect(UInt8(ascii: "["), "an array of combinations")
        var combinations: [Range<Int>] = []
        while try json.nextElement(isFirst: combinations.isEmpty) {
            combinations.append(try DecodedFacets.readCombination(&json))
        }
        self.combinations = combinations
        range = start..<json.position
    }

    /// Reads the counts of a cluster: pairs of a combination's index and a number of points, in ascending order.
    /// - Parameter range: where they stand.
    package func forEachCount(
        in range: Range<Int>, pointCount: Int, of bytes: UnsafeRawBufferPointer,
        _ body: (_ combination: Int, _ count: Int) -> Void
    ) throws(JSONFault) {
        var next = 0
        try DecodedFacets.readPairs(range, pointCount, bytes) { (json: inout JSONReader) throws(JSONFault) -> Int in
            guard next < combinations.count else { throw json.fault(expected: "the end, after the last combination") }
            let index = try json.readInteger(
                in: next...combinations.count - 1, "an index from \(next) to \(combinations.count - 1)")
            next = index + 1
            return index
        } _: {
            body($0, $1)
        }
    }

    /// Reads the counts of a cluster of a vector tile: pairs of a combination and a number of points.
    package static func forEachCount(
        in range: Range<Int>, pointCount: Int, of bytes: UnsafeRawBufferPointer,
        _ body: (_ combination: Range<Int>, _ count: Int) -> Void
    ) throws(JSONFault) {
        try readPairs(range, pointCount, bytes) { (json: inout JSONReader) throws(JSONFault) -> Range<Int> in
            try readCombination(&json)
        } _: {
            body($0, $1)
        }
    }

    private static func readPairs<Combination>(
        _ range: Range<Int>, _ pointCount: Int, _ bytes: UnsafeRawBufferPointer,
        _ read: (inout JSONReader) throws(JSONFault) -> Combination, _ body: (Combination, Int) -> Void
    ) throws(JSONFault) {
        var json = JSONReader(bytes, at: range.lowerBound)
        try json.expect(UInt8(ascii: "["), "pairs of a combination and a count")
        var rest = pointCount
        while try json.nextElement(isFirst: rest == pointCount) {
            let combination = try read(&json)
            try json.expect(UInt8(ascii: ","), "a count")
            guard rest > 0 else { throw json.fault(expected: "counts that add up to \(pointCount)") }
            let count = try json.readInteger(in: 1...rest, "a count from 1 to \(rest)")
            rest -= count
            body(combination, count)
        }
        guard rest == 0 else {
            throw JSONFault(offset: range.lowerBound, expected: "counts that add up to \(pointCount)")
        }
        guard json.position == range.upperBound else { throw json.fault(expected: "the end") }
    }

    private static func readCombination(_ json: inout JSONReader) throws(JSONFault) -> Range<Int> {
        guard json.peek() == UInt8(ascii: "[") else { throw json.fault(expected: "a combination of values") }
        let start = json.position
        _ = try json.readValue(isKept: false)
        return start..<json.position
    }
}
