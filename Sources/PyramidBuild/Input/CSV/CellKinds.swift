import PyramidTiles

/// What kinds of cells the complete rows have in every column, and whether a row with fewer or more cells than the header
/// can be read in one way only.
///
/// A reading assigns the row's cells to columns in their order. In a row with fewer cells some columns have none; in one
/// with more, an unquoted delimiter may have cut a text, so columns of text can have several. The row's own reading takes the
/// columns from the first on. It counts if all its cells fit their columns, and if each other reading that puts other cells
/// into the columns of coordinates fits worse.
struct CellKinds {
    private struct Kinds: OptionSet {
        let rawValue: UInt8
        static let whole = Kinds(rawValue: 1)
        static let decimal = Kinds(rawValue: 2)
        static let boolean = Kinds(rawValue: 4)
        static let text = Kinds(rawValue: 8)
        static let numbers: Kinds = [.whole, .decimal]
    }

    /// By column; empty if the complete rows have no values there.
    private var kinds: [Kinds]
    private var hasRows = false
    private let coordinates: CoordinateColumns
    private let isCoordinate: [Bool]
    private let hasDecimalCommas: Bool

    init(_ rule: CSVRowRule) {
        kinds = Array(repeating: [], count: rule.fieldCount)
        coordinates = rule.place.columns
        let columns = Set(coordinates.columns)
        isCoordinate = (0..<rule.fieldCount).map(columns.contains)
        hasDecimalCommas = rule.delimiter != UInt8(ascii: ",")
    }

    mutating func add(_ fields: [CSVField], of bytes: Span<UInt8>) {
        hasRows = true
        for column in kinds.indices { kinds[column].formUnion(kind(of: fields[column], in: bytes)) }
    }

    /// Empty for an empty cell.
    private func kind(of field: CSVField, in bytes: Span<UInt8>) -> Kinds {
        let range = bytes.trimmingBlanks(field.range)
        guard !range.isEmpty else { return [] }
        if let number = DecimalLiteral(bytes, in: range) { return number.isInteger ? .whole : .decimal }
        if Cell.isBoolean(bytes, range) { return .boolean }
        return hasDecimalCommas && Cell.comma(bytes, range) != nil ? .decimal : .text
    }

    /// How well a cell fits a column: 1 if complete rows have such cells there, 0 if it may be one; `nil` if it is none.
    private func fit(_ kind: Kinds, _ column: Int, isOwn: Bool) -> Int? {
        if kind.isEmpty { return isCoordinate[column] ? nil : 0 }
        // Without complete rows, only coordinates are known to be numbers, with decimals.
        let known =
            hasRows ? kinds[column] : isCoordinate[column] ? [.decimal, .text] : [.whole, .decimal, .boolean, .text]
        if known.contains(kind) { return 1 }
        if isCoordinate[column], isOwn { return nil }
        return known.isEmpty || known.contains(.text)
            || !known.isDisjoint(with: .numbers) && kind.isSubset(of: .numbers) ? 0 : nil
    }

    /// Whether the coordinates of a row are certain.
    /// - Parameter fields: all cells of the row, without empty ones at its end beyond the header.
    func areCertain(_ fields: [CSVField], of bytes: Span<UInt8>) -> Bool {
        let kinds = fields.map { kind(of: $0, in: bytes) }
        var own = 0
        for column in 0..<min(kinds.count, self.kinds.count) {
            guard let fit = fit(kinds[column], column, isOwn: true) else { return false }
            own += fit
        }
        guard let other = bestOther(kinds, fields, of: bytes) else { return true }
        return own > other
    }

    /// How many cells fit in the best reading that puts other cells into the columns of coordinates; `nil` if there is none,
    /// the largest number if there are too many to try.
    private func bestOther(_ cells: [Kinds], _ fields: [CSVField], of bytes: Span<UInt8>) -> Int? {
        let columnCount = kinds.count
        let isLong = cells.count > columnCount
        guard cells.count * columnCount * (isLong ? cells.count - columnCount + 1 : 1) <= 1 << 22 else { return .max }
        // By the number of cells that are assigned: the best fit of readings with the same coordinates, and with others.
        var best = [(same: Int?, other: Int?)](repeating: (nil, nil), count: cells.count + 1)
        best[0].same = 0
        for column in 0..<columnCount {
            var next = [(same: Int?, other: Int?)](repeating: (nil, nil), count: cells.count + 1)
            for taken in best.indices where best[taken].same != nil || best[taken].other != nil {
                let most =
                    isLong ? min(cells.count - columnCount + 1, cells.count - taken) : min(1, cells.count - taken)
                for count in stride(from: isLong ? 1 : 0, through: most, by: 1) {
                    guard let fit = fit(of: taken..<taken + count, cells, fields, bytes, column) else { continue }
                    let isSame = !isCoordinate[column] || taken == column && count == 1
                    let (same, other) = (best[taken].same.map { $0 + fit }, best[taken].other.map { $0 + fit })
                    next[taken + count].same = CellKinds.greater(next[taken + count].same, isSame ? same : nil)
                    next[taken + count].other = CellKinds.greater(next[taken + count].other, other)
                    if !isSame { next[taken + count].other = CellKinds.greater(next[taken + count].other, same) }
                }
            }
            best = next
        }
        return best[cells.count].other
    }

    /// How well some of the cells fit a column together.
    private func fit(
        of range: Range<Int>, _ cells: [Kinds], _ fields: [CSVField], _ bytes: Span<UInt8>, _ column: Int
    ) -> Int? {
        guard let first = range.first else { return isCoordinate[column] ? nil : 0 }
        if range.count > 1 { return isCoordinate[column] ? nil : fit(.text, column, isOwn: false) }
        guard let fit = fit(cells[first], column, isOwn: false) else { return nil }
        for axis in [Axis.latitude, .longitude] where coordinates[axis].isPlain && coordinates[axis].degrees == column {
            let value = DecimalDegrees.microdegrees(bytes, bytes.trimmingBlanks(fields[first].range), axis: axis)
            let limit = axis.limitMicrodegrees * (axis == .longitude ? 2 : 1)
            if !coordinates.isPoint, value.map({ abs($0) > limit }) ?? true { return nil }
        }
        return fit
    }

    private static func greater(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return first ?? second }
        return max(first, second)
    }
}
