import PyramidPlatform
import PyramidTiles

/// Which directories can hold a tileset.
extension DirectoryTilesetWriter {
    /// The files beside the tiles.
    static let metadataNames = [TileJSON.fileName, FileList.fileName, Manifest.fileName]

    /// All names of files that a tileset may have beside its tiles.
    package static let fileNames = metadataNames + [TilesetMetadata.previewName]

    /// Throws ``OutputError`` if a tileset can't be built at `path`; changes nothing. The directory must be missing,
    /// empty, or hold a tileset.
    /// - Parameters:
    ///   - force: whether a directory with other files, or with a tileset of another format version, may be used. Other
    ///     files are left alone, so none of them may have a name that a tileset's file could have.
    ///   - previewPage: the page to be written beside the tiles; `nil` for none.
    public static func check(path: String, force: Bool = false, previewPage: [UInt8]? = nil) throws(OutputError) {
        guard access(path, F_OK) == 0 else { return }
        let names = try usableNames(in: path)
        let isPyramid = isPyramid(path, names)
        if isPyramid, !force, let version = DirectoryTileset(path: path, storage: TileStorage()).otherFormatVersion {
            throw OutputError(otherFormatVersion: version, path)
        } else if force, !isPyramid {
            try checkNamesAreFree(in: path, names)
        } else if !isPyramid {
            try checkAreNone(names, in: path)
        }
        try PreviewFile.check(previewPage, in: DirectoryHandle(path: path))
    }

    /// Throws ``OutputError`` if a tileset can't be copied to a directory; changes nothing. It must be missing, empty, or
    /// hold a tileset of any format version or condition, or versions of one.
    /// - Parameter besideOthers: whether it may hold any files.
    package static func checkIsUsable(_ path: String, besideOthers: Bool) throws(OutputError) {
        guard access(path, F_OK) == 0 else { return }
        let names = try usableNames(in: path)
        if !besideOthers, !isPyramid(path), !holdsVersions(path, names) { try checkAreNone(names, in: path) }
    }

    /// The names in a directory that can be written.
    private static func usableNames(in path: String) throws(OutputError) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw OutputError(.unusable, path, "is a file, expected a directory")
        }
        guard let names = names(inDirectory: path), access(path, W_OK | X_OK) == 0 else {
            throw OutputError(.unusable, path, "the directory can't be read and written: \(OutputError.lastReason())")
        }
        let root = try DirectoryHandle(path: path)
        for kind in FileAddress.Kind.allCases { _ = try root.existingDirectory(kind.folder) }
        return names
    }

    private static func checkAreNone(_ names: [String], in path: String) throws(OutputError) {
        guard !names.isEmpty else { return }
        let example = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
        throw OutputError(
            .unusable, path,
            "the directory holds other files (\(example)), expected an empty one or a tileset", cause: .otherFiles)
    }

    private static func checkNamesAreFree(in path: String, _ names: [String]) throws(OutputError) {
        for name in metadataNames + [DirectoryTileset.buildMarkerName] where names.contains(name) {
            throw OutputError(
                .unusable, path + "/" + name, "is not pyramid's and would be replaced; move it away or build elsewhere")
        }
        let root = try DirectoryHandle(path: path)
        for kind in FileAddress.Kind.allCases {
            if let folder = try root.existingDirectory(kind.folder) { try checkIsFree(folder, kind, []) }
        }
    }

    /// Throws if a file has the name of a tile. Only the name tells tiles of pyramid from those of other programs, and
    /// a build that fails removes its own tiles.
    /// - Parameter numbers: the numbers in the folder's path.
    private static func checkIsFree(
        _ folder: DirectoryHandle, _ kind: FileAddress.Kind, _ numbers: [Int]
    ) throws(OutputError) {
        for name in try folder.names() {
            if numbers.count < FileAddress.numberCount - 1 {
                guard let number = Int(name), "\(number)" == name, let inner = try folder.directoryIfOne(name)
                else { continue }
                try checkIsFree(inner, kind, numbers + [number])
            } else if let (digits, _) = TileStorage.parse(fileName: name), let number = Int(digits),
                "\(number)" == digits, FileAddress(kind, numbers + [number]) != nil
            {
                throw OutputError(
                    .unusable, folder.path + "/" + name,
                    "may be a tile of another program; move it away or build elsewhere")
            }
        }
    }

    /// Whether a build has started or finished here. Other programs write a `manifest.json` too, and a file of pyramid
    /// may be damaged, so any file with text that only pyramid writes is enough. A power cut can leave such files empty.
    /// - Parameter names: those in the directory, if it may not hold versions that a publish has left unfinished.
    private static func isPyramid(_ path: String, _ names: [String]? = nil) -> Bool {
        let words = [(Manifest.fileName, "\"rows_accepted\""), (FileList.fileName, FileList.header)]
        if let marker = FileManager.default.contents(atPath: path + "/" + DirectoryTileset.buildMarkerName),
            BuildLock.isMarker(marker), names.map({ !holdsVersions(path, $0) }) ?? true
        {
            return true
        }
        let contents = words.compactMap { name, word in
            FileManager.default.contents(atPath: path + "/" + name).map { (content: $0, word: Data(word.utf8)) }
        }
        return contents.contains { $0.content.firstRange(of: $0.word) != nil }
            || !contents.isEmpty && contents.allSatisfy { $0.content.allSatisfy { $0 == 0 } }
    }

    /// Whether a TileJSON leads to versions, or a power cut or an interruption has left folders of versions without one.
    private static func holdsVersions(_ path: String, _ names: [String]) -> Bool {
        let content = FileManager.default.contents(atPath: path + "/" + TileJSON.fileName)
        guard let content, content.contains(where: { $0 != 0 }) else {
            return names.contains(where: TileJSON.isVersion)
                && (content != nil || names.contains(DirectoryTileset.buildMarkerName))
        }
        return (try? TileJSON(decoding: [UInt8](content)))?.versions != nil
    }
}
