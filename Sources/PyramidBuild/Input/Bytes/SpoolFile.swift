import PyramidPlatform
import PyramidStore
import PyramidTiles

/// An unlinked temporary file for content that can't be mapped in place. The system deletes it after its last use.
final class SpoolFile {
    let name: String
    private let spool: Spool
    private let progress: (_ bytesCopied: Int) -> Void

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
    /// - Throws: ``InputError``, also for a stream whose row never ends.
    func copy(from source: Int32) throws(InputError) {
        var row = UnendedRow()
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
            row.add(piece[..<count])
            guard row.byteCount <= InputLimits.rowBytes else {
                throw InputError(
                    .badData, in: name,
                    "has \(row.byteCount) bytes without the end of a row, expected at most \(InputLimits.rowBytes)")
            }
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

    func append(_ piece: ArraySlice<UInt8>) throws(InputError) {
        do throws(OutputError) {
            _ = try piece.withUnsafeBufferPointer { bytes throws(OutputError) in
                try spool.append(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw InputError(.unreadable, in: name, "can't be copied to a temporary file: \(error)")
        }
        progress(spool.byteCount)
    }
}

/// The approximate length of a stream's last row so far: in CSV, the bytes since the last line end; in GeoJSON, where a
/// whole collection may be on one line, since the last closing brace.
private struct UnendedRow {
    private(set) var byteCount = 0
    /// `nil` before the first byte that is neither white space nor part of a byte order mark.
    private var isJSON: Bool?
    private static let byteOrderMarks: [UInt8] = [0xef, 0xbb, 0xbf, 0xfe, 0xff]

    mutating func add(_ piece: ArraySlice<UInt8>) {
        let isText = { (byte: UInt8) in
            byte > 0x20 && !UnendedRow.byteOrderMarks.contains(byte) || byte == JSONScanner.recordSeparator
        }
        if isJSON == nil, let first = piece.first(where: isText) {
            isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == JSONScanner.recordSeparator
        }
        let isJSON = isJSON ?? false
        let end = piece.lastIndex {
            isJSON ? $0 == UInt8(ascii: "}") : $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        byteCount = end.map { piece.endIndex - 1 - $0 } ?? byteCount + piece.count
    }
}
