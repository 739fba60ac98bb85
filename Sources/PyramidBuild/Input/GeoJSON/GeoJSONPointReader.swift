import PyramidTiles

/// Reads the points of GeoJSON (RFC 7946): a FeatureCollection, a Feature on each line, Features after record
/// separators (RFC 8142), or any sequence of these; or a bare array of features. A feature is a row.
///
/// Only the arrays of accepted rows are stored, so other objects in the input need no memory. If a feature in a
/// collection is broken JSON, the build fails, because the start of the next one can't be found. In a sequence a broken
/// feature is a bad row, and the next one begins at the next line or separator.
struct GeoJSONPointReader: PointReader {
    private var collected: GeoJSONRows
    /// The container of the features, for messages about broken JSON.
    private var container = "FeatureCollection"
    private(set) var collectionName: String?
    /// Bytes read twice, because a broken feature was ended early; at most the size of the input.
    private var bytesReadAgain = 0

    private var cutting = InputCutting()
    private var store: (any RowStore)?
    private var hasRoom = false

    private static let rowsPerReport = 1 << 16
    /// The number of rows from whose mean length the total is estimated.
    private static let rowsToMeasure = 1 << 10

    init(_ input: InputBytes, options: InputOptions, area: PartArea? = nil, readsOnlyColumns: Bool = false) {
        collected = GeoJSONRows(input, options: options, area: area, readsOnlyColumns: readsOnlyColumns)
    }

    /// Whether the bytes look like GeoJSON: after white space comes an object, a record separator, or an array that is
    /// empty or begins with an object.
    static func recognises(_ input: InputBytes) -> Bool {
        let elements = input.elements
        let bytes = elements.span
        var scanner = JSONScanner(at: bytes.afterByteOrderMark)
        var first = scanner.next(bytes)
        if first == UInt8(ascii: "[") {
            scanner.position += 1
            first = scanner.next(bytes)
            if first == UInt8(ascii: "]") { return true }
        }
        return first == UInt8(ascii: "{") || first == JSONScanner.recordSeparator
    }

    var input: InputBytes { collected.input }
    var syntax: RowSyntax { .geoJSON }
    var rowsDigest: UInt64 { collected.survey.digest }
    var cellDigests: CellDigests { collected.survey.cellDigests }
    var rows: ReadRows {
        get { collected.rows }
        set { collected.rows = newValue }
    }

    var columns: InputColumns {
        let columns = collected.survey.columns
        let id = collected.check.idRule.propertyName.flatMap { name in
            columns.firstIndex { $0.name.utf8.elementsEqual(name) }
        }
        return InputColumns(
            names: columns.map(\.name), kinds: columns.map(\.kinds), idColumn: id, isOrdered: false)
    }

    mutating func read(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) {
        self.cutting = cutting
        self.store = store
        let elements = input.elements
        let bytes = elements.span
        var scanner = JSONScanner(at: bytes.afterByteOrderMark)
        if scanner.next(bytes) == UInt8(ascii: "[") {
            container = "array of features"
            scanner.position = try readFeatures(at: scanner.position, in: bytes, progress)
            container = "FeatureCollection"
        }
        var ahead = GeoJSONRowsAhead(isList: false, cutting)
        while true {
            let end = scanner.position
            _ = scanner.nextText(bytes, isList: false)
            guard scanner.position < bytes.count else { break }
            if let chunk = ahead.next(from: end, to: scanner.position, after: collected, in: bytes) {
                try append(chunk, after: 0, progress)
                scanner.position = chunk.end
            } else {
                scanner.position = try readText(at: scanner.position, in: bytes, progress)
            }
        }
        progress(bytes.count)
    }

    mutating func countDuplicate(rowAt start: Int) throws(InputError) { try collected.countDuplicate(rowAt: start) }

    mutating func beginSurvey() { collected.beginSurvey() }

    mutating func survey(rowAt start: Int) { collected.survey(rowAt: start) }

    mutating func id(ofRowAt start: Int) -> [UInt8] { collected.id(ofRowAt: start) }
}

/// The levels of an input: texts, collections, arrays of features.
extension GeoJSONPointReader {
    /// Reads the feature or collection that begins at `start`.
    /// - Returns: where to continue.
    private mutating func readText(
        at start: Int, in bytes: Span<UInt8>, _ progress: (Int) -> Void
    ) throws(InputError) -> Int {
        let isObject = bytes[start] == UInt8(ascii: "{")
        do throws(JSONFault) {
            guard isObject else { throw JSONFault(offset: start, expected: "a Feature") }
            try collected.feature.scan(bytes, from: start, stopsAtCollection: true)
        } catch {
            // It is a collection, broken before its "type" member.
            if isObject, collected.feature.hasFeatures, collected.feature.type == nil { throw broken(error, in: bytes) }
            let found = GeoJSONRowCheck.found(error, in: bytes)
            try collected.addBad(.invalidJSON, rowAt: start, found: found)
            return rowAfterFault(at: start, reachedTo: error.offset, in: bytes)
        }
        if collected.feature.isCollection(bytes) { return try readCollection(at: start, in: bytes, progress) }
        let end = collected.feature.end
        try readRow(at: start, in: bytes, progress)
        return end
    }

    /// Reads the FeatureCollection that begins at `start`.
    /// - Returns: the position after it.
    private mutating func readCollection(
        at start: Int, in bytes: Span<UInt8>, _ progress: (Int) -> Void
    ) throws(InputError) -> Int {
        var scanner = JSONScanner(at: start + 1)
        var isFirst = true
        var hasFeatures = false
        while let name = try requiringJSON(try scanner.nextName(isFirst: isFirst, in: bytes), in: bytes) {
            isFirst = false
            if bytes.isEqual(name, "features") {
                guard !hasFeatures else {
                    throw broken(
                        JSONFault(offset: name.range.lowerBound - 1, expected: "\"features\" only once"), in: bytes)
                }
                hasFeatures = true
                scanner.position = try readFeatures(at: scanner.position, in: bytes, progress)
            } else {
                let value = try requiringJSON(try scanner.scanValue(bytes), in: bytes)
                if bytes.isEqual(name, "crs"), let system = GeoJSONCoordinateSystem(value, in: bytes) {
                    try system.requireWGS84(in: input)
                }
                if bytes.isEqual(name, "name"), value.kind == .text {
                    collectionName = String(decoding: value.text.range.map { bytes[$0] }, as: UTF8.self)
                }
            }
        }
        guard hasFeatures else {
            throw broken(JSONFault(offset: scanner.position - 1, expected: "features before the end"), in: bytes)
        }
        return scanner.position
    }

    /// Reads the array of features that begins at `start`.
    /// - Returns: the position after it.
    private mutating func readFeatures(
        at start: Int, in bytes: Span<UInt8>, _ progress: (Int) -> Void
    ) throws(InputError) -> Int {
        var scanner = JSONScanner(at: start)
        var count = 0
        defer { collected.ordinal = nil }
        try requiringJSON(try scanner.expect(UInt8(ascii: "["), "an array of features", in: bytes), in: bytes)
        var ahead = GeoJSONRowsAhead(isList: true, cutting)
        var isNext = try requiringJSON(try scanner.nextElement(isFirst: true, in: bytes), in: bytes)
        while isNext {
            let end = scanner.position
            let isObject = scanner.nextText(bytes, isList: true) == UInt8(ascii: "{")
            let start = scanner.position
            if let chunk = ahead.next(from: end, to: start, after: collected, in: bytes) {
                try append(chunk, after: count, progress)
                count += chunk.collected.rows.seenCount
                scanner.position = chunk.end
                continue
            }
            count += 1
            collected.ordinal = count
            if isObject {
                // Not `requiringJSON`, whose copy of `self` would make the scan copy its arrays.
                do throws(JSONFault) { try collected.feature.scan(bytes, from: start) } catch {
                    throw broken(error, in: bytes)
                }
                scanner.position = collected.feature.end
                try readRow(at: start, in: bytes, progress)
            } else {
                let value = try requiringJSON(try scanner.scanValue(bytes), in: bytes)
                let found = InputError.quoted(input.elements[value.range])
                try collected.addBad(.notAFeature, rowAt: start, found: found)
            }
            isNext = try requiringJSON(try scanner.nextElement(isFirst: false, in: bytes), in: bytes)
        }
        return scanner.position
    }

    /// Reads a piece of a collection; a fault ends the build.
    private func requiringJSON<Piece>(
        _ piece: @autoclosure () throws(JSONFault) -> Piece, in bytes: Span<UInt8>
    ) throws(InputError) -> Piece {
        do throws(JSONFault) { return try piece() } catch { throw broken(error, in: bytes) }
    }

    private func broken(_ fault: JSONFault, in bytes: Span<UInt8>) -> InputError {
        var lines = LineCounter()
        return InputError(
            .badData, in: input.name, line: lines.line(at: fault.offset, in: bytes),
            fault.offset < bytes.count
                ? "\(container) has \(GeoJSONRowCheck.found(fault, in: bytes))"
                : "the file ends inside the \(container); is it cut off?")
    }

    /// Where to continue after a broken feature: at the next line or record separator. At most the size of the input is
    /// read twice, so the time stays linear.
    private mutating func rowAfterFault(at start: Int, reachedTo end: Int, in bytes: Span<UInt8>) -> Int {
        func nextText(after position: Int) -> Int {
            var position = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n"), bytes[position] != UInt8(ascii: "\r"),
                bytes[position] != JSONScanner.recordSeparator
            {
                position += 1
            }
            return position
        }
        let next = nextText(after: start)
        let again = max(end - next, 0)
        guard bytesReadAgain + again <= bytes.count else { return nextText(after: end) }
        bytesReadAgain += again
        return next
    }

    private mutating func readRow(
        at start: Int, in bytes: Span<UInt8>, _ progress: (Int) -> Void
    ) throws(InputError) {
        try collected.add(rowAt: start, in: bytes)
        if collected.rows.seenCount % GeoJSONPointReader.rowsPerReport == 0 { progress(collected.feature.end) }
        reserveRoom(bytesRead: collected.feature.end)
        try collected.rows.move(to: store)
    }

    /// Appends the features of a chunk that was read ahead.
    private mutating func append(
        _ chunk: GeoJSONRowsAhead.Chunk, after ordinal: Int, _ progress: (Int) -> Void
    ) throws(InputError) {
        collected.append(chunk.collected, after: ordinal)
        progress(chunk.end)
        reserveRoom(bytesRead: chunk.end)
        try collected.rows.move(to: store)
    }

    /// Reserves room for all rows once enough rows are known to estimate it.
    private mutating func reserveRoom(bytesRead: Int) {
        guard !hasRoom, collected.rows.count >= GeoJSONPointReader.rowsToMeasure else { return }
        collected.rows.reserveRoom(
            inputBytes: input.bytes.count, bytesRead: bytesRead, limit: store?.rowLimit ?? InputLimits.points)
        hasRoom = true
    }
}
