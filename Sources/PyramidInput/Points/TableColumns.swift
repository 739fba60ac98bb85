import PyramidTiles

/// A column of the inputs.
package struct PointColumn: Sendable {
    /// The index in the table.
    package let index: Int
    /// The name in the inputs, unique.
    package let name: String
    /// The name in the output, if the column is written.
    package let outputName: String
    /// The output name as JSON, with quotes and colon.
    package let quotedName: [UInt8]
    /// Whether the options include the column.
    fileprivate(set) var isIncluded = true
    /// Whether any input writes the column as a property.
    package fileprivate(set) var isWritten = false
    /// Whether options compare its values, without blanks around them.
    fileprivate(set) var isCompared = false
    /// Whether any input takes the points' ids from the column.
    fileprivate(set) var isID = false
    /// The kinds of values in all inputs, guessing the kinds of CSV cells from their text.
    fileprivate var kinds: ValueKinds = []
    /// The kinds of values in GeoJSON inputs alone.
    fileprivate var ownKinds: ValueKinds = []
    /// Whether any CSV input has values in the column.
    fileprivate var hasCells = false
    /// The type of CSV cells declared in the options.
    fileprivate var declaredType: ColumnType?

    /// How the cells of CSV inputs are written: as numbers or booleans if all values of all inputs are.
    var cellType: CellType {
        switch declaredType {
        case .string: .text
        case .number: .declaredNumber(kinds.numberMarks)
        case .boolean: .declaredBoolean
        case nil where kinds.areNumbers: .number(kinds.numberMarks)
        case nil: kinds == .boolean ? .boolean : .text
        }
    }

    /// The kinds of values written.
    package var content: ValueKinds { (hasCells ? ownKinds.union(cellType.kind) : ownKinds).json }

    /// How the column's dates are written, if they are dates; `nil` if numbers stand beside other values.
    package var dateNotation: DateNotation? {
        guard content.contains(.number) else { return .iso8601 }
        return content == .number ? kinds.dateNotation : nil
    }

    /// The types of the property; text if there are no values.
    package var propertyTypes: ValueKinds { content.isEmpty ? .text : content }

    /// Whether all values are written as numbers.
    package var isNumber: Bool { content == .number }
}

/// How the cells of a CSV column are written.
enum CellType: Equatable, Sendable {
    case text
    /// For columns of nothing but numbers, or nothing but booleans. A decimal comma is written as a point.
    case number(NumberMarks), boolean
    /// For declared columns; cells that don't fit are left out.
    case declaredNumber(NumberMarks), declaredBoolean

    /// The type in an input where a comma separates cells, and isn't a decimal point.
    var withoutDecimalCommas: CellType {
        switch self {
        case .number: .number(.json)
        case .declaredNumber: .declaredNumber(.json)
        case .text, .boolean, .declaredBoolean: self
        }
    }

    var kind: ValueKinds {
        switch self {
        case .text: .text
        case .number, .declaredNumber: .number
        case .boolean, .declaredBoolean: .boolean
        }
    }
}

/// The columns of all inputs together; columns with the same name are one.
///
/// If all inputs are CSV with the same header, the columns are in its order, otherwise in the order of their names'
/// bytes, so the order of the inputs has no effect.
package struct TableColumns: Sendable {
    package private(set) var columns: [PointColumn]
    package private(set) var renamed: [InputReport.RenamedColumn]

    /// Whether the options name the columns to write. Only then can coordinates and ids be properties.
    private let areNamed: Bool
    private let numbers: PropertyNames
    private let inputName: String
    private let headerLine: Int?

    /// - Parameters:
    ///   - inputs: the columns of each input.
    ///   - inputName: a name for all inputs together, for messages.
    /// - Throws: a usage error if the options name a column that no input has; a data error if a name has two spellings.
    package init(_ inputs: [InputColumns], options: InputOptions, inputName: String) throws(InputError) {
        let isOrdered = inputs.allSatisfy { $0.isOrdered && $0.names == inputs.first?.names }
        var names = inputs.first?.names.map { Array($0.utf8) } ?? []
        if !isOrdered {
            names = Set(inputs.flatMap { $0.names.map { Array($0.utf8) } }).sorted { $0.lexicographicallyPrecedes($1) }
        }
        numbers = PropertyNames(names)
        columns = TableColumns.columns(
            named: names.map { String(decoding: $0, as: UTF8.self) }, reserved: Set(options.reservedNames))
        self.inputName = inputName
        headerLine = inputs.count == 1 && isOrdered ? 1 : nil
        areNamed = options.include != nil
        renamed = []
        try InputError.requireOneSpelling(of: names, "two columns have the name", in: inputName, line: headerLine)

        if let include = options.include {
            for index in columns.indices { columns[index].isIncluded = false }
            for name in include { columns[try index(of: name, option: .include)].isIncluded = true }
        }
        for name in options.exclude { columns[try index(of: name, option: .exclude)].isIncluded = false }
        if let name = options.idColumn, !inputs.contains(where: { $0.idColumn != nil }) {
            throw unknown(name, option: .idColumn)
        }
        for rule in options.types {
            let csv = inputs.filter { !$0.declaredTypes.isEmpty }
            guard csv.contains(where: { CSVColumns.index(of: rule.column, in: $0.names) != nil }) else {
                throw unknown(rule.column, option: .types)
            }
        }
        // Columns that there aren't are an error where they are used.
        for name in options.comparedColumns {
            if let index = try? index(of: name, option: .include) { columns[index].isCompared = true }
        }
        for input in inputs { add(input) }
        removeEmptyNamelessColumns()
        renamed += columns.filter { $0.isWritten && $0.name != $0.outputName }
            .map { .init(from: $0.name, to: $0.outputName) }
    }

    /// By property name.
    package var propertyTypes: [String: ValueKinds] {
        Dictionary(uniqueKeysWithValues: columns.filter(\.isWritten).map { ($0.outputName, $0.propertyTypes) })
    }

    /// The written columns, and the id columns.
    package var report: [InputReport.Column] {
        columns.filter { $0.isWritten || $0.isID }.map {
            InputReport.Column(name: $0.isWritten ? $0.outputName : $0.name, content: $0.content, isID: $0.isID)
        }
    }

    /// The index of the column with this name in the inputs or else in the output, or of the only column whose name in
    /// the inputs differs from it only in case.
    /// - Parameter option: the option that names the column.
    /// - Throws: a usage error that lists the columns.
    package func index(of name: String, option: OptionName) throws(InputError) -> Int {
        if let exact = numbers.number(of: Array(name.utf8)) { return exact }
        guard
            let index = columns.firstIndex(where: { $0.outputName == name })
                ?? CSVColumns.index(of: name, in: columns.map(\.name))
        else {
            throw unknown(name, option: option)
        }
        return index
    }

    /// By an input's columns: their indices in the table.
    package func indices(of input: InputColumns) -> [Int] {
        input.names.map { name in
            guard let number = numbers.number(of: Array(name.utf8)) else {
                preconditionFailure("a column of an input is not among the columns of all")
            }
            return number
        }
    }

    /// The index of a name in the input's bytes, written without escapes; `guess` is tried first.
    @inline(__always)
    package func index(of range: Range<Int>, in bytes: Span<UInt8>, guess: Int) -> Int? {
        numbers.number(of: range, in: bytes, guess: guess)
    }

    package func index(of name: [UInt8]) -> Int? { numbers.number(of: name) }

    /// Whether an input's column is written as a property.
    /// - Parameter onlyIfNamed: whether it holds the input's coordinates or ids, which are properties only if named.
    package func isWritten(_ column: Int, onlyIfNamed: Bool) -> Bool {
        columns[column].isIncluded && (areNamed || !onlyIfNamed)
    }

    private mutating func add(_ input: InputColumns) {
        for (local, column) in indices(of: input).enumerated() {
            columns[column].kinds.formUnion(input.kinds[local])
            if local == input.idColumn { columns[column].isID = true }
            if input.declaredTypes.isEmpty {
                columns[column].ownKinds.formUnion(input.kinds[local])
            } else {
                // Numbers like `1,234` alone are left out of a declared column.
                if input.kinds[local] != [], input.kinds[local] != .groupComma { columns[column].hasCells = true }
                columns[column].declaredType = input.declaredTypes[local] ?? columns[column].declaredType
            }
            if isWritten(column, onlyIfNamed: input.isPropertyOnlyIfNamed(local)) { columns[column].isWritten = true }
        }
        for change in input.renamed where !renamed.contains(change) { renamed.append(change) }
    }

    /// A column without a name and values, which comes from a delimiter at the end of the header, is none.
    private mutating func removeEmptyNamelessColumns() {
        let nameless = Set(renamed.filter(\.from.isEmpty).map(\.to))
        for index in columns.indices where nameless.contains(columns[index].name) && columns[index].content.isEmpty {
            columns[index].isWritten = false
            let name = columns[index].name
            renamed.removeAll { $0.from.isEmpty && $0.to == name }
        }
    }

    private func unknown(_ name: String, option: OptionName) -> InputError {
        InputError(
            .usage, in: inputName, line: headerLine,
            InputError.noColumn(name, for: option, among: columns.map(\.name)))
    }

    /// Makes the columns. Names that clash with reserved ones get underscores appended.
    private static func columns(named names: [String], reserved: Set<String>) -> [PointColumn] {
        var taken = reserved.union(names)
        return names.enumerated().map { index, name in
            var free = name
            if reserved.contains(name) {
                while taken.contains(free) { free += "_" }
                taken.insert(free)
            }
            return PointColumn(index: index, name: name, outputName: free, quotedName: quoted(free))
        }
    }

    /// A property's name as JSON, with the colon after it.
    package static func quoted(_ name: String) -> [UInt8] {
        var quoted = ByteBuffer(capacity: 64)
        quoted.append(quoted: name)
        quoted.append(UInt8(ascii: ":"))
        return quoted.withUnsafeBytes { Array($0) }
    }
}
