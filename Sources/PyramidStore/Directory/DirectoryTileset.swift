import Foundation
import PyramidTiles

/// A tileset as files: `tiles/{z}/{x}/{y}.json`, or with another suffix, and its metadata beside them.
public struct DirectoryTileset: TilesetReader {
    /// A file of this name is there while a build is under way, and after one that did not come to its end.
    public static let buildMarkerName = ".building"
    /// The largest manifest or TileJSON that is read: 64 MiB.
    public static let metadataLimitBytes = 64 << 20
    /// The largest list that is read: 8 GiB, more than 100 million tiles.
    public static let listLimitBytes = 8 << 30

    public let path: String
    public let storage: TileStorage
    /// Why it is not known how the tiles are stored.
    private let storageError: StoreError?

    /// - Parameter path: the directory that holds the manifest, which says how the tiles are stored: as usual if there is
    ///   none.
    public init(path: String) {
        self.path = path
        do throws(StoreError) {
            storage = try DirectoryTileset(path: path, storage: TileStorage()).manifest().content.storage
            storageError = nil
        } catch {
            storage = TileStorage()
            storageError = error.reason == .missing ? nil : error
        }
    }

    /// Nothing is read yet.
    public init(path: String, storage: TileStorage) {
        self.path = path
        self.storage = storage
        storageError = nil
    }

    public var name: String { path }

    public var directoryPath: String? { path }

    public var isBeingBuilt: Bool {
        var status = stat()
        return lstat(path(ofFile: DirectoryTileset.buildMarkerName), &status) == 0
    }

    public func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        let isList = name == TileList.fileName || name == LeafList.fileName
        return try RegularFile.bytes(
            atPath: path(ofFile: name),
            limitBytes: isList ? DirectoryTileset.listLimitBytes : DirectoryTileset.metadataLimitBytes)
    }

    public func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try RegularFile.bytes(
                atPath: path(ofFile: storage.relativePath(of: address)), limitBytes: limitBytes)
        } catch {
            // Under another name the tile may be there.
            if error.reason == .missing, let storageError { throw storageError }
            throw error
        }
    }
}

/// What lies in the folders and is not listed. That every listed file is there shows when it is read.
///
/// A folder that should not be there is one stray and is not entered, and links are never followed.
extension DirectoryTileset {
    /// O(n log n)
    public func strays(tiles: TileList, leaves: LeafList?) -> [StrayFile] {
        var search = StraySearch(root: path, suffix: storage.suffix)
        search.run(TileStorage.tilesName, tiles.entries[...], [{ $0.z }, { $0.x }, { $0.y }])
        if let leaves { search.run(TileStorage.leavesName, leaves.entries[...], [{ $0.clusterID }, { $0.page }]) }
        return search.strays
    }
}

private struct StraySearch {
    let root: String
    let suffix: String
    private(set) var strays: [StrayFile] = []

    init(root: String, suffix: String) {
        self.root = root
        self.suffix = suffix
    }

    /// - Parameters:
    ///   - folder: the path of a folder, relative to the tileset.
    ///   - entries: what it should hold, in the order of their addresses.
    ///   - numbers: the parts of the addresses that the names below the folder spell.
    mutating func run<Address>(
        _ folder: String, _ entries: ArraySlice<ListEntry<Address>>, _ numbers: [(Address) -> Int]
    ) {
        guard isDirectory(folder) else {
            if !entries.isEmpty { strays.append(StrayFile(path: folder, problem: .missingFolder)) }
            return
        }
        search(folder, entries, numbers[...])
    }

    private mutating func search<Address>(
        _ folder: String, _ entries: ArraySlice<ListEntry<Address>>, _ numbers: ArraySlice<(Address) -> Int>
    ) {
        guard let number = numbers.first else { return }
        let isLast = numbers.count == 1
        let suffix = isLast ? suffix : ""
        guard let names = names(inDirectory: "\(root)/\(folder)") else {
            strays.append(StrayFile(path: folder, problem: .unreadable(String(cString: strerror(errno)))))
            return
        }
        for name in names {
            let path = "\(folder)/\(name)"
            let value = name.hasSuffix(suffix) ? Int(name.dropLast(suffix.count)) : nil
            // Other spellings of the number, such as "07", are strays too.
            guard let value, "\(value)\(suffix)" == name, case let listed = entries.run(of: value, number),
                !listed.isEmpty
            else {
                strays.append(StrayFile(path: path, problem: .unlisted))
                continue
            }
            // What stands in the place of a listed file shows when the file is read.
            if isLast { continue }
            if isDirectory(path) {
                search(path, listed, numbers.dropFirst())
            } else {
                strays.append(StrayFile(path: path, problem: .notADirectory))
            }
        }
    }

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension ArraySlice {
    /// The entries with this number in their address. O(log n)
    fileprivate func run<Address>(
        of value: Int, _ number: (Address) -> Int
    ) -> ArraySlice<Element> where Element == ListEntry<Address> {
        let start = partitioningIndex { number($0.address) >= value }
        return self[start..<self[start...].partitioningIndex { number($0.address) > value }]
    }
}

extension TilesetListing {
    /// Reads the metadata of a tileset.
    /// - Parameter path: a directory, or a manifest under any name with the lists beside it, or a list of tiles alone (any
    ///   other file).
    /// - Throws: ``StoreError``, also if a list is not that of the manifest.
    public init(path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(path: path, reason: .missing) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            try self.init(of: DirectoryTileset(path: path))
            return
        }
        let bytes = try RegularFile.bytes(atPath: path, limitBytes: DirectoryTileset.listLimitBytes)
        // No list of tiles begins with a brace.
        if bytes.first == UInt8(ascii: "{") {
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try self.init(of: DirectoryTileset(path: parent, storage: TileStorage()), manifest: bytes, at: path)
            return
        }
        do throws(MetadataError) {
            self.init(tiles: try TileList(decoding: bytes))
        } catch {
            throw StoreError(path: path, reason: .damaged(error.description))
        }
    }
}
