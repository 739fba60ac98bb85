import PyramidPlatform
import PyramidTiles

/// A tileset as files: `tiles/{z}/{x}/{y}.json`, or with another suffix, and its metadata next to the folder.
public struct DirectoryTileset: TilesetReader {
    /// A file with this name exists during a build, and after one that was interrupted.
    public static let buildMarkerName = ".building"
    /// The largest manifest or TileJSON that is read: 64 MiB.
    public static let metadataLimitBytes = 64 << 20
    /// The largest list that is read: 8 GiB, more than 100 million tiles.
    public static let listLimitBytes = 8 << 30

    public let path: String
    public let storage: TileStorage
    public let idProperty: String?
    /// Why the tiles' storage is unknown, if it is.
    private let storageError: StoreError?

    /// - Parameter path: the directory with the manifest, which says how the tiles are stored. Without a manifest, the
    ///   default storage is assumed.
    public init(path: String) {
        self.path = path
        do throws(StoreError) {
            let content = try DirectoryTileset(path: path, storage: TileStorage()).manifest().content
            (storage, idProperty) = (content.storage, content.idProperty)
            storageError = nil
        } catch {
            (storage, idProperty) = (TileStorage(), nil)
            storageError = [.missing, .incomplete].contains(error.reason) ? nil : error
        }
    }

    /// Reads nothing yet.
    public init(path: String, storage: TileStorage) {
        self.path = path
        self.storage = storage
        idProperty = nil
        storageError = nil
    }

    public var name: String { path }

    public var directoryPath: String? { path }

    public var isBeingBuilt: Bool {
        var status = stat()
        return lstat(path(ofFile: DirectoryTileset.buildMarkerName), &status) == 0
    }

    public func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        try RegularFile.bytes(atPath: path(ofFile: name), limitBytes: limitBytes(ofMetadata: name))
    }

    public func forEachPiece(
        ofMetadata name: String, _ body: (_ piece: [UInt8], _ total: Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        try RegularFile.forEachPiece(atPath: path(ofFile: name), limitBytes: limitBytes(ofMetadata: name), body)
    }

    private func limitBytes(ofMetadata name: String) -> Int {
        let isList = [TileList.fileName, BundleList.fileName, LeafList.fileName].contains(name)
        return isList ? DirectoryTileset.listLimitBytes : DirectoryTileset.metadataLimitBytes
    }

    public func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try RegularFile.bytes(
                atPath: path(ofFile: storage.relativePath(of: address)), limitBytes: limitBytes)
        } catch {
            // The tile may be stored under another name.
            if error.reason == .missing, let storageError { throw storageError }
            throw error
        }
    }
}

/// Finds files in the folders that are not in the lists. Whether every listed file exists shows when it is read.
///
/// A folder that shouldn't be there is one stray and is not entered. Links are never followed.
extension DirectoryTileset {
    /// O(n log n)
    public func strays(tiles: TileList, bundles: BundleList, leaves: LeafList?) -> [StrayFile] {
        var search = StraySearch(root: path, storage: storage)
        search.run(TileStorage.tilesName, tiles.entries[...], [{ $0.z }, { $0.x }, { $0.y }])
        search.run(TileStorage.bundlesName, bundles.entries[...], [{ $0.tile.z }, { $0.tile.x }, { $0.tile.y }])
        if let leaves {
            search.run(
                TileStorage.leavesName, suffix: storage.pageSuffix, leaves.entries[...],
                [{ $0.clusterID }, { $0.page }])
        }
        return search.strays
    }
}

private struct StraySearch {
    let root: String
    private let storage: TileStorage
    /// Of the files in the folder that is searched.
    private var suffix: String
    private(set) var strays: [StrayFile] = []

    init(root: String, storage: TileStorage) {
        self.root = root
        self.storage = storage
        suffix = storage.suffix
    }

    /// - Parameters:
    ///   - folder: the path of a folder, relative to the tileset.
    ///   - suffix: of the files in it; `nil` for that of tiles.
    ///   - entries: what the folder should hold, in the order of their addresses.
    ///   - numbers: the components of the addresses that the names below the folder stand for.
    mutating func run<Address>(
        _ folder: String, suffix: String? = nil, _ entries: ArraySlice<ListEntry<Address>>,
        _ numbers: [(Address) -> Int]
    ) {
        self.suffix = suffix ?? storage.suffix
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
            // Whether a listed path is really a file shows when it is read.
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
    /// The entries with this number as the address component. O(log n)
    fileprivate func run<Address>(
        of value: Int, _ number: (Address) -> Int
    ) -> ArraySlice<Element> where Element == ListEntry<Address> {
        let start = partitioningIndex { number($0.address) >= value }
        return self[start..<self[start...].partitioningIndex { number($0.address) > value }]
    }
}
