import PyramidTiles

/// Finds the types of CSV columns. A column is numbers or booleans if it has values and all of them are; otherwise
/// text. The options can declare a type instead; then cells that don't fit it are counted.
struct ColumnTypes: Sendable {
    /// By column; empty while all its cells are.
    private var kinds: [ValueKinds]
    /// Columns whose cells so far are all empty, all numbers, or all booleans. Text columns are in no list: their type
    /// is final.
    private var unseen, numbers, booleans: [Int]
    private var declared: [DeclaredColumn]

    /// - Parameters:
    ///   - columns: the columns to find types for.
    ///   - declared: by column of the input.
    init(columns: [Int], declared: [ColumnType?]) {
        kinds = [ValueKinds](repeating: [], count: declared.count)
        unseen = columns.filter { declared[$0] == nil }
        (numbers, booleans) = ([], [])
        self.declared = columns.compactMap { column in
            declared[column].map { DeclaredColumn(column: column, type: $0) }
        }
    }

    /// Adds the fields of the accepted row at `start`.
    mutating func add(_ fields: [CSVField], of bytes: Span<UInt8>, rowAt start: Int) {
        ColumnTypes.removeTexts(from: &numbers, fields, &kinds) { Cell.isNumber(bytes, $0) }
        ColumnTypes.removeTexts(from: &booleans, fields, &kinds) { Cell.isBoolean(bytes, $0) }
        var index = 0
        while index < unseen.count {
            let field = fields[unseen[index]]
            if field.isEmpty { index += 1 } else { addFirst(field, in: bytes, index) }
        }
        for index in declared.indices {
            let field = fields[declared[index].column]
            if !field.isEmpty { declared[index].add(field, in: bytes, rowAt: start) }
        }
    }

    /// Removes columns whose cells don't fit: they are text.
    @inline(__always)
    private static func removeTexts(
        from columns: inout [Int], _ fields: [CSVField], _ kinds: inout [ValueKinds], unless fits: (Range<Int>) -> Bool
    ) {
        var index = 0
        while index < columns.count {
            let field = fields[columns[index]]
            if field.isEmpty || fits(field.range) { index += 1 } else { kinds[columns.removeAnywhere(index)] = .text }
        }
    }

    /// Adds the first value of a column.
    private mutating func addFirst(_ field: CSVField, in bytes: Span<UInt8>, _ index: Int) {
        let column = unseen.removeAnywhere(index)
        if Cell.isNumber(bytes, field.range) {
            kinds[column] = .number
            numbers.append(column)
        } else if Cell.isBoolean(bytes, field.range) {
            kinds[column] = .boolean
            booleans.append(column)
        } else {
            kinds[column] = .text
        }
    }

    /// Adds the rows that come next.
    mutating func formUnion(_ other: ColumnTypes) {
        for column in kinds.indices where kinds[column] != other.kinds[column] {
            if kinds[column].isEmpty {
                kinds[column] = other.kinds[column]
            } else if !other.kinds[column].isEmpty {
                kinds[column] = .text
            }
        }
        let columns = unseen + numbers + booleans
        unseen = columns.filter { kinds[$0].isEmpty }
        numbers = columns.filter { kinds[$0] == .number }
        booleans = columns.filter { kinds[$0] == .boolean }
        for index in declared.indices { declared[index].formUnion(other.declared[index]) }
    }

    func kinds(ofColumn column: Int) -> ValueKinds {
        declared.first { $0.column == column }?.kinds ?? kinds[column]
    }

    /// Columns with a declared type, and cells left out because they don't fit it.
    var columnsWithUnfitCells: [DeclaredColumn] { declared.filter { $0.unfitCount > 0 } }
}

extension [Int] {
    /// Removes an element in O(1); the last one takes its place.
    fileprivate mutating func removeAnywhere(_ index: Int) -> Int {
        swapAt(index, count - 1)
        return removeLast()
    }
}

/// A column whose type the options declare.
struct DeclaredColumn: Sendable {
    let column: Int
    let type: ColumnType
    private(set) var unfitCount = 0
    /// The start of the first row with an unfit cell.
    private(set) var firstUnfitRow: Int?
    private var hasValue = false

    init(column: Int, type: ColumnType) {
        self.column = column
        self.type = type
    }

    var kinds: ValueKinds {
        guard hasValue else { return [] }
        return switch type {
        case .string: .text
        case .number: .number
        case .boolean: .boolean
        }
    }

    fileprivate mutating func add(_ field: CSVField, in bytes: Span<UInt8>, rowAt start: Int) {
        if Cell.fits(type, bytes, field.range) {
            hasValue = true
        } else {
            unfitCount += 1
            if firstUnfitRow == nil { firstUnfitRow = start }
        }
    }

    fileprivate mutating func formUnion(_ next: DeclaredColumn) {
        hasValue = hasValue || next.hasValue
        unfitCount += next.unfitCount
        firstUnfitRow = firstUnfitRow ?? next.firstUnfitRow
    }
}

/// Finds out what type the text of a cell has.
enum Cell {
    static func isNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool { DecimalLiteral.isSafe(bytes, in: range) }

    /// Whether the text is true or false, in any case.
    static func isBoolean(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        switch range.count {
        case 4: isWord("true", bytes, range)
        case 5: isWord("false", bytes, range)
        default: false
        }
    }

    static func fits(_ type: ColumnType, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        switch type {
        case .string: true
        case .number: isNumber(bytes, range)
        case .boolean: isBoolean(bytes, range)
        }
    }

    private static func isWord(_ word: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for (index, position) in range.enumerated() where bytes[position] | 0x20 != word.utf8Start[index] {
            return false
        }
        return true
    }
}
