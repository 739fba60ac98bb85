import PyramidPlatform
import PyramidTiles

/// Which directories can hold a tileset.
extension DirectoryTilesetWriter {
    /// The files beside the tiles.
    static let metadataNames = [
        TileJSON.fileName, TileList.fileName, BundleList.fileName, LeafList.fileName, Manifest.fileName,
    ]

    /// Throws ``OutputError`` if a tileset can't be built at `path`; touches nothing. A directory is fine if it doesn't
    /// exist yet, is empty, or holds a tileset.
    /// - Parameter force: whether a directory with other files may be used. They are left alone, so none of them may
    ///   have a name that a file of a tileset could have.
    /// - Parameter previewPage: the page to be written beside the tiles.
    public static func check(path: String, force: Bool = false, previewPage: [UInt8]? = nil) throws(OutputError) {
        guard access(path, F_OK) == 0 else { return }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw OutputError(.unusable, path, "is a file, expected a directory")
        }
        guard let names = names(inDirectory: path), access(path, W_OK | X_OK) == 0 else {
            throw OutputError(.unusable, path, "the directory can't be read and written: \(OutputError.lastReason())")
        }
        if force, !isPyramid(path) {
            try checkNamesAreFree(in: path, names)
        } else if !names.isEmpty, !isPyramid(path) {
            let example = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
            throw OutputError(
                .unusable, path,
                "the directory holds other files (\(example)), expected an empty one or a tileset", cause: .otherFiles)
        }
        try PreviewFile.check(previewPage, in: DirectoryHandle(path: path))
    }

    private static func checkNamesAreFree(in path: String, _ names: [String]) throws(OutputError) {
        for name in metadataNames + [DirectoryTileset.buildMarkerName] where names.contains(name) {
            throw OutputError(
                .unusable, path + "/" + name, "is not pyramid's and would be replaced; move it away or build elsewhere")
        }
        for folder in [TileStorage.tilesName, TileStorage.bundlesName, TileStorage.leavesName] {
            var status = stat()
            guard lstat(path + "/" + folder, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else {
                throw OutputError(
                    .unusable, path + "/" + folder, "is not a directory; move it away or build elsewhere")
            }
        }
        let root = try DirectoryHandle(path: path)
        for name in [TileStorage.tilesName, TileStorage.bundlesName] {
            guard let folder = try root.existingDirectory(name) else { continue }
            try checkIsFree(folder, "", folders: 2) { TileCoordinate($0) != nil }
        }
        if let leaves = try root.existingDirectory(TileStorage.leavesName) {
            try checkIsFree(leaves, "", folders: 1) { LeafPage($0) != nil }
        }
    }

    /// Nothing but its name tells a tile of ours from another's, and a build that fails removes its own.
    /// - Parameters:
    ///   - address: the numbers that lead to the folder, each with a slash.
    ///   - folders: how many folders are between this one and the files.
    private static func checkIsFree(
        _ folder: DirectoryHandle, _ address: String, folders: Int, isAddress: (String) -> Bool
    ) throws(OutputError) {
        for name in try folder.names() {
            if folders > 0 {
                guard Int(name).map(String.init) == name, let inner = try folder.directoryIfOne(name) else { continue }
                try checkIsFree(inner, "\(address)\(name)/", folders: folders - 1, isAddress: isAddress)
            } else if let (row, _) = TileStorage.parse(fileName: name), isAddress(address + row) {
                throw OutputError(
                    .unusable, folder.path + "/" + name,
                    "may be a tile of another program; move it away or build elsewhere")
            }
        }
    }

    /// Whether a build has started or finished here. Other programs have a `manifest.json` too, and one of our files
    /// may be damaged, so a word that only pyramid uses is enough, in any of the files.
    private static func isPyramid(_ path: String) -> Bool {
        let words = [(Manifest.fileName, "\"rows_accepted\""), (TileList.fileName, TileList.header)]
        if let marker = FileManager.default.contents(atPath: path + "/" + DirectoryTileset.buildMarkerName),
            BuildLock.isMarker(marker)
        {
            return true
        }
        return words.contains { name, word in
            let content = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
            return content.firstRange(of: Data(word.utf8)) != nil
        }
    }
}
