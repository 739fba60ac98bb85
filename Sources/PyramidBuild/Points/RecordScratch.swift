/// What a worker needs to read records again, kept from one to the next so that nothing is allocated per point.
struct RecordScratch {
    /// By input; those of GeoJSON have no use for theirs.
    var csv: [CSVRecordScratch]
    var geoJSON = GeoJSONRecordScratch()

    init(_ formats: [RecordFormat]) {
        csv = formats.map { format in
            guard case .csv(let format) = format else { return CSVRecordScratch(delimiter: 0, fieldCount: 0) }
            return CSVRecordScratch(delimiter: format.delimiter, fieldCount: format.fieldCount)
        }
    }
}

struct CSVRecordScratch {
    var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []

    init(delimiter: UInt8, fieldCount: Int) {
        scanner = CSVRowScanner(delimiter: delimiter, roomForFields: fieldCount)
    }

    /// The text of a field of the row that was scanned last, its quotes undone; valid during the call.
    mutating func withText(
        ofField index: Int, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let field = scanner.fields[index]
        guard field.hasDoubledQuotes else {
            body(UnsafeRawBufferPointer(rebasing: bytes[field.range]))
            return
        }
        bytes.assumingMemoryBound(to: UInt8.self).span.unquote(field, into: &unquoted)
        unquoted.withUnsafeBytes(body)
    }
}

struct GeoJSONRecordScratch {
    private(set) var feature = GeoJSONFeatureScanner()
    /// The columns of the last feature's properties, which most likely are those of the next too, in the same order.
    private var layout: [Int] = []
    private var buffer: [UInt8] = []

    /// - Parameter start: of a feature that was accepted.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) {
        do throws(JSONFault) {
            try feature.scan(bytes, from: start)
        } catch {
            preconditionFailure("a row that was accepted is not JSON")
        }
    }

    /// The table's column of a property of the feature that was scanned last.
    mutating func column(of name: JSONText, at index: Int, in bytes: Span<UInt8>, _ columns: TableColumns) -> Int {
        let guess = index < layout.count ? layout[index] : 0
        let column: Int?
        if name.hasEscapes {
            bytes.unescape(name, into: &buffer)
            column = columns.index(of: buffer)
        } else {
            column = columns.index(of: name.range, in: bytes, guess: guess)
        }
        guard let column else { preconditionFailure("a property of an accepted row is no column") }
        if index < layout.count { layout[index] = column } else { layout.append(column) }
        return column
    }

    /// A string's characters; valid during the call.
    mutating func withText(
        _ text: JSONText, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard text.hasEscapes else {
            body(UnsafeRawBufferPointer(rebasing: bytes[text.range]))
            return
        }
        bytes.assumingMemoryBound(to: UInt8.self).span.unescape(text, into: &buffer)
        buffer.withUnsafeBytes(body)
    }

    /// A value as canonical JSON; valid during the call.
    mutating func withJSON(
        _ value: JSONValue, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard value.hasEscapes || value.kind == .object || value.kind == .array else {
            body(UnsafeRawBufferPointer(rebasing: bytes[value.range]))
            return
        }
        buffer.removeAll(keepingCapacity: true)
        bytes.assumingMemoryBound(to: UInt8.self).span.appendCanonicalJSON(value, to: &buffer)
        buffer.withUnsafeBytes(body)
    }
}
