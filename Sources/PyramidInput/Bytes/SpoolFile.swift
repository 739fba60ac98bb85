import PyramidPlatform
import PyramidStore
import PyramidTiles

/// An unlinked temporary file for content that can't be mapped in place. The system deletes it after its last use.
final class SpoolFile {
    let name: String
    private let spool: Spool
    private let progress: (_ bytesCopied: Int) -> Void
    private var row = UnendedRow()

    /// The bytes to read or inflate at a time.
    private static let stepBytes = 1 << 18

    /// - Parameters:
    ///   - name: the name of the input, for messages.
    ///   - folder: where it lies; `nil` for `TMPDIR`.
    ///   - progress: called from time to time with the size so far.
    init(
        for name: String, in folder: String? = nil, progress: @escaping (_ bytesCopied: Int) -> Void = { _ in }
    ) throws(InputError) {
        self.name = name
        self.progress = progress
        do throws(OutputError) {
            spool = try Spool(in: folder ?? SpoolFolder.temporary)
        } catch {
            throw InputError(.unreadable, in: name, "needs a temporary file, but \(error)")
        }
    }

    /// Maps the content so far.
    func map() throws(InputError) -> MappedRegion {
        try MappedRegion(descriptor: spool.descriptor, byteCount: spool.byteCount, name: name)
    }

    /// Appends everything up to the end of another file or pipe.
    func copy(from source: Int32) throws(InputError) {
        var piece = [UInt8](repeating: 0, count: SpoolFile.stepBytes)
        while true {
            // A pipe returns the bytes that are ready, so a short read isn't the end.
            let count = piece.withUnsafeMutableBytes { room in
                uninterrupted { read(source, room.baseAddress, room.count) }
            }
            if count == 0 { return }
            guard count > 0 else {
                throw InputError(.unreadable, in: name, "can't be read (\(String(cString: strerror(errno))))")
            }
            try append(piece[..<count])
        }
    }

    /// Appends the content of gzip data with one or more members.
    /// - Parameter limitBytes: the maximum content; inflating stops there.
    func inflate(_ compressed: MappedRegion, limitBytes: Int) throws(InputError) {
        var rest = compressed.bytes
        var content: [UInt8] = []
        let inflater: GzipInflater
        do { inflater = try GzipInflater() } catch { throw damaged(error) }
        while !(inflater.isAtMemberEnd && rest.isEmpty) {
            if inflater.isAtMemberEnd, !rest.starts(with: Gzip.magic) { throw damaged(.trailingBytes) }
            let isExhausted = rest.isEmpty
            content.removeAll(keepingCapacity: true)
            do {
                rest = try inflater.inflate(rest, appendingTo: &content, stepBytes: SpoolFile.stepBytes)
            } catch { throw damaged(error) }
            // After its last input the inflater may still give out content; once it gives none, the data are cut off.
            if isExhausted, content.isEmpty, !inflater.isAtMemberEnd { throw damaged(.truncated) }
            guard spool.byteCount + content.count <= limitBytes else {
                throw InputError(
                    .badData, in: name,
                    "\(compressed.bytes.count) bytes of gzip data expand to more than \(limitBytes) bytes, the limit for "
                        + "this size; if that is intended, decompress the file first")
            }
            try append(content[...])
        }
    }

    private func damaged(_ error: GzipError) -> InputError {
        InputError(.badData, in: name, "\(error)")
    }

    /// - Throws: ``InputError``, also if the last row never ends.
    func append(_ piece: ArraySlice<UInt8>) throws(InputError) {
        do throws(OutputError) {
            _ = try piece.withUnsafeBufferPointer { bytes throws(OutputError) in
                try spool.append(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw InputError(.unreadable, in: name, "can't be copied to a temporary file: \(error)")
        }
        progress(spool.byteCount)
        row.add(piece)
        guard row.byteCount <= InputLimits.rowBytes else {
            throw InputError(
                .badData, in: name,
                "has \(row.byteCount) bytes without the end of a row, expected at most \(InputLimits.rowBytes)")
        }
    }
}

/// The approximate length of a stream's last row so far: in CSV, the bytes since the last line end; in GeoJSON, where a
/// whole collection may be on one line, since the last closing brace.
private struct UnendedRow {
    private(set) var byteCount = 0
    /// `nil` before the first byte that is neither white space nor part of a byte order mark.
    private var isJSON: Bool?
    private static let byteOrderMarks: [UInt8] = [0xef, 0xbb, 0xbf, 0xfe, 0xff]
    private static let jsonStarts = Array("{[".utf8) + [JSONScanner.recordSeparator]

    mutating func add(_ piece: ArraySlice<UInt8>) {
        if isJSON == nil,
            let first = piece.first(where: { byte in
                byte > 0x20 && !UnendedRow.byteOrderMarks.contains(byte) || byte == JSONScanner.recordSeparator
            })
        {
            isJSON = UnendedRow.jsonStarts.contains(first)
        }
        let end = piece.lastIndex { isJSON == true ? $0 == UInt8(ascii: "}") : $0.isLineEnd }
        byteCount = end.map { piece.endIndex - 1 - $0 } ?? byteCount + piece.count
    }
}

/// Text in UTF-16 (RFC 2781), which is recognised by its byte order mark.
extension SpoolFile {
    static func isUTF16(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The mark of UTF-32 begins like that of UTF-16.
        bytes.starts(with: [0xfe, 0xff])
            || bytes.starts(with: [0xff, 0xfe]) && !bytes.starts(with: [0xff, 0xfe, 0, 0])
    }

    /// Appends text in UTF-16 as UTF-8, without its byte order mark.
    /// - Throws: ``InputError`` with the line of the first broken character.
    func convertUTF16(_ region: MappedRegion) throws(InputError) {
        let bytes = region.bytes
        let isBigEndian = bytes[0] == 0xfe
        var units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { offset in
            let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }.makeIterator()
        var parser = UTF16.ForwardParser()
        var piece: [UInt8] = []
        var result = parser.parseScalar(from: &units)
        while case .valid(let character) = result {
            piece.append(contentsOf: UTF16.decode(character).utf8)
            if piece.count >= SpoolFile.stepBytes {
                try append(piece[...])
                piece.removeAll(keepingCapacity: true)
            }
            result = parser.parseScalar(from: &units)
        }
        try append(piece[...])
        if case .error = result { throw try broken("half of a surrogate pair") }
        if !bytes.count.isMultiple(of: 2) { throw try broken("half of a character at its end") }
    }

    /// An error in the line at which the content so far ends.
    private func broken(_ found: String) throws(InputError) -> InputError {
        let region = try map()
        var lines = LineCounter()
        let line = lines.line(at: region.bytes.count, in: region.bytes.assumingMemoryBound(to: UInt8.self).span)
        return InputError(.badData, in: name, line: line, "text in UTF-16 has \(found), expected whole characters")
    }
}
