import PyramidPlatform
import PyramidStore
import PyramidTiles

/// An entire input as one region of memory, backed by a file, so that the kernel decides which pages stay in memory.
///
/// A regular file is mapped directly. Standard input, pipes and gzip data are first copied to an unlinked temporary
/// file (in `TMPDIR`, else `/tmp`), which is then mapped, so memory is bounded for any size. Text in UTF-16 is copied
/// too, as UTF-8. A mapped file may be replaced by renaming another; if a program writes to it, see
/// ``ChangedInputs``.
public final class InputBytes: Sendable {
    /// The path as given, or "standard input".
    public let name: String

    static let standardInputName = "standard input"

    private let region: MappedRegion

    /// Read-only. Valid as long as this object lives, for example while a parameter or property holds it.
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    /// The same as ``bytes``, for access through a checked `span`.
    package var elements: UnsafeBufferPointer<UInt8> { bytes.assumingMemoryBound(to: UInt8.self) }

    /// - Parameters:
    ///   - path: a file, or `-` for standard input. Gzip data (RFC 1952), with one or more members, is recognised by
    ///     its first bytes and inflated.
    ///   - folder: for a copy of the input; `nil` for `TMPDIR`.
    ///   - progress: called from time to time with the number of bytes copied, if the input has to be copied.
    /// - Throws: ``InputError``: `.missing` if there is no readable file, `.badData` if gzip data or UTF-16 is
    ///   damaged, `.unreadable` if the system fails.
    public convenience init(
        path: String, folder: String? = nil, progress: @escaping (_ bytesCopied: Int) -> Void = { _ in }
    ) throws(InputError) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? InputBytes.standardInputName : path.isEmpty ? "\"\"" : path
        let descriptor = isStandardInput ? STDIN_FILENO : try InputBytes.open(path, name: name)
        defer { if !isStandardInput { close(descriptor) } }
        var region = try InputBytes.region(
            of: descriptor, name: name, path: isStandardInput ? "/dev/stdin" : path, folder, progress)
        if region.bytes.starts(with: Gzip.magic) {
            let limitBytes = InputLimits.inflatedBytes(from: region.bytes.count)
            region = try InputBytes.copy(of: region, name: name, folder, progress) { spool throws(InputError) in
                try spool.inflate(region, limitBytes: limitBytes)
            }
        }
        if SpoolFile.isUTF16(region.bytes) {
            region = try InputBytes.copy(of: region, name: name, folder, progress) { spool throws(InputError) in
                try spool.convertUTF16(region)
            }
        }
        self.init(region, name: name)
    }

    /// - Parameter fill: writes the converted content of `region` to the temporary file.
    private static func copy(
        of region: MappedRegion, name: String, _ folder: String?, _ progress: @escaping (_ bytesCopied: Int) -> Void,
        fill: (SpoolFile) throws(InputError) -> Void
    ) throws(InputError) -> MappedRegion {
        let spool = try SpoolFile(for: name, in: folder, progress: progress)
        let filling = Result { () throws(InputError) in try fill(spool) }
        // If the input was changed, report only that: other faults may come from it.
        try region.requireUnchanged()
        try filling.get()
        return try spool.map()
    }

    /// An input that is in memory already.
    package convenience init(_ content: [UInt8], name: String) {
        self.init(MappedRegion(copying: content), name: name)
    }

    package init(_ region: MappedRegion, name: String) {
        self.name = name
        self.region = region
        bytes = region.bytes
    }

    /// A range of another input's bytes as an input of its own.
    package init(_ range: Range<Int>, of other: InputBytes) {
        name = other.name
        region = other.region
        bytes = UnsafeRawBufferPointer(rebasing: other.bytes[range])
    }

    private static func open(_ path: String, name: String) throws(InputError) -> Int32 {
        let descriptor = PyramidPlatform.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            if path.hasPrefix("https://") || path.hasPrefix("http://") {
                throw InputError(
                    .missing, in: name,
                    "is a web address, expected a file; download it: \(.buildFromOutput(of: "curl -fL \(ShellWord.quoted(path))"))"
                )
            }
            throw InputError(.missing, in: name, "can't be opened (\(reason)), expected a readable file")
        }
        return descriptor
    }

    /// Frees memory for the stages after reading.
    package func releasePages() { region.releasePages() }

    /// - Throws: ``InputError`` if another program has changed the file since it was opened.
    package func requireUnchanged() throws(InputError) { try region.requireUnchanged() }

    /// Maps a regular file read from its start; copies everything else first.
    private static func region(
        of descriptor: Int32, name: String, path: String, _ folder: String?,
        _ progress: @escaping (_ bytesCopied: Int) -> Void
    ) throws(InputError) -> MappedRegion {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            throw InputError(.unreadable, in: name, "can't be read (\(reason)), expected a readable file")
        }
        let type = status.st_mode & S_IFMT
        guard type != S_IFDIR else { throw InputError(.missing, in: name, "is a directory, expected a file") }
        // Files in /proc, for example, are regular with size 0.
        if type == S_IFREG, status.st_size > 0, lseek(descriptor, 0, SEEK_CUR) == 0 {
            return try MappedRegion(
                descriptor: descriptor, byteCount: Int(status.st_size), name: name, place: (path, FileVersion(status)))
        }
        let spool = try SpoolFile(for: name, in: folder, progress: progress)
        try spool.copy(from: descriptor)
        return try spool.map()
    }
}

extension InputBytes {
    /// The number of the line containing a byte, counted from 1. O(offset): ``LineCounter`` finds several.
    package func line(at offset: Int) -> Int {
        var lines = LineCounter()
        let elements = elements
        return lines.line(at: offset, in: elements.span)
    }
}

extension Span<UInt8> {
    /// The position after a byte order mark at `position`; the same position without one.
    func afterByteOrderMark(at position: Int = 0) -> Int {
        let isMark =
            position + 3 <= count && self[position] == 0xef && self[position + 1] == 0xbb && self[position + 2] == 0xbf
        return isMark ? position + 3 : position
    }

    /// - Parameter word: in lower case; any case matches.
    package func contains(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        return count >= length
            && (0...count - length).contains { start in
                (0..<length).allSatisfy { self[start + $0] | 0x20 == word.utf8Start[$0] | 0x20 }
            }
    }
}
