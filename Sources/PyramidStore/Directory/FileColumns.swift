import PyramidPlatform
import PyramidTiles
import Synchronization

/// The directories that hold tiles and bundles: `tiles/z/x` and `bundles/z/x`. Recently used ones are kept open, because
/// creating a file in an open directory is fastest.
final class FileColumns: Sendable {
    private let root: DirectoryHandle
    /// By the first address that the directory can hold.
    private let openColumns = Mutex<[FileAddress: DirectoryHandle]>([:])
    /// The directories that contain them, by path.
    private let openParents = Mutex<[String: DirectoryHandle]>([:])

    /// The most open columns, and the most open directories that contain them: workers keep coming back to those of
    /// their subtree. The limits are lower if the process may open only a few files.
    private let openLimits: (columns: Int, parents: Int)
    /// Whether the process may open so few files that only one worker at a time can have some.
    private let hasTurns: Bool
    private let turn = Mutex(())

    /// How many files a writer has open at most, if there are turns: directories kept open, those on the way to a file,
    /// the file, the marker, the root, and temporary files.
    static let handleCount = 16

    /// - Parameter root: the tileset's directory.
    init(in root: DirectoryHandle) {
        self.root = root
        let limit = descriptorLimit
        hasTurns = limit < 128
        openLimits =
            limit < 128
            ? (columns: 3, parents: 2)
            : limit < 1024 ? (columns: 12, parents: 6) : (columns: 512, parents: 2 * TileCoordinate.zooms.count)
    }

    /// Calls `body`, which opens directories and files; if the process may open only a few, not while another worker
    /// does.
    func inTurn<Value: Sendable, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard hasTurns else { return try body() }
        return try turn.withLock { _ throws(Failure) in try body() }
    }

    /// Closes all directories; those needed again are opened again.
    func close() {
        openColumns.withLock { $0.removeAll() }
        openParents.withLock { $0.removeAll() }
    }

    /// The directory of a file, created if missing.
    func column(of address: FileAddress) throws(OutputError) -> DirectoryHandle {
        let key = address.firstOfColumn
        if let column = openColumns.withLock({ $0[key] }) { return column }
        let names = FileColumns.directoryNames(of: address)
        let column = try parent(names.dropLast()).directory(names[names.count - 1])
        openColumns.withLock { open in
            // Directories that other workers are using stay open until they release them.
            if open.count >= openLimits.columns { open.removeAll(keepingCapacity: true) }
            open[key] = column
        }
        return column
    }

    private func parent(_ names: ArraySlice<String>) throws(OutputError) -> DirectoryHandle {
        let path = names.joined(separator: "/")
        if let parent = openParents.withLock({ $0[path] }) { return parent }
        var directory = root
        for name in names { directory = try directory.directory(name) }
        openParents.withLock { open in
            if open.count >= openLimits.parents { open.removeAll(keepingCapacity: true) }
            open[path] = directory
        }
        return directory
    }

    /// The names of the directories that contain a file, from the outermost to the innermost.
    private static func directoryNames(of address: FileAddress) -> [String] {
        [address.kind.folder] + address.numbers.dropLast().map(String.init)
    }

    /// Removes a file, and any directories that become empty.
    /// - Returns: whether the file existed.
    func remove(_ address: FileAddress, suffix: String) throws(OutputError) -> Bool {
        try root.remove(address.fileName(suffix: suffix), in: FileColumns.directoryNames(of: address)[...])
    }

    /// Removes existing tiles and bundles, found by their names, with any suffix. Also removes what an interrupted build
    /// left behind: temporary files and empty directories.
    /// - Parameter isObsolete: whether to remove a file; the directory is the one that holds it.
    func removeFiles(
        where isObsolete: (DirectoryHandle, _ name: String, FileAddress, _ suffix: String) -> Bool
    ) throws(OutputError) {
        func search(_ directory: DirectoryHandle, _ kind: FileAddress.Kind, _ numbers: [Int]) throws(OutputError) {
            guard numbers.count < FileAddress.numberCount - 1 else {
                for (name, number, suffix) in try directory.numberedFiles() {
                    guard let address = FileAddress(kind, numbers + [number]),
                        isObsolete(directory, name, address, suffix)
                    else { continue }
                    _ = try directory.remove(name)
                }
                return
            }
            for name in try directory.names() {
                guard let number = Int(name), "\(number)" == name, let inner = try directory.directoryIfOne(name)
                else { continue }
                try search(inner, kind, numbers + [number])
                try directory.removeDirectoryIfEmpty(name)
            }
        }
        for kind in FileAddress.Kind.allCases {
            guard let folder = try root.directoryIfOne(kind.folder) else { continue }
            try search(folder, kind, [])
            try root.removeDirectoryIfEmpty(kind.folder)
        }
    }
}
