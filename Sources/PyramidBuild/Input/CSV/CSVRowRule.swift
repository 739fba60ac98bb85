import PyramidTiles

/// What decides how the rows of a CSV input are split into fields. It holds no references, so that threads can share it.
struct CSVRowRule: Sendable {
    let delimiter: UInt8
    let quotes: QuoteRule
    /// The number of fields in the header.
    let fieldCount: Int
    /// The number of fields up to the last one with a name in the header; a row with fewer is short.
    let namedFieldCount: Int
    var place: CSVPlace

    init(delimiter: UInt8, quotes: QuoteRule, fieldCount: Int, namedFieldCount: Int, place: CSVPlace) {
        (self.delimiter, self.quotes, self.place) = (delimiter, quotes, place)
        (self.fieldCount, self.namedFieldCount) = (fieldCount, namedFieldCount)
    }

    static let unused = CSVRowRule(headerDelimitedBy: 0, quotes: .none)

    /// For a header itself.
    /// - Parameter fieldCount: how many of its fields are kept; all are counted.
    init(headerDelimitedBy delimiter: UInt8, quotes: QuoteRule, fieldCount: Int = 0) {
        self.init(
            delimiter: delimiter, quotes: quotes, fieldCount: fieldCount, namedFieldCount: 0,
            place: CSVPlace(columns: CoordinateColumns(point: 0)))
    }

    /// Whether a row with this many fields lacks none and has none to spare.
    /// - Parameter hasSpareText: whether a field that the header doesn't have is not empty.
    func isWhole(fieldCount count: Int, hasSpareText: Bool) -> Bool { count >= namedFieldCount && !hasSpareText }
}

extension CSVRowRule {
    /// Whether a line is a row if its quotes are text: it has as many fields as the header, and its coordinates are
    /// readable or empty.
    /// - Parameter mayBeShort: whether it is also a row with fewer fields and readable coordinates.
    func isRow(
        _ line: Range<Int>, of bytes: Span<UInt8>, _ buffer: inout [UInt8], mayBeShort: Bool = false
    ) -> Bool {
        guard !bytes.trimmingBlanks(line).isEmpty else { return false }
        let stops = FieldStops(delimiter: delimiter)
        var coordinates = (latitude: line.upperBound..<line.upperBound, longitude: line.upperBound..<line.upperBound)
        var count = 0
        var hasSpareText = false
        var position = line.lowerBound
        while true {
            let end = min(stops.first(in: bytes, from: position), line.upperBound)
            if count == place.columns.latitude { coordinates.latitude = position..<end }
            if count == place.columns.longitude { coordinates.longitude = position..<end }
            if count >= fieldCount, !bytes.trimmingBlanks(position..<end).isEmpty { hasSpareText = true }
            count += 1
            guard end < line.upperBound, !hasSpareText else { break }
            position = end + 1
        }
        let isWhole = isWhole(fieldCount: count, hasSpareText: hasSpareText)
        guard isWhole || mayBeShort && !hasSpareText else { return false }
        func field(_ range: Range<Int>) -> CSVField {
            CSVField(start: range.lowerBound, end: range.upperBound, hasDoubledQuotes: false)
        }
        guard isWhole || !coordinates.latitude.isEmpty && !coordinates.longitude.isEmpty else { return false }
        return place.areReadableOrMissing(
            latitude: field(coordinates.latitude), longitude: field(coordinates.longitude), of: bytes, &buffer)
    }
}
