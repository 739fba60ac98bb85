/// Finds out which columns are numbers: those that have values, all of them canonical.
struct ColumnTypes: Sendable {
    /// Columns that may still be numbers; the others are no longer looked at.
    private var candidates: [Int]
    private var hasValue: Set<Int> = []
    /// Columns whose cells were all empty so far.
    private var unseen: [Int]

    /// - Parameter columns: those whose types are of interest.
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
