import PyramidTiles

/// Something odd about an accepted row. It costs at most a value, never the point.
enum RowRemark: Int, CaseIterable, Sendable {
    /// A quote at the beginning of a field is text.
    case quoteAsText
    /// A byte order mark stands before the row, where files were joined.
    case byteOrderMark
    /// The row has fewer fields than the header; the missing ones are empty.
    case shortRow
    /// The row has more fields than the header.
    case spareText
    /// The longitude was over 180, and 360 degrees were taken from it.
    case wrappedLongitude
    /// The longitude was under -180, and 360 degrees were added to it.
    case wrappedWest
    /// Degrees and minutes were one number, as in NMEA's `4807.038`.
    case packedMinutes
    /// It was 360.
    case wrappedToZero
    /// Which number comes first in the cell with both coordinates, where its notation allows both.
    case latitudeFirst, longitudeFirst
    /// A property was left out because readers of tiles can't use it, such as NaN.
    case unusableValue
    /// A property has its name twice; the last value counts.
    case repeatedName
    /// The id is a number that readers of JSON round.
    case largeID
}

/// Counts what is odd about accepted rows.
struct RowRemarks: Sendable {
    struct Entry: Sendable {
        var count = 0
        /// The start of the first such row.
        var firstRow = 0
        /// What is shown of it, such as a property's name.
        var example = ""
    }

    /// By remark.
    private var entries = [Entry](repeating: Entry(), count: RowRemark.allCases.count)

    subscript(remark: RowRemark) -> Entry { entries[remark.rawValue] }

    mutating func add(_ remark: RowRemark, rowAt start: Int, example: @autoclosure () -> String = "") {
        if entries[remark.rawValue].count == 0 || start < entries[remark.rawValue].firstRow {
            entries[remark.rawValue].firstRow = start
            entries[remark.rawValue].example = example()
        }
        entries[remark.rawValue].count += 1
    }

    mutating func add(_ place: PlaceReading, rowAt start: Int) {
        if place.isPacked { add(.packedMinutes, rowAt: start) }
        guard place.isWrapped else { return }
        add(place.longitude > 0 ? .wrappedWest : .wrappedLongitude, rowAt: start)
        if place.longitude == 0 { add(.wrappedToZero, rowAt: start) }
    }

    /// Appends the rows of the next chunk of the input.
    mutating func append(_ next: RowRemarks) {
        for index in entries.indices where next.entries[index].count > 0 {
            if entries[index].count == 0 {
                entries[index] = next.entries[index]
            } else {
                entries[index].count += next.entries[index].count
            }
        }
    }
}
