import PyramidTiles

/// Features that several threads read ahead, before it is known whether a feature begins where they began to read.
///
/// A part is used if reading from the start of the input arrives at the same position, and dropped otherwise.
struct GeoJSONRowsAhead {
    /// What was read from the beginning of a line on.
    struct Part: Sendable {
        let start: Int
        /// After the last feature that was read, and after its comma in a list.
        let end: Int
        let intake: GeoJSONRows
    }

    private let isList: Bool
    private let cutting: InputCutting
    private var parts: ArraySlice<Part> = []
    /// Where the input after these parts begins.
    private var nextStart = 0

    /// - Parameter isList: whether there are commas between the features, as between the elements of an array.
    init(isList: Bool, _ cutting: InputCutting) {
        self.isList = isList
        self.cutting = cutting
    }

    /// The features from `start` on; `nil` if there are none, or none that can be used without another look.
    /// - Parameters:
    ///   - end: the position after the last feature, or its comma; only blanks lie between.
    ///   - intake: the features before them.
    mutating func next(from end: Int, to start: Int, after intake: GeoJSONRows, in bytes: Span<UInt8>) -> Part? {
        guard cutting.jobs > 1 else { return nil }
        while let part = parts.first, part.start < end { parts.removeFirst() }
        if parts.isEmpty, start >= nextStart { readParts(from: start, like: intake, in: bytes) }
        guard let part = parts.first, part.start <= start else { return nil }
        parts.removeFirst()
        return part.intake.rows.count > 0 && intake.hasRoom(for: part.intake) ? part : nil
    }

    private mutating func readParts(from start: Int, like intake: GeoJSONRows, in bytes: Span<UInt8>) {
        let ranges = cutting.nextParts(of: bytes, from: start)
        nextStart = ranges.last?.upperBound ?? bytes.count
        guard ranges.count > 1 else { return }
        let empty = intake.withoutRows()
        parts =
            mapConcurrently(count: ranges.count, jobs: cutting.jobs) { [isList, cutting] index in
                let range = ranges[index]
                let known = bytes.extracting(..<min(range.upperBound + cutting.partBytes, bytes.count))
                return empty.reading(range, isList: isList, of: known)
            }[...]
    }
}

extension GeoJSONRows {
    /// Reads the features that begin in a range, up to the first thing that is none; `self` has no rows.
    fileprivate func reading(_ range: Range<Int>, isList: Bool, of bytes: Span<UInt8>) -> GeoJSONRowsAhead.Part {
        var intake = self
        var scanner = JSONScanner(at: range.lowerBound)
        var end = range.lowerBound
        do {
            while scanner.nextText(bytes, isList: isList) == UInt8(ascii: "{"), scanner.position < range.upperBound {
                let start = scanner.position
                try intake.feature.scan(bytes, from: start, stopsAtCollection: !isList)
                if !isList, intake.feature.isCollection(bytes) { break }
                scanner.position = intake.feature.end
                if isList { try scanner.expect(UInt8(ascii: ","), "a comma", in: bytes) }
                if isList { intake.ordinal = intake.rows.count + 1 }
                try intake.add(rowAt: start, in: bytes)
                end = scanner.position
            }
        } catch is JSONFault {
            // The caller reads on from here, and knows what the fault means in its context.
        } catch {
            // The caller finds the error again, and knows its line.
            return GeoJSONRowsAhead.Part(start: range.lowerBound, end: range.lowerBound, intake: self)
        }
        return GeoJSONRowsAhead.Part(start: range.lowerBound, end: end, intake: intake)
    }
}

extension JSONScanner {
    /// Stands before each text of a sequence (RFC 8142, RFC 7464).
    static let recordSeparator: UInt8 = 0x1e

    /// Steps over what may stand between two features, and returns the byte that follows without taking it; 0 at the end.
    /// - Parameter isList: whether they are elements of an array, where no record separators are.
    mutating func nextText(_ bytes: Span<UInt8>, isList: Bool) -> UInt8 {
        var byte = next(bytes)
        while !isList, byte == JSONScanner.recordSeparator {
            position += 1
            byte = next(bytes)
        }
        return byte
    }
}
