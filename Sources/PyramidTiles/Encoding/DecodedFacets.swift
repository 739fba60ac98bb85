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

    /// Reads the counts of a cluster: the gaps between the indices of its combinations, then their numbers of points less 1,
    /// each without zeros at the end.
    /// - Parameter range: where they stand.
    package func forEachCount(
        in range: Range<Int>, pointCount: Int, of bytes: UnsafeRawBufferPointer,
        _ body: (_ combination: Int, _ count: Int) -> Void
    ) throws(JSONFault) {
        var json = JSONReader(bytes, at: range.lowerBound)
        try json.expect(UInt8(ascii: "["), "gaps between combinations, then counts")
        let gaps = try DecodedFacets.readNumbers(&json, sum: combinations.count, "gaps between combinations")
        try json.expect(UInt8(ascii: ","), "counts")
        let counts = try DecodedFacets.readNumbers(&json, sum: pointCount, "counts")
        try json.expect(UInt8(ascii: "]"), "the end, after the counts")
        guard json.position == range.upperBound else { throw json.fault(expected: "the end") }
        let ownCount = counts.rest
        guard ownCount >= max(1, gaps.numbers.count, counts.numbers.count), ownCount <= gaps.rest else {
            throw JSONFault(
                offset: range.lowerBound, expected: "combinations of the table whose counts add up to \(pointCount)")
        }
        var next = 0
        for index in 0..<ownCount {
            next += index < gaps.numbers.count ? gaps.numbers[index] : 0
            body(next, 1 + (index < counts.numbers.count ? counts.numbers[index] : 0))
            next += 1
        }
    }

    /// Reads an array of numbers without zeros at its end.
    /// - Returns: the numbers, and what is left of `sum` after them.
    private static func readNumbers(
        _ json: inout JSONReader, sum: Int, _ expected: String
    ) throws(JSONFault) -> (numbers: [Int], rest: Int) {
        var (numbers, rest): ([Int], Int) = ([], sum)
        try json.expect(UInt8(ascii: "["), expected)
        while try json.nextElement(isFirst: numbers.isEmpty) {
            let number = try json.readInteger(in: 0...rest, "\(expected) that add up to \(sum) at most")
            rest -= number
            numbers.append(number)
        }
        guard numbers.last != 0 else { throw json.fault(expected: "\(expected) without a zero at the end") }
        return (numbers, rest)
    }

    /// Reads the counts of a cluster of a vector tile: pairs of a combination and a number of points.
    package static func forEachCount(
        in range: Range<Int>, pointCount: Int, of bytes: UnsafeRawBufferPointer,
        _ body: (_ combination: Range<Int>, _ count: Int) -> Void
    ) throws(JSONFault) {
        var json = JSONReader(bytes, at: range.lowerBound)
        try json.expect(UInt8(ascii: "["), "pairs of a combination and a count")
        var rest = pointCount
        while try json.nextElement(isFirst: rest == pointCount) {
            let combination = try readCombination(&json)
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
