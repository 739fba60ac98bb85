import PyramidTiles

/// Finds the columns of numbers: those that have values, all of them canonical.
struct ColumnTypes: Sendable {
    /// Columns that may still be numbers; others are no longer checked.
    private var candidates: [Int]
    private var hasValue: Set<Int> = []
    /// Columns whose cells have all been empty so far.
    private var unseen: [Int]

    /// - Parameter columns: the columns whose types are wanted.
    init(columns: [Int]) {
        candidates = columns
        unseen = columns
    }

    /// Adds the fields of an accepted row.
    mutating func add(_ fields: [CSVField], in bytes: Span<UInt8>) {
        var index = 0
        while index < candidates.count {
            let field = fields[candidates[index]]
            if field.isEmpty || CanonicalNumber.matches(bytes, field.range) {
                index += 1
            } else {
                candidates.swapAt(index, candidates.count - 1)
                candidates.removeLast()
            }
        }
        index = 0
        while index < unseen.count {
            if fields[unseen[index]].isEmpty {
                index += 1
            } else {
                hasValue.insert(unseen[index])
                unseen.swapAt(index, unseen.count - 1)
                unseen.removeLast()
            }
        }
    }

    /// Adds other rows of the same columns.
    mutating func formUnion(_ other: ColumnTypes) {
        candidates.removeAll { !other.candidates.contains($0) }
        unseen.removeAll { !other.unseen.contains($0) }
        hasValue.formUnion(other.hasValue)
    }

    func kinds(ofColumn column: Int) -> ValueKinds {
        guard hasValue.contains(column) else { return [] }
        return candidates.contains(column) ? .number : .text
    }
}

/// Tells which numbers a JSON reader would write back unchanged.
enum CanonicalNumber {
    /// A 64-bit float preserves this many decimal digits.
    private static let digits = 15
    /// Numbers below 10⁻⁶ come back with an exponent.
    private static let zerosAfterPoint = 5

    /// Whether the text is `-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?`, not `-0`, with at most 15 significant digits, and not
    /// nearer to zero than 10⁻⁶: what JavaScript prints after reading the number.
    static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        // Anything longer has too many digits; this also bounds the work.
        guard range.count <= digits + 3 + zerosAfterPoint, let number = DecimalLiteral(bytes, in: range),
            !number.hasExponent, !number.whole.isEmpty, bytes[range.lowerBound] != UInt8(ascii: "+")
        else { return false }
        let isBelowOne = bytes[number.whole.lowerBound] == UInt8(ascii: "0")
        if isBelowOne, number.whole.count > 1 { return false }
        guard number.hasPoint else { return !(number.isNegative && isBelowOne) && number.whole.count <= digits }
        guard let last = number.fraction.last, bytes[last] != UInt8(ascii: "0") else { return false }
        guard isBelowOne else { return number.whole.count + number.fraction.count <= digits }
        let zeros = number.fraction.prefix { bytes[$0] == UInt8(ascii: "0") }.count
        return zeros <= zerosAfterPoint && number.fraction.count - zeros <= digits
    }
}
