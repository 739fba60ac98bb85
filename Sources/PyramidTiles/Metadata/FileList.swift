/// A list of files with their sizes and checksums, one per line: `tiles.tsv` for tiles, `bundles.tsv` for bundles,
/// `leaves.tsv` for pages of clusters' points. It reveals a changed byte and a missing or an extra file, and compares two tilesets without
/// reading a tile.
///
/// Fields are separated by tabs, and lines are in the order of their addresses:
///
///     tile    bytes   crc32       body_bytes  body_crc32
///     3/4/2   212     9ae0daaf    430         0c7e7fd8
///
/// `bytes` and `crc32` belong to the file as stored, `body_bytes` and `body_crc32` to its JSON.
public struct FileList<Address: ListedAddress>: Equatable, Sendable {
    public typealias Entry = ListEntry<Address>

    public static var fileName: String { Address.listName }

    /// In the order of their addresses, each address once.
    public let entries: [Entry]

    /// - Parameter entries: in any order, each address once.
    @inlinable
    public init(_ entries: consuming [Entry] = []) {
        entries.sort { $0.address < $1.address }
        self.entries = entries
    }

    /// The entry for an address; `nil` if there is no such file. O(log n).
    @inlinable
    public func entry(of address: Address) -> Entry? {
        let index = entries.partitioningIndex { $0.address >= address }
        return index < entries.count && entries[index].address == address ? entries[index] : nil
    }
}

public typealias TileList = FileList<TileCoordinate>
public typealias BundleList = FileList<BundleAddress>
public typealias LeafList = FileList<LeafPage>

/// A file of a tileset: its address and its content.
public struct ListEntry<Address: Hashable & Sendable>: Hashable, Sendable {
    public let address: Address
    public let file: StoredFile

    @inlinable
    public init(address: Address, file: StoredFile) {
        self.address = address
        self.file = file
    }
}

extension FileAddress {
    /// What the lists say about the file; `nil` if it is in none of them. O(log n)
    package func file(in tiles: TileList, _ bundles: BundleList?, _ leaves: LeafList?) -> StoredFile? {
        switch self {
        case .tile(let tile): tiles.entry(of: tile)?.file
        case .bundle(let tile): bundles?.entry(of: BundleAddress(tile))?.file
        case .page(let page): leaves?.entry(of: page)?.file
        }
    }
}

/// What a ``FileList`` can list.
public protocol ListedAddress: Hashable, Comparable, Sendable {
    /// The name of the list's file.
    static var listName: String { get }
    /// The name of the addresses in the header of the file and in errors.
    static var listWords: (column: String, error: String) { get }

    /// Reads the first field of a line; `nil` if it isn't an address.
    init?(from line: inout ListReader)

    /// Appends the first field of a line.
    func append(to buffer: inout ByteBuffer)
}

extension TileCoordinate: ListedAddress {
    public static var listName: String { "tiles.tsv" }
    public static var listWords: (column: String, error: String) { ("tile", "tile") }

    public init?(from line: inout ListReader) {
        guard let z = line.readInteger(), line.take("/"), let x = line.readInteger(), line.take("/"),
            let y = line.readInteger()
        else { return nil }
        self.init(z: z, x: x, y: y)
    }

    public func append(to buffer: inout ByteBuffer) {
        buffer.append(integer: z)
        buffer.append(UInt8(ascii: "/"))
        buffer.append(integer: x)
        buffer.append(UInt8(ascii: "/"))
        buffer.append(integer: y)
    }
}

extension BundleAddress: ListedAddress {
    public static var listName: String { "bundles.tsv" }
    public static var listWords: (column: String, error: String) { ("bundle", "bundle") }

    public init?(from line: inout ListReader) {
        guard let tile = TileCoordinate(from: &line) else { return nil }
        self.init(tile)
    }

    public func append(to buffer: inout ByteBuffer) { tile.append(to: &buffer) }
}

extension LeafPage: ListedAddress {
    public static var listName: String { "leaves.tsv" }
    public static var listWords: (column: String, error: String) { ("leaf", "page") }

    public init?(from line: inout ListReader) {
        guard let clusterID = line.readInteger(), line.take("/"), let page = line.readInteger() else { return nil }
        self.init(clusterID: clusterID, page: page)
    }

    public func append(to buffer: inout ByteBuffer) {
        buffer.append(integer: clusterID)
        buffer.append(UInt8(ascii: "/"))
        buffer.append(integer: page)
    }
}

extension FileList {
    @inlinable
    package static var header: String { "\(Address.listWords.column)\tbytes\tcrc32\tbody_bytes\tbody_crc32" }

    /// The size of a piece: small enough that the whole file is never in memory.
    @inlinable
    static var pieceBytes: Int { 1 << 18 }

    /// The file's bytes.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        forEachPiece { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Calls `body` with the file's bytes, some thousand lines at a time, because the whole file takes more memory than
    /// the list.
    @inlinable
    package func forEachPiece<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = ByteBuffer(capacity: FileList.pieceBytes + 128)
        buffer.append(Array("\(FileList.header)\n".utf8))
        for entry in entries {
            entry.address.append(to: &buffer)
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
    @inlinable
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        var decoder = FileListDecoder<Address>()
        try decoder.append(bytes, of: bytes.count)
        self = try decoder.finish()
    }

    @inlinable
    init(sorted entries: [Entry]) { self.entries = entries }
}

/// Reads the file of a list piece by piece, because all of it takes more memory than the list.
@usableFromInline
package struct FileListDecoder<Address: ListedAddress> {
    @usableFromInline var entries: [ListEntry<Address>] = []
    /// What comes after the last whole line.
    @usableFromInline var rest: [UInt8] = []
    @usableFromInline var hasHeader = false
    /// Of all pieces so far.
    @usableFromInline var (byteCount, crc32) = (0, UInt32(0))

    @inlinable package init() {}

    /// The size and the checksum of what was read.
    @inlinable package var summary: Manifest.FileSummary {
        Manifest.FileSummary(bytes: byteCount, crc32: crc32.hexadecimal)
    }

    /// Reads the next piece of a file of about `total` bytes.
    @inlinable
    package mutating func append(_ piece: [UInt8], of total: Int) throws(MetadataError) {
        byteCount += piece.count
        crc32 = piece.withUnsafeBytes { [crc32] in Gzip.crc32($0, after: crc32) }
        if entries.isEmpty { entries.reserveCapacity(total / 32) }
        guard let end = piece.lastIndex(of: UInt8(ascii: "\n")) else {
            rest += piece
            return
        }
        let lines = rest + piece[...end]
        rest = Array(piece[(end + 1)...])
        var line = ListReader(bytes: lines, position: 0)
        if !hasHeader {
            let header = Array("\(FileList<Address>.header)\n".utf8)
            guard lines.starts(with: header) else { throw MetadataError("line 1 is not the header") }
            hasHeader = true
            line = ListReader(bytes: lines, position: header.count)
        }
        while !line.isAtEnd {
            let start = line.position
            guard let address = Address(from: &line), let file = line.readFile(),
                entries.last.map({ $0.address < address }) ?? true
            else { throw badLine(lines[start...]) }
            entries.append(ListEntry(address: address, file: file))
        }
    }

    /// The list, once all pieces are read.
    @inlinable
    package consuming func finish() throws(MetadataError) -> FileList<Address> {
        guard hasHeader else { throw MetadataError(byteCount == 0 ? "is empty" : "line 1 is not the header") }
        guard rest.isEmpty else { throw badLine(rest[...]) }
        return FileList(sorted: entries)
    }

    @usableFromInline
    func badLine(_ bytes: ArraySlice<UInt8>) -> MetadataError {
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }.prefix(80), as: UTF8.self)
        return MetadataError(
            "line \(entries.count + 2) is \"\(text)\", expected the next \(Address.listWords.error) with sizes and "
                + "checksums")
    }
}

extension Manifest.FileSummary {
    /// The size and checksum of a list's file, which is never in memory as a whole.
    @inlinable
    package init<Address>(of list: FileList<Address>) {
        var (byteCount, crc32) = (0, UInt32(0))
        list.forEachPiece {
            byteCount += $0.count
            crc32 = Gzip.crc32($0, after: crc32)
        }
        self.init(bytes: byteCount, crc32: crc32.hexadecimal)
    }
}
