import PyramidTiles

/// What kinds of cells the complete rows have in every column, and whether a row with fewer or more cells than the header
/// can be read in one way only.
///
/// A reading assigns the row's cells to columns in their order. In a row with fewer cells some columns have none; in one
/// with more, an unquoted delimiter may have cut a text or a number. The row's own reading takes the columns from the first
/// on. It counts if all its cells fit their columns, and if each other reading that puts other cells into the columns of
/// coordinates fits worse.
struct CellKinds {
    /// By column; empty if the complete rows have no values there. Whole numbers are ``ValueKinds/number``, those with
    /// decimals ``ValueKinds/decimalPoint``.
    private var kinds: [ValueKinds]
    /// How many rows were added.
    private var rowCount = 0
    private let coordinates: CoordinateColumns
    private let isCoordinate: [Bool]
    private let hasDecimalCommas: Bool

    /// How many steps a row's readings may take. Longer rows are uncertain.
    private static let stepLimit = 1 << 20

    init(_ rule: CSVRowRule) {
        kinds = Array(repeating: [], count: rule.fieldCount)
        coordinates = rule.place.columns
        let columns = Set(coordinates.columns)
        isCoordinate = kinds.indices.map(columns.contains)
        hasDecimalCommas = rule.delimiter != UInt8(ascii: ",")
    }

    /// Combines the kinds of all complete rows. Some files end most rows with the same number of extra delimiters; if these
    /// rows outnumber those of the header's length, they are complete as well.
    /// - Parameter kinds: the kinds by the number of cells, for rows without text beyond the header's columns. Rows that are
    ///   shorter than the header are grouped with those of its length.
    static func ofMost(_ kinds: [Int: CellKinds], _ rule: CSVRowRule) -> CellKinds {
        var complete = kinds[rule.fieldCount] ?? CellKinds(rule)
        let wide = kinds.filter { $0.key > rule.fieldCount }.max {
            ($0.value.rowCount, $1.key) < ($1.value.rowCount, $0.key)
        }
        guard let wide, wide.value.rowCount > complete.rowCount else { return complete }
        complete.rowCount += wide.value.rowCount
        for column in complete.kinds.indices { complete.kinds[column].formUnion(wide.value.kinds[column]) }
        return complete
    }

    mutating func add(_ fields: [CSVField], of bytes: Span<UInt8>) {
        rowCount += 1
        for column in kinds.indices { kinds[column].formUnion(kind(of: fields[column], in: bytes)) }
    }

    /// Empty for an empty cell.
    private func kind(of field: CSVField, in bytes: Span<UInt8>) -> ValueKinds {
        let range = bytes.trimmingBlanks(field.range)
        guard !range.isEmpty else { return [] }
        if let number = DecimalLiteral(bytes, in: range) { return number.isInteger ? .number : .decimalPoint }
        if Cell.isBoolean(bytes, range) { return .boolean }
        return hasDecimalCommas && Cell.marks(bytes, range) != nil ? .decimalPoint : .text
    }

    /// How well a cell fits a column: 1 if complete rows have such cells there, 0 if it may be one; `nil` if it is none.
    private func fit(_ kind: ValueKinds, _ column: Int) -> Int? {
        if kind.isEmpty { return isCoordinate[column] ? nil : 0 }
        // Without complete rows, only coordinates are known to be numbers, with decimals.
        let known =
            rowCount > 0
            ? kinds[column]
            : isCoordinate[column] ? [.decimalPoint, .text] : [.number, .decimalPoint, .boolean, .text]
        if known.contains(kind) { return 1 }
        let mayBeNumber =
            !known.isDisjoint(with: [.number, .decimalPoint]) && kind.isSubset(of: [.number, .decimalPoint])
        return known.isEmpty || known.contains(.text) || mayBeNumber ? 0 : nil
    }

    /// Whether the coordinates of a row are certain.
    /// - Parameter fields: all cells of the row.
    func areCertain(_ fields: [CSVField], of bytes: Span<UInt8>) -> Bool {
        let cells = fields.map { kind(of: $0, in: bytes) }
        var (own, oddCount) = (0, 0)
        // With extra empty cells, a row is rejected only if a shifted reading fits better.
        let isWide = cells.count > kinds.count && cells[kinds.count...].allSatisfy(\.isEmpty)
        for column in 0..<min(cells.count, kinds.count) {
            guard let fit = fit(cells[column], column) else {
                if isWide { continue }
                return false
            }
            own += fit
            // One of the coordinates may be a whole number by chance.
            if isCoordinate[column], fit == 0 { oddCount += cells[column] == .number ? 1 : 2 }
        }
        guard isWide || oddCount <= 1 else { return false }
        // Two coordinates behind the header's cells may be those of another row.
        let spare = cells.indices.dropFirst(kinds.count)
        func fits(_ index: Int, _ angle: AngleColumns) -> Bool {
            cells[index] != .text && fit(cells[index], angle.degrees) == 1
        }
        guard
            !spare.contains(where: { first in
                fits(first, coordinates.latitude) && spare.contains { $0 != first && fits($0, coordinates.longitude) }
            })
        else { return false }
        guard let other = bestOther(cells, fields, of: bytes) else { return true }
        return isWide ? own >= other : own > other
    }

    /// How many cells fit in the best reading that puts other cells into the columns of coordinates; `nil` if there is none,
    /// the largest number if there are too many to try.
    private func bestOther(_ cells: [ValueKinds], _ fields: [CSVField], of bytes: Span<UInt8>) -> Int? {
        let (spare, missing) = (max(cells.count - kinds.count, 0), max(kinds.count - cells.count, 0))
        let width = spare + missing + 1
        // Trailing empty cells may be ignored.
        let filled = (cells.lastIndex { !$0.isEmpty } ?? -1) + 1
        let ends = missing > 0 ? missing..<width : max(filled - kinds.count, 0)..<width
        guard kinds.count * width * (spare + 1) <= CellKinds.stepLimit else { return .max }
        // By the number of cells that were taken too many, or that were left out, up to a column: the best fit of readings
        // with the same coordinates, and with others; negative if there is none.
        let none = [Int](repeating: -1, count: width)
        var best = [none, none]
        best[0][0] = 0
        for column in kinds.indices {
            var next = [none, none]
            for shift in 0..<width where best[0][shift] >= 0 || best[1][shift] >= 0 {
                let first = spare > 0 ? column + shift : column - shift
                for count in (missing > 0 ? 0 : 1)...(missing > 0 ? 1 : spare - shift + 1) {
                    let end = missing > 0 ? shift + 1 - count : shift + count - 1
                    guard end < width, first + count <= cells.count,
                        let fit = fit(of: first..<first + count, cells, fields, bytes, column)
                    else { continue }
                    let isSame = !isCoordinate[column] || shift == 0 && count == 1
                    for from in 0...1 where best[from][shift] >= 0 {
                        let to = isSame ? from : 1
                        next[to][end] = max(next[to][end], best[from][shift] + fit)
                    }
                }
            }
            best = next
        }
        return best[1][ends].max().flatMap { $0 < 0 ? nil : $0 }
    }

    /// How well some of the cells fit a column together.
    private func fit(
        of range: Range<Int>, _ cells: [ValueKinds], _ fields: [CSVField], _ bytes: Span<UInt8>, _ column: Int
    ) -> Int? {
        guard let first = range.first else { return isCoordinate[column] ? nil : 0 }
        if range.count > 1 {
            let filled = range.filter { !cells[$0].isEmpty }
            if filled.count <= 1, !isCoordinate[column] { return filled.first.flatMap { fit(cells[$0], column) } }
            // Thousands, the halves of a decimal number, or else a text.
            let areWhole = range.allSatisfy { cells[$0] == .number }
            if isCoordinate[column] { return areWhole && range.count == 2 ? 1 : nil }
            return areWhole && !kinds[column].isDisjoint(with: [.number, .decimalPoint]) ? 1 : fit(.text, column)
        }
        guard let fit = fit(cells[first], column) else { return nil }
        for axis in [Axis.latitude, .longitude] where coordinates[axis].isPlain && coordinates[axis].degrees == column {
            let value = DecimalDegrees.microdegrees(bytes, bytes.trimmingBlanks(fields[first].range), axis: axis)
            let limit = axis.limitMicrodegrees * (axis == .longitude ? 2 : 1)
            if !coordinates.isPoint, value.map({ abs($0) > limit }) ?? true { return nil }
        }
        return fit
    }
}
