import PyramidTiles

/// Features read ahead on several threads, before it is known whether a feature begins where they started.
///
/// A chunk is used if reading from the start of the input arrives at the same position; otherwise it is dropped.
struct GeoJSONRowsAhead {
    /// A chunk that begins at the start of a line.
    struct Chunk: Sendable {
        let start: Int
        /// The position after the last feature read, or in a list after the comma that follows it.
        let end: Int
        let collected: GeoJSONRows
    }

    private let isList: Bool
    private let cutting: InputCutting
    private var chunks: ArraySlice<Chunk> = []
    /// Where the input continues after these chunks.
    private var nextStart = 0

    /// - Parameter isList: whether commas separate the features, as in an array.
    init(isList: Bool, _ cutting: InputCutting) {
        self.isList = isList
        self.cutting = cutting
    }

    /// The chunk that begins at `start`; `nil` if none was read ahead there, or if it might exceed a limit.
    /// - Parameters:
    ///   - end: the position after the last feature, or after its comma; only white space separates it from `start`.
    ///   - collected: the features read so far.
    mutating func next(from end: Int, to start: Int, after collected: GeoJSONRows, in bytes: Span<UInt8>) -> Chunk? {
        guard cutting.jobs > 1 else { return nil }
        while let chunk = chunks.first, chunk.start < end { chunks.removeFirst() }
        if chunks.isEmpty, start >= nextStart { readChunks(from: start, like: collected, in: bytes) }
        guard let chunk = chunks.first, chunk.start <= start else { return nil }
        chunks.removeFirst()
        return chunk.collected.rows.seenCount > 0 && collected.hasRoom(for: chunk.collected) ? chunk : nil
    }

    private mutating func readChunks(from start: Int, like collected: GeoJSONRows, in bytes: Span<UInt8>) {
        let ranges = cutting.nextChunks(of: bytes, from: start)
        nextStart = ranges.last?.upperBound ?? bytes.count
        guard ranges.count > 1 else { return }
        let empty = collected.withoutRows()
        chunks =
            SharedWork(jobs: cutting.jobs).map(ranges) { [isList, cutting] range in
                let known = bytes.extracting(..<min(range.upperBound + cutting.chunkBytes, bytes.count))
                return empty.reading(range, isList: isList, of: known)
            }[...]
    }
}

extension GeoJSONRows {
    /// Reads the features that begin in a range, up to the first text that isn't a feature; `self` has no rows.
    fileprivate func reading(_ range: Range<Int>, isList: Bool, of bytes: Span<UInt8>) -> GeoJSONRowsAhead.Chunk {
        var collected = self
        var scanner = JSONScanner(at: range.lowerBound)
        var end = range.lowerBound
        do {
            while scanner.nextText(bytes, isList: isList) == UInt8(ascii: "{"), scanner.position < range.upperBound {
                let start = scanner.position
                try collected.feature.scan(bytes, from: start, stopsAtCollection: !isList)
                if !isList, collected.feature.isCollection(bytes) { break }
                scanner.position = collected.feature.end
                if isList { try scanner.expect(UInt8(ascii: ","), "a comma", in: bytes) }
                if isList { collected.ordinal = collected.rows.seenCount + 1 }
                try collected.add(rowAt: start, in: bytes)
                end = scanner.position
            }
        } catch is JSONFault {
            // The caller continues from here and knows what the fault means in context.
        } catch {
            // The caller finds the same error again and knows its line.
            return GeoJSONRowsAhead.Chunk(start: range.lowerBound, end: range.lowerBound, collected: self)
        }
        return GeoJSONRowsAhead.Chunk(start: range.lowerBound, end: end, collected: collected)
    }
}

extension JSONScanner {
    /// The separator before each text of a sequence (RFC 8142, RFC 7464).
    static let recordSeparator: UInt8 = 0x1e

    /// Skips all separators of features, and returns the next byte without consuming it; 0 at the end.
    /// - Parameter isList: whether the features are elements of an array, which has no record separators. A sequence
    ///   may also have byte order marks, which files that were joined began with.
    mutating func nextText(_ bytes: Span<UInt8>, isList: Bool) -> UInt8 {
        var byte = next(bytes)
        while !isList {
            let afterMark = bytes.afterByteOrderMark(at: position)
            guard byte == JSONScanner.recordSeparator || afterMark > position else { break }
            position = max(afterMark, position + 1)
            byte = next(bytes)
        }
        return byte
    }
}
