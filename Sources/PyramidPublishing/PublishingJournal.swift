import PyramidPlatform
import PyramidTiles

/// A record of the changes that a publish makes at its destination: every tile that differs from the published lists,
/// or will. It is there from before the first upload until after the last removal, so that the next publish,
/// also of another tileset, can tell which files may be there. ``PublishingStatus`` states how many items are done.
///
/// There is one at a time: that of a publish includes all that earlier ones have left undone.
///
/// The file has a line of JSON, then a line for each file: its path, a tab, and the sizes and checksums as in a list,
/// or `-` if the file is removed.
struct PublishingJournal: Equatable, Sendable {
    static let fileName = "\(PublishingStatus.fileName)-journal"

    /// The file of a tile or a bundle, with its size and checksum.
    struct Item: Hashable, Sendable {
        var place: PlacedFile
        /// `nil` if the file is removed.
        var file: StoredFile?
    }

    var header: Header
    var items: [Item]

    struct Header: Codable, Equatable, Sendable {
        static let currentFormatVersion = 8

        var formatVersion = currentFormatVersion
        /// That of the publish.
        var token = ""
        /// The lists that may be the published one: the previous one, if any, and that of the tileset in progress.
        var lists: [KnownList]
        /// The files beside the tiles that may be at the destination, by path.
        var files: [KnownFile]
        /// The first items, this many, are done; the rest may or may not be.
        var settledCount: Int
        /// Whether the files are those of versions, in folders of their own.
        var isVersioned = false
    }

    struct KnownFile: Codable, Equatable, Sendable {
        var name: String
        var file: Manifest.FileSummary
    }

    struct KnownList: Codable, Equatable, Sendable {
        var list: Manifest.FileSummary
        /// That of its files. One with a slash could lead out of the tileset, to files of others.
        var suffix: String
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var buffer = ByteBuffer(capacity: 1024 + items.count * 64)
        buffer.append(Array(try encoder.encode(header)))
        buffer.append(UInt8(ascii: "\n"))
        for item in items {
            buffer.append(Array(item.place.path.utf8))
            if let file = item.file { file.append(to: &buffer) } else { buffer.append(Array("\t-\n".utf8)) }
        }
        return buffer.withUnsafeBytes { Array($0) }
    }
}

extension PublishingJournal.KnownList {
    /// The list among the files of a tileset; `nil` if there is none.
    init?(_ files: [String: Manifest.FileSummary], _ storage: TileStorage) {
        guard let list = files[FileList.fileName] else { return nil }
        self.init(list: list, suffix: storage.suffix)
    }
}

extension PublishingJournal {
    init(decoding bytes: [UInt8]) throws(MetadataError) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst(), lines.popLast()?.isEmpty == true,
            let header = try? JSONDecoder().decode(Header.self, from: Data(first)),
            header.formatVersion == Header.currentFormatVersion,
            header.lists.allSatisfy({ TileStorage.isSuffix($0.suffix) })
        else { throw MetadataError("is not a journal of a publish") }
        self.header = header
        items = []
        items.reserveCapacity(lines.count)
        for line in lines {
            let end = line.firstIndex(of: UInt8(ascii: "\t")) ?? line.endIndex
            let fields = line[end...] + [UInt8(ascii: "\n")]
            let file = StoredFile(fields: fields)
            guard let place = PlacedFile(path: String(decoding: line[..<end], as: UTF8.self)),
                file != nil || fields.elementsEqual("\t-\n".utf8)
            else { throw MetadataError("line \(items.count + 2) is not a tile or bundle with sizes and checksums") }
            items.append(Item(place: place, file: file))
        }
    }
}
