/// The list of a tileset's tiles and bundles, `files.tsv`, with their sizes and checksums. It reveals changed
/// bytes, missing files and extra files, and allows comparing two tilesets without reading a tile.
///
/// There is one line per file, in the order of addresses, with fields separated by tabs:
///
///     file            bytes   crc32       body_bytes  body_crc32
///     tiles/3/4/2     212     9ae0daaf    430         0c7e7fd8
///
/// `bytes` and `crc32` describe the stored file, `body_bytes` and `body_crc32` the JSON or MVT in it.
public struct FileList: Equatable, Sendable {
    /// A file: its address, sizes and checksums, in 24 bytes.
    public struct Entry: Hashable, Sendable, BitwiseCopyable {
        public let address: FileAddress
        public let file: StoredFile

        @inlinable
        public init(address: FileAddress, file: StoredFile) {
            self.address = address
            self.file = file
        }
    }

    public static let fileName = "files.tsv"

    public typealias Entries = StoredElements<Entry>

    /// In the order of addresses, each address once.
    public let entries: Entries

    /// - Parameter entries: in any order, each address once.
    public init(_ entries: consuming [Entry] = []) {
        entries.sort { $0.address < $1.address }
        self.entries = Entries(entries)
    }

    /// - Parameter entries: in the order of addresses, each address once.
    package init(sorted entries: Entries) { self.entries = entries }

    /// The sizes and checksums of the file at an address; `nil` if there is none. O(log n)
    public func file(at address: FileAddress) -> StoredFile? { index(of: address).map { entries[$0].file } }

    /// The index of the file at an address in ``entries``; `nil` if there is none. O(log n)
    package func index(of address: FileAddress) -> Int? {
        let index = entries.partitioningIndex { $0.address >= address }
        return index < entries.count && entries[index].address == address ? index : nil
    }

    /// The files of a kind. O(log n)
    public subscript(kind: FileAddress.Kind) -> Entries.SubSequence {
        let start = entries.partitioningIndex { $0.address.kind.rawValue >= kind.rawValue }
        return entries[start..<entries[start...].partitioningIndex { $0.address.kind.rawValue > kind.rawValue }]
    }

    /// The tiles, or the bundles, of a zoom. O(log n)
    package func entries(of kind: FileAddress.Kind, atZoom zoom: Int) -> Entries.SubSequence {
        let entries = self[kind]
        let start = entries.partitioningIndex { $0.address.number(0) >= zoom }
        return entries[start..<entries[start...].partitioningIndex { $0.address.number(0) > zoom }]
    }
}

extension FileList {
    package static let header = "file\tbytes\tcrc32\tbody_bytes\tbody_crc32\n"

    /// About how many bytes ``forEachPiece(_:)`` passes on at a time.
    private static let pieceBytes = 1 << 18

    /// The file's bytes.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        forEachPiece { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Calls `body` with the file's bytes, some thousand lines at a time. The whole file would take more memory than
    /// the list.
    package func forEachPiece<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = ByteBuffer(capacity: FileList.pieceBytes + 128)
        buffer.append(Array(FileList.header.utf8))
        let folders = FileAddress.Kind.allCases.map { Array($0.folder.utf8) }
        for entry in entries {
            let kind = entry.address.kind
            buffer.append(folders[Int(kind.rawValue)])
            for index in 0..<FileAddress.numberCount {
                buffer.append(UInt8(ascii: "/"))
                buffer.append(integer: entry.address.number(index))
            }
            entry.file.append(to: &buffer)
            if buffer.count >= FileList.pieceBytes {
                try buffer.withUnsafeBytes(body)
                buffer.removeAll()
            }
        }
        try buffer.withUnsafeBytes(body)
    }

    /// Reads the file's bytes, which must be exactly what ``encoded()`` writes.
    /// - Throws: ``MetadataError`` with the number of the first bad line.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        var decoder = FileListDecoder()
        entries = Entries(try decoder.append(bytes))
        try decoder.finish()
    }
}

/// Reads the file of a list piece by piece. The whole file would take more memory than the list.
package struct FileListDecoder {
    private var entryCount = 0
    private var lastAddress: FileAddress?
    /// The start of a line that the next piece continues.
    private var rest: [UInt8] = []
    private var hasHeader = false
    /// The size and checksum of all pieces so far.
    private var (byteCount, crc32) = (0, UInt32(0))

    package init() {}

    /// The size and the checksum of what was read.
    package var summary: Manifest.FileSummary {
        Manifest.FileSummary(bytes: byteCount, crc32: crc32.hexadecimal)
    }

    /// Reads the next piece of the file.
    /// - Returns: the entries whose lines end in the piece; all pieces together have them in the order of addresses.
    package mutating func append(_ piece: [UInt8]) throws(MetadataError) -> [FileList.Entry] {
        byteCount += piece.count
        crc32 = piece.withUnsafeBytes { [crc32] in Gzip.crc32($0, after: crc32) }
        guard let end = piece.lastIndex(of: UInt8(ascii: "\n")) else {
            rest += piece
            // Lines are shorter than 1024 bytes.
            if rest.count > max(piece.count, 1024) { throw badLine(rest[...]) }
            return []
        }
        let lines = rest + piece[...end]
        rest = Array(piece[(end + 1)...])
        var line = ListReader(bytes: lines, position: 0)
        if !hasHeader {
            let header = Array(FileList.header.utf8)
            guard lines.starts(with: header) else { throw MetadataError("line 1 is not the header") }
            hasHeader = true
            line = ListReader(bytes: lines, position: header.count)
        }
        var entries: [FileList.Entry] = []
        entries.reserveCapacity(lines.count / 40)
        while !line.isAtEnd {
            let start = line.position
            guard let address = line.readAddress(), let file = line.readFile(),
                lastAddress.map({ $0 < address }) ?? true
            else { throw badLine(lines[start...]) }
            entries.append(FileList.Entry(address: address, file: file))
            lastAddress = address
            entryCount += 1
        }
        return entries
    }

    /// Throws if the file is incomplete. Must be called after the last piece.
    package func finish() throws(MetadataError) {
        guard hasHeader else { throw MetadataError(byteCount == 0 ? "is empty" : "line 1 is not the header") }
        guard rest.isEmpty else { throw badLine(rest[...]) }
    }

    private func badLine(_ bytes: ArraySlice<UInt8>) -> MetadataError {
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }.prefix(80), as: UTF8.self)
        return MetadataError(
            "line \(entryCount + 2) is \"\(text)\", expected the next file with sizes and checksums")
    }
}

extension Manifest.FileSummary {
    /// The size and checksum of a list's file, computed piece by piece.
    package init(of list: FileList) {
        var (byteCount, crc32) = (0, UInt32(0))
        list.forEachPiece {
            byteCount += $0.count
            crc32 = Gzip.crc32($0, after: crc32)
        }
        self.init(bytes: byteCount, crc32: crc32.hexadecimal)
    }
}
