/// Something odd about an accepted row. It costs at most a value, never the point.
package enum RowRemark: Int, CaseIterable, Sendable {
    /// A quote at the beginning of a field is text.
    case quoteAsText
    /// A byte order mark stands before the row, where files were joined.
    case byteOrderMark
    /// The row has fewer fields than the header; the missing ones are empty.
    case shortRow
    /// The row has more fields than the header.
    case spareText
    /// The longitude was over 180, and 360 degrees were taken from it.
    case wrappedEast
    /// The longitude was under -180, and 360 degrees were added to it.
    case wrappedWest
    /// GeoJSON's coordinates were strings.
    case textCoordinate
    /// Degrees and minutes were one number, as in NMEA's `4807.038`.
    case packedMinutes
    /// Which number comes first in the cell with both coordinates, where its notation allows both.
    case latitudeFirst, longitudeFirst
    /// Blanks around a value that options compare were left out.
    case blanks
    /// A property was left out because readers of tiles can't use it, such as NaN.
    case unusableValue
    /// A property has its name twice; the last value counts.
    case repeatedName
    /// The id is a number that readers of JSON round.
    case largeID
}

/// How many rows or cells of a kind there are, and the first of them.
struct FoundRows: Sendable {
    private(set) var count = 0
    /// The start of the first such row.
    private(set) var firstRow = 0
    /// What is shown of it, such as a property's name.
    private(set) var example = ""

    mutating func add(rowAt start: Int, example: () -> String) {
        if count == 0 || start < firstRow { (firstRow, self.example) = (start, example()) }
        count += 1
    }

    /// Appends the rows of the next chunk of the input.
    mutating func append(_ next: FoundRows) {
        if count == 0 { (firstRow, example) = (next.firstRow, next.example) }
        count += next.count
    }
}

/// Counts what is odd about accepted rows.
struct RowRemarks: Sendable {
    /// By remark.
    private var found = [FoundRows](repeating: FoundRows(), count: RowRemark.allCases.count)

    subscript(remark: RowRemark) -> FoundRows { found[remark.rawValue] }

    mutating func add(_ remark: RowRemark, rowAt start: Int, example: @autoclosure () -> String = "") {
        found[remark.rawValue].add(rowAt: start, example: example)
    }

    /// Appends the rows of the next chunk of the input.
    mutating func append(_ next: RowRemarks) {
        for index in found.indices { found[index].append(next.found[index]) }
    }
}
