import PyramidPlatform
import PyramidTiles

/// Which files can become an archive.
extension ArchiveTilesetWriter {
    /// The end of archives' names.
    public static let suffix = ".pmtiles"

    /// Whether an output at this path is an archive, judging by its name.
    public static func isArchive(_ path: String) -> Bool { path.lowercased().hasSuffix(suffix) }

    /// The path of the work file, in which a build keeps its tiles until it writes the archive.
    public static func workPath(of path: String) -> String {
        let (parent, name) = folderAndName(of: path)
        return parent + "/" + workName(of: name)
    }

    package static func workName(of name: String) -> String { ".\(name).building" }

    package static func temporaryName(of name: String) -> String { name + TileStorage.temporarySuffix }

    /// Removes the temporary files that this process has put beside the archive, if it is building one there. An
    /// existing archive stays as it is. Call it when the process is about to end.
    public static func removeLeftovers(of path: String) {
        BuildLock.takeNoMore()
        let (parent, name) = folderAndName(of: path)
        // The files of another build stay.
        guard BuildLock.isOfThisProcess(workPath(of: path)) else { return }
        unlink(parent + "/" + temporaryName(of: name))
        unlink(workPath(of: path))
    }

    /// The folder of a file, and its name.
    static func folderAndName(of path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let parent = path[..<slash]
        return (parent.isEmpty ? "/" : String(parent), String(path[path.index(after: slash)...]))
    }

    /// Throws ``OutputError`` if there is a file with the name of an archive's work file that isn't one.
    package static func checkWorkFile(ofArchive name: String, in folder: DirectoryHandle) throws(OutputError) {
        let workName = workName(of: name)
        guard folder.contains(workName) else { return }
        let start = folder.start(of: workName, count: BuildLock.markerByteCount)
        guard let start, BuildLock.isMarker(Data(start)) else {
            throw OutputError(
                .unusable, folder.path + "/" + workName, "is not pyramid's and would be replaced; move it away")
        }
    }

    /// Throws ``OutputError`` if an archive can't be built at `path`; changes nothing. There must be no file, an empty
    /// one, or an archive that pyramid wrote.
    /// - Parameter force: whether another program's archive may be replaced, or one of another format version.
    public static func check(path: String, force: Bool = false) throws(OutputError) {
        let (parent, name) = folderAndName(of: path)
        guard access(parent, F_OK) == 0 else { return }
        guard access(parent, W_OK | X_OK) == 0 else {
            throw OutputError(.unusable, parent, "the directory can't be written: \(OutputError.lastReason())")
        }
        let folder = try DirectoryHandle(path: parent)
        try checkWorkFile(ofArchive: name, in: folder)
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw OutputError(.unusable, path, "is a directory, so no archive can be written there")
        case S_IFLNK: throw OutputError(.unusable, path, "is a symbolic link, expected the path of the file itself")
        default: throw OutputError(.unusable, path, "is not a regular file, so no archive can be written there")
        }
        if status.st_size == 0 { return }
        let start = folder.start(of: name, count: PMTilesHeader.magic.count)
        guard start == PMTilesHeader.magic else {
            throw OutputError(
                .unusable, path,
                "is a file but not a PMTiles archive, and would be replaced; move it away or build elsewhere")
        }
        guard !force else { return }
        let archive = try? ArchiveTileset(path: path)
        if let version = archive?.otherFormatVersion { throw OutputError(otherFormatVersion: version, path) }
        guard (try? archive?.metadataBytes(of: Manifest.fileName)) == nil else { return }
        throw OutputError(
            .unusable, path,
            "is a PMTiles archive that pyramid did not write, or a damaged one; move it away", cause: .foreignArchive)
    }
}
