import Foundation
import PyramidTiles

/// Which directories a pyramid can be built into.
extension DirectoryTilesetWriter {
    /// The files beside the tiles.
    static let metadataNames = [TileJSON.fileName, TileList.fileName, LeafList.fileName, Manifest.fileName]

    /// Throws ``OutputError`` where a pyramid can't be built into `path`, and touches nothing. A directory can be used
    /// that does not exist yet, is empty, or holds a pyramid.
    /// - Parameter force: whether a directory can be used that holds other files. They are left alone, so none of them
    ///   may stand where one of the pyramid's files has to be.
    /// - Parameter previewPage: the page that is going to be written beside the tiles.
    public static func check(path: String, force: Bool = false, previewPage: [UInt8]? = nil) throws(OutputError) {
        guard access(path, F_OK) == 0 else { return }
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isDirectory.boolValue else {
            throw OutputError(.unusable, path, "is a file, expected a directory")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path),
            access(path, W_OK | X_OK) == 0
        else {
            throw OutputError(.unusable, path, "the directory can't be read and written: \(OutputError.lastReason())")
        }
        if force, !isPyramid(path) {
            try checkNamesAreFree(in: path, names)
        } else if !names.isEmpty, !isPyramid(path) {
            let names = names.sorted()
            let example = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
            throw OutputError(
                .unusable, path,
                "the directory holds other files (\(example)), expected an empty one or a pyramid; "
                    + "\(.force) builds beside them")
        }
        try PreviewFile.check(previewPage, in: DirectoryHandle(path: path))
    }

    private static func checkNamesAreFree(in path: String, _ names: [String]) throws(OutputError) {
        for name in metadataNames + [DirectoryTileset.buildMarkerName] where names.contains(name) {
            throw OutputError(
                .unusable, path + "/" + name, "is not pyramid's and would be replaced; move it away or build elsewhere")
        }
        for folder in [TileStorage.tilesName, TileStorage.leavesName] {
            var status = stat()
            guard lstat(path + "/" + folder, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else {
                throw OutputError(
                    .unusable, path + "/" + folder, "is not a directory; move it away or build elsewhere")
            }
        }
    }

    /// Whether a build has begun or ended here. Other programs have a `manifest.json` too, and one of our files may be
    /// damaged, so a word that nobody else has in any of them is enough.
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
