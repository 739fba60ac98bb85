/// What a worker needs to read records again, kept from one to the next so that nothing is allocated per point.
struct RecordScratch {
    var scanner: CSVRowScanner
    private var unquoted: [UInt8] = []

    init(_ format: CSVRecordFormat) {
        scanner = CSVRowScanner(delimiter: format.delimiter, roomForFields: format.columnCount)
    }

    /// The text of a column of the row that was scanned last, its quotes undone; valid during the call.
    mutating func withText(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let field = scanner.fields[column]
        guard field.hasDoubledQuotes else {
            body(UnsafeRawBufferPointer(rebasing: bytes[field.range]))
            return
        }
        bytes.assumingMemoryBound(to: UInt8.self).span.unquote(field, into: &unquoted)
        unquoted.withUnsafeBytes(body)
    }
}
