/// `leaves.tsv`: every page of the points of clusters, by cluster and page; as ``TileList`` for tiles.
///
///     leaf    bytes   crc32       body_bytes  body_crc32
///     6219475510301847/0      2120    9ae0daaf    14300   0c7e7fd8
public struct LeafList: Equatable, Sendable {
    public static let fileName = "leaves.tsv"
    package static let header = "leaf\t\(StoredFile.listColumns)"

    /// Sorted by page, each page once.
    public let entries: [Entry]

    public struct Entry: Hashable, Sendable {
        public let page: LeafPage
        public let file: StoredFile

        public init(page: LeafPage, file: StoredFile) {
            self.page = page
            self.file = file
        }
    }

    /// - Parameter entries: in any order, each page once.
    public init(_ entries: [Entry] = []) {
        self.entries = entries.sorted { $0.page < $1.page }
    }

    /// The entry of a page, found in O(log n); `nil` where the pyramid has no such page.
    public func entry(of page: LeafPage) -> Entry? { entries.sortedElement(page, \.page) }

    /// Reads the file's bytes: exactly what ``encoded()`` writes and nothing else.
    /// - Throws: ``MetadataError`` with the number of the first line that is not as it should be.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        entries = try ListReader.entries(of: bytes, header: LeafList.header, name: "page") { line in
            guard let clusterID = line.readInteger(), line.take("/"), let page = line.readInteger() else { return nil }
            return LeafPage(clusterID: clusterID, page: page)
        } _: {
            Entry(page: $0, file: $1)
        }
    }

    /// The file's bytes.
    public func encoded() -> [UInt8] {
        var buffer = ByteBuffer(capacity: 64 + entries.count * 56)
        buffer.append(Array(LeafList.header.utf8))
        buffer.append(UInt8(ascii: "\n"))
        for entry in entries {
            buffer.append(integer: entry.page.clusterID)
            buffer.append(UInt8(ascii: "/"))
            buffer.append(integer: entry.page.page)
            entry.file.append(to: &buffer)
        }
        return buffer.withUnsafeBytes { Array($0) }
    }
}
