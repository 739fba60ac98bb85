import PyramidTiles

/// Finds the types of CSV columns. A column is numbers or booleans if it has values and all of them are; otherwise
/// text. The options can declare a type instead; then cells that don't fit it are counted.
///
/// Unless commas separate the cells, a number's decimal point may be a comma (``ValueKinds/decimalComma``), and points may
/// be those of thousands (``ValueKinds/bothMarks``). Whether the column is numbers then depends on all of its values, in all
/// inputs.
struct ColumnTypes: ColumnKinds {
    /// By column; empty while all its cells are.
    private(set) var kinds: [ValueKinds]
    /// By column: the cells that may have to be told about.
    private(set) var oddCells: [Int: [CellOddity: FoundRows]] = [:]
    /// Columns that may be numbers or booleans so far. The others are text for good.
    private var open: [Int]
    /// Columns that options compare, with nothing but words for true and false so far.
    private var words: [Int]
    private let declared: [(column: Int, type: ColumnType)]
    private let hasDecimalCommas: Bool
    private let id: Int?

    /// - Parameters:
    ///   - columns: the columns to find types for.
    ///   - declared: by column of the input.
    ///   - hasDecimalCommas: whether a comma may be a decimal point.
    ///   - id: the column of ids, in which it never is.
    ///   - compared: columns that options compare.
    init(
        columns: [Int], declared: [ColumnType?], hasDecimalCommas: Bool = false, id: Int? = nil, compared: [Int] = []
    ) {
        self.hasDecimalCommas = hasDecimalCommas
        self.id = id
        kinds = [ValueKinds](repeating: [], count: declared.count)
        open = columns.filter { declared[$0] == nil }
        words = compared.filter { declared[$0] == nil }
        self.declared = columns.compactMap { column in declared[column].map { (column, $0) } }
    }

    var count: Int { kinds.count }

    /// Adds the fields of the accepted row at `start`.
    mutating func add(_ fields: [CSVField], of bytes: Span<UInt8>, rowAt start: Int) {
        var index = 0
        while index < open.count {
            let column = open[index]
            let field = fields[column]
            let known = kinds[column]
            if field.isEmpty {
                index += 1
            } else if !known.contains(.boolean), Cell.isNumber(bytes, field.range) {
                if known.isEmpty { kinds[column] = .number }
                kinds[column].addDate(bytes, field.range)
                if hasDecimalCommas { addPoint(field, in: bytes, column, rowAt: start) }
                index += 1
            } else if !known.contains(.number), Cell.isBoolean(bytes, field.range) {
                kinds[column] = .boolean
                index += 1
            } else if !known.contains(.boolean), let marks = marks(field, in: bytes, column) {
                kinds[column].formUnion([.number, marks])
                index += 1
            } else {
                kinds[column] = .text
                open.swapAt(index, open.count - 1)
                open.removeLast()
            }
        }
        for column in words where !fields[column].isEmpty {
            if Cell.boolean(bytes, fields[column].range) == nil {
                removeWords(column)
            } else if oddCells[column]?[.booleanWord] == nil {
                note(.booleanWord, fields[column], in: bytes, column, rowAt: start)
            }
        }
        for (column, type) in declared where !fields[column].isEmpty {
            let field = fields[column]
            if Cell.fits(type, bytes, field.range) {
                kinds[column].insert(type == .number ? .number : type == .boolean ? .boolean : .text)
                if type == .number { kinds[column].addDate(bytes, field.range) }
                if hasDecimalCommas, type == .number { addPoint(field, in: bytes, column, rowAt: start) }
            } else if type == .number, let marks = marks(field, in: bytes, column) {
                kinds[column].formUnion(marks == .groupComma ? marks : [.number, marks])
                if marks == .groupComma { note(.grouped, field, in: bytes, column, rowAt: start) }
            } else {
                note(.unfit, field, in: bytes, column, rowAt: start)
            }
        }
    }

    /// Forgets that a column has nothing but words for true and false.
    private mutating func removeWords(_ column: Int) {
        words.removeAll { $0 == column }
        oddCells[column]?[.booleanWord] = nil
    }

    /// The marks of a number that isn't one of JSON; `nil` for other cells.
    private func marks(_ field: CSVField, in bytes: Span<UInt8>, _ column: Int) -> ValueKinds? {
        hasDecimalCommas && column != id ? Cell.marks(bytes, field.range) : nil
    }

    /// Takes note of a number's point if it can't be one of thousands.
    private mutating func addPoint(_ field: CSVField, in bytes: Span<UInt8>, _ column: Int, rowAt start: Int) {
        guard !kinds[column].contains(.decimalPoint), field.range.contains(where: { bytes[$0] == UInt8(ascii: ".") }),
            let number = DecimalLiteral(bytes, in: field.range),
            // Else it may be one of thousands. `Cell.thousands` would be slow for every number.
            number.fraction.count != 3 || number.hasExponent || number.whole.count > 3
                || bytes[number.whole.lowerBound] == UInt8(ascii: "0")
        else { return }
        kinds[column].insert(.decimalPoint)
        note(.decimalPoint, field, in: bytes, column, rowAt: start)
    }

    private mutating func note(
        _ oddity: CellOddity, _ field: CSVField, in bytes: Span<UInt8>, _ column: Int, rowAt start: Int
    ) {
        oddCells[column, default: [:]][oddity, default: FoundRows()].add(rowAt: start) {
            var text: [UInt8] = []
            bytes.unquote(field, into: &text)
            return InputError.quoted(text)
        }
    }

    mutating func append(_ other: ColumnTypes) {
        for column in open {
            kinds[column].formUnion(other.kinds[column])
            if kinds[column].isSuperset(of: [.number, .boolean]) { kinds[column] = .text }
        }
        open.removeAll { kinds[$0].contains(.text) }
        for (column, _) in declared { kinds[column].formUnion(other.kinds[column]) }
        for (column, cells) in other.oddCells {
            for (oddity, rows) in cells {
                oddCells[column, default: [:]][oddity, default: FoundRows()].append(rows)
            }
        }
        for column in Set(words).symmetricDifference(other.words) { removeWords(column) }
    }
}

/// Finds out what type the text of a cell has.
enum Cell {
    static func isNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool { DecimalLiteral.isSafe(bytes, in: range) }

    /// How a number is written whose decimal point is a comma, or that has points of thousands; `nil` for any other text.
    static func marks(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ValueKinds? {
        guard let number = DecimalLiteral(bytes, in: range, point: UInt8(ascii: ",")), number.hasPoint,
            number.isSafe(bytes)
        else { return thousands(bytes, range) }
        return number.fraction.count == 3 && !number.hasExponent ? .groupComma : .decimalComma
    }

    /// The marks of a number with points before groups of three digits: `1.631,29`, `1.631.000`, or none, because it is a
    /// number of JSON too: `1.631`.
    static func thousands(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ValueKinds? {
        var plain: [UInt8] = []
        writeNumber(bytes, range, hasThousands: true, into: &plain)
        let halves = range.map { bytes[$0] }.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let groups = halves[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.count > 1, let first = groups.first?.trimmingPrefix("-".utf8), (1...3).contains(first.count),
            groups.dropFirst().allSatisfy({ $0.count == 3 }), isNumber(plain.span, plain.indices)
        else { return nil }
        return halves.count > 1 ? [.decimalComma, .bothMarks] : groups.count > 2 ? .pointGroups : []
    }

    /// Writes a number with a decimal comma as JSON has it.
    /// - Parameter hasThousands: whether a single point is one of thousands; several always are.
    static func writeNumber(
        _ bytes: Span<UInt8>, _ range: Range<Int>, hasThousands: Bool, into text: inout [UInt8]
    ) {
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        let isGrouped = hasThousands || range.count { bytes[$0] == point || bytes[$0] == comma } > 1
        text.removeAll(keepingCapacity: true)
        for position in range where bytes[position] != point || !isGrouped {
            text.append(bytes[position] == comma ? point : bytes[position])
        }
    }

    /// Whether the text is true or false, in any case.
    static func isBoolean(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == 4 && isWord("true", bytes, range) || range.count == 5 && isWord("false", bytes, range)
    }

    /// The value of a boolean in a column that is declared as such, which can have the words of other languages.
    static func boolean(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool? {
        if isBoolean(bytes, range) { return bytes[range.lowerBound] | 0x20 == UInt8(ascii: "t") }
        guard range.count <= 6 else { return nil }
        return ColumnNames.booleans[String(decoding: range.map { bytes[$0] }, as: UTF8.self).lowercased()]
    }

    static func fits(_ type: ColumnType, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        switch type {
        case .string: true
        case .number: isNumber(bytes, range)
        case .boolean: boolean(bytes, range) != nil
        }
    }

    private static func isWord(_ word: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for (index, position) in range.enumerated() where bytes[position] | 0x20 != word.utf8Start[index] {
            return false
        }
        return true
    }
}
