import PyramidTiles

/// Finds the types of CSV columns. A column is numbers or booleans if it has values and all of them are; otherwise
/// text. The options can declare a type instead; then cells that don't fit it are counted.
///
/// Unless commas separate the cells, a number's decimal point may be a comma (``ValueKinds/decimalComma``). Whether the
/// column is numbers then depends on all of its values, in all inputs.
struct ColumnTypes: ColumnKinds {
    /// By column; empty while all its cells are.
    private var kinds: [ValueKinds]
    /// Columns whose cells so far are all empty, all numbers, or all booleans. Text columns are in no list: their type
    /// is final.
    private var unseen, numbers, booleans: [Int]
    private var declared: [DeclaredColumn]
    private let hasDecimalCommas: Bool
    private let id: Int?

    /// - Parameters:
    ///   - columns: the columns to find types for.
    ///   - declared: by column of the input.
    ///   - hasDecimalCommas: whether a comma may be a decimal point.
    ///   - id: the column of ids, in which it never is.
    init(columns: [Int], declared: [ColumnType?], hasDecimalCommas: Bool = false, id: Int? = nil) {
        self.hasDecimalCommas = hasDecimalCommas
        self.id = id
        kinds = [ValueKinds](repeating: [], count: declared.count)
        unseen = columns.filter { declared[$0] == nil }
        (numbers, booleans) = ([], [])
        self.declared = columns.compactMap { column in
            declared[column].map {
                DeclaredColumn(column: column, type: $0, hasDecimalCommas: hasDecimalCommas && column != id)
            }
        }
    }

    /// Adds the fields of the accepted row at `start`.
    mutating func add(_ fields: [CSVField], of bytes: Span<UInt8>, rowAt start: Int) {
        var index = 0
        while index < numbers.count {
            let field = fields[numbers[index]]
            if field.isEmpty || Cell.isNumber(bytes, field.range) || addComma(field, in: bytes, numbers[index]) {
                index += 1
            } else {
                kinds[numbers.removeAnywhere(index)] = .text
            }
        }
        index = 0
        while index < booleans.count {
            let field = fields[booleans[index]]
            if field.isEmpty || Cell.isBoolean(bytes, field.range) {
                index += 1
            } else {
                kinds[booleans.removeAnywhere(index)] = .text
            }
        }
        index = 0
        while index < unseen.count {
            let field = fields[unseen[index]]
            if field.isEmpty { index += 1 } else { addFirst(field, in: bytes, index) }
        }
        for index in declared.indices {
            let field = fields[declared[index].column]
            if !field.isEmpty { declared[index].add(field, in: bytes, rowAt: start) }
        }
    }

    /// Adds a cell to its column if it is a number with a decimal comma.
    private mutating func addComma(_ field: CSVField, in bytes: Span<UInt8>, _ column: Int) -> Bool {
        guard hasDecimalCommas, column != id, let comma = Cell.comma(bytes, field.range) else { return false }
        kinds[column].formUnion([.number, comma])
        return true
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
        } else if addComma(field, in: bytes, column) {
            numbers.append(column)
        } else {
            kinds[column] = .text
        }
    }

    var count: Int { kinds.count }

    mutating func append(_ other: ColumnTypes) {
        for column in kinds.indices where kinds[column] != other.kinds[column] {
            if kinds[column].isEmpty || kinds[column].contains(.number) && other.kinds[column].contains(.number) {
                kinds[column].formUnion(other.kinds[column])
            } else if !other.kinds[column].isEmpty {
                kinds[column] = .text
            }
        }
        let columns = unseen + numbers + booleans
        unseen = columns.filter { kinds[$0].isEmpty }
        numbers = columns.filter { kinds[$0].contains(.number) }
        booleans = columns.filter { kinds[$0] == .boolean }
        for index in declared.indices { declared[index].formUnion(other.declared[index]) }
    }

    func kinds(ofColumn column: Int) -> ValueKinds {
        declared.first { $0.column == column }?.kinds ?? kinds[column]
    }

    /// Columns with a declared type, and cells left out because they don't fit it.
    var columnsWithUnfitCells: [DeclaredColumn] { declared.filter { !$0.unfit.isEmpty || !$0.grouped.isEmpty } }
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
    private(set) var unfit = FoundCells()
    /// Numbers like `1,234`, which fit only if the column has decimal commas, in any input.
    private(set) var grouped = FoundCells()
    /// Of the cells that fit, and perhaps of the grouped ones.
    private(set) var kinds: ValueKinds = []
    private let hasDecimalCommas: Bool

    fileprivate init(column: Int, type: ColumnType, hasDecimalCommas: Bool) {
        self.column = column
        self.type = type
        self.hasDecimalCommas = hasDecimalCommas && type == .number
    }

    fileprivate mutating func add(_ field: CSVField, in bytes: Span<UInt8>, rowAt start: Int) {
        if Cell.fits(type, bytes, field.range) {
            kinds.insert(ValueKinds(type))
        } else if hasDecimalCommas, let comma = Cell.comma(bytes, field.range) {
            if comma == .groupComma { grouped.add(rowAt: start) } else { kinds.insert(.number) }
            kinds.insert(comma)
        } else {
            unfit.add(rowAt: start)
        }
    }

    fileprivate mutating func formUnion(_ next: DeclaredColumn) {
        kinds.formUnion(next.kinds)
        unfit.formUnion(next.unfit)
        grouped.formUnion(next.grouped)
    }
}

/// How many cells of a kind there are, and the start of the row with the first.
struct FoundCells: Sendable {
    private(set) var count = 0
    private(set) var firstRow: Int?

    var isEmpty: Bool { count == 0 }

    fileprivate mutating func add(rowAt start: Int) {
        count += 1
        if firstRow == nil { firstRow = start }
    }

    fileprivate mutating func formUnion(_ next: FoundCells) {
        count += next.count
        firstRow = firstRow ?? next.firstRow
    }
}

extension ValueKinds {
    fileprivate init(_ type: ColumnType) {
        switch type {
        case .string: self = .text
        case .number: self = .number
        case .boolean: self = .boolean
        }
    }
}

/// Finds out what type the text of a cell has.
enum Cell {
    static func isNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool { DecimalLiteral.isSafe(bytes, in: range) }

    /// The kind of a number whose decimal point is a comma; `nil` for any other text.
    static func comma(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ValueKinds? {
        guard let number = DecimalLiteral(bytes, in: range, point: UInt8(ascii: ",")), number.hasPoint,
            number.isSafe(bytes)
        else { return nil }
        return number.fraction.count == 3 && !number.hasExponent ? .groupComma : .decimalComma
    }

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
