import Foundation
import PyramidTiles

/// An entire input as one region of memory, backed by a file, so that the kernel decides what to keep in memory.
///
/// A regular file is mapped directly. Standard input, pipes and gzip data are first copied to an unlinked temporary
/// file (in `TMPDIR`, else `/tmp`), which is then mapped, so memory stays bounded whatever the size. Truncating a
/// mapped file while it is read ends the process with SIGBUS; replacing it by renaming does no harm.
public final class InputBytes: Sendable {
    /// The path as given, or "standard input".
    public let name: String

    private let region: MappedRegion

    /// Read-only, and valid as long as this object lives: safe to use while a parameter or property holds the object.
    var bytes: UnsafeRawBufferPointer { region.bytes }

    /// The same as ``bytes``, for access through a checked `span`.
    var elements: UnsafeBufferPointer<UInt8> { region.bytes.assumingMemoryBound(to: UInt8.self) }

    /// - Parameters:
    ///   - path: a file, or `-` for standard input. Gzip data (RFC 1952), with one or more members, is recognised by its
    ///     first bytes and inflated.
    ///   - progress: called from time to time with the number of bytes copied, if the input has to be copied.
    /// - Throws: ``InputError``: `.missing` if there is no readable file, `.badData` if gzip data is damaged,
    ///   `.unreadable` if the system fails.
    public convenience init(
        path: String, progress: @escaping (_ bytesCopied: Int) -> Void = { _ in }
    ) throws(InputError) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "standard input" : path.isEmpty ? "\"\"" : path
        let descriptor = isStandardInput ? STDIN_FILENO : try InputBytes.open(path, name: name)
        defer { if !isStandardInput { close(descriptor) } }
        var region = try InputBytes.region(of: descriptor, name: name, progress)
        if region.bytes.starts(with: Gzip.magic) {
            let spool = try SpoolFile(for: name, progress: progress)
            try spool.inflate(region, limitBytes: InputLimits.inflatedBytes(from: region.bytes.count))
            region = try spool.map()
        }
        self.init(name: name, region: region)
    }

    /// Bytes already in memory.
    convenience init(_ content: [UInt8], name: String) {
        self.init(name: name, region: MappedRegion(copying: content))
    }

    private init(name: String, region: MappedRegion) {
        self.name = name
        self.region = region
    }

    private static func open(_ path: String, name: String) throws(InputError) -> Int32 {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw InputError(.missing, in: name, "can't be opened (\(reason)), expected a readable file")
        }
        return descriptor
    }

    /// A regular file read from its start is mapped; everything else is copied first.
    private static func region(
        of descriptor: Int32, name: String, _ progress: @escaping (_ bytesCopied: Int) -> Void
    ) throws(InputError) -> MappedRegion {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            throw InputError(.unreadable, in: name, "can't be read (\(reason)), expected a readable file")
        }
        let type = status.st_mode & S_IFMT
        guard type != S_IFDIR else { throw InputError(.missing, in: name, "is a directory, expected a file") }
        // Files such as those in /proc claim to be regular and empty.
        if type == S_IFREG, status.st_size > 0, lseek(descriptor, 0, SEEK_CUR) == 0 {
            return try MappedRegion(descriptor: descriptor, byteCount: Int(status.st_size), name: name)
        }
        let spool = try SpoolFile(for: name, progress: progress)
        try spool.copy(from: descriptor)
        return try spool.map()
    }
}

extension InputBytes {
    /// The first bytes of files that can't be UTF-8 text, whatever the format.
    private static let foreignBeginnings: [(bytes: [UInt8], found: String)] = [
        ([0xff, 0xfe], "text is UTF-16 or UTF-32 (byte order mark)"),
        ([0xfe, 0xff], "text is UTF-16 or UTF-32 (byte order mark)"),
        ([0, 0, 0xfe, 0xff], "text is UTF-16 or UTF-32 (byte order mark)"),
        (Gzip.magic, "is gzip data within gzip data"),
        (Array("PK\u{3}\u{4}".utf8), "is a ZIP archive, as spreadsheet files are"),
    ]

    /// - Throws: ``InputError`` if the first bytes show that the input isn't UTF-8.
    func requireText() throws(InputError) {
        for (beginning, found) in InputBytes.foreignBeginnings where bytes.starts(with: beginning) {
            throw InputError(.badData, in: name, line: 1, "\(found), expected CSV or GeoJSON in UTF-8")
        }
        // Without a byte order mark, one byte of the first ASCII character is zero.
        if bytes.prefix(2).contains(0) {
            throw InputError(.badData, in: name, line: 1, "text begins with a NUL byte as UTF-16 does, expected UTF-8")
        }
    }
}

extension Span<UInt8> {
    /// The position after a byte order mark, if there is one.
    var afterByteOrderMark: Int { count >= 3 && self[0] == 0xef && self[1] == 0xbb && self[2] == 0xbf ? 3 : 0 }
}
