import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// A directory on this machine, such as one that a web server serves. The server sets the headers.
///
/// What a call has changed is on disk when it returns, so a power cut can't undo what is noted as done.
public final class DirectoryDestination: PublishingDestination {
    public let path: String
    private let syncs: Bool
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - path: created with the first file if missing.
    ///   - syncs: whether to wait until changes are on disk.
    public init(path: String, syncs: Bool = true) {
        (self.path, self.syncs) = (path, syncs)
    }

    public var description: String { path }

    public func stop() { isStopped.store(true, ordering: .relaxed) }

    public func content(of name: String) throws -> [UInt8]? {
        guard access(path, F_OK) == 0 else { return nil }
        return try reportingErrors { () throws(OutputError) in try DirectoryHandle(path: path).content(of: name) }
    }

    public func start(of name: String, byteCount: Int) throws -> FileStart? {
        guard access(path, F_OK) == 0 else { return nil }
        return try reportingErrors { () throws(OutputError) in
            let folder = try DirectoryHandle(path: path)
            guard let bytes = folder.start(of: name, count: byteCount), let size = folder.size(of: name) else {
                return nil
            }
            return FileStart(bytes: bytes, fileByteCount: size)
        }
    }

    public func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
        try reportingErrors { () throws(OutputError) in
            let (parent, name) = try place(of: name)
            // On a full disk there may be no room for the same bytes a second time.
            if bytes.withUnsafeBytes({ parent.holds(name, $0) }) { return }
            let file = try StagedFile(name, in: parent)
            try file.write(bytes[...])
            try file.publish(syncs: syncs)
        }
    }

    public func checkIsUsable(for archive: String?, replacesOthers: Bool) throws {
        try reportingErrors { () throws(OutputError) in
            if let archive {
                if !replacesOthers { try ArchiveTilesetWriter.check(path: path + "/" + archive) }
            } else {
                try DirectoryTilesetWriter.checkIsUsable(path, besideOthers: replacesOthers)
            }
        }
    }

    public func lock(for archive: String?, versions: [String]) throws -> LockedFolder? {
        try reportingErrors { () throws(OutputError) in
            if let archive, access(path, F_OK) == 0 {
                try ArchiveTilesetWriter.checkWorkFile(ofArchive: archive, in: DirectoryHandle(path: path))
            }
            let locked = try LockedFolder(
                path, marker: archive.map(ArchiveTilesetWriter.workName(of:)) ?? DirectoryTileset.buildMarkerName,
                of: archive == nil ? "directory" : "archive", syncs: syncs)
            do throws(OutputError) {
                try removeTemporaryFiles(of: archive, versions, locked)
            } catch {
                locked.undo()
                throw error
            }
            return locked
        }
    }

    /// Removes what interrupted publishes have left. Tiles are searched for only if there was one.
    private func removeTemporaryFiles(
        of archive: String?, _ versions: [String], _ locked: LockedFolder
    ) throws(OutputError) {
        let root = locked.folder
        if let archive { return try root.removeTemporaryFiles(of: [archive]) }
        let suffix = TileStorage.temporarySuffix
        let notes = try root.names().filter { $0.hasPrefix(PublishingStatus.fileName) }
        let unfinished = notes.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        for name in [""] + versions {
            guard let folder = name.isEmpty ? root : try root.directoryIfOne(name) else { continue }
            try folder.removeTemporaryFiles(of: DirectoryTilesetWriter.fileNames + unfinished)
            if locked.followsInterruption || !notes.isEmpty { try folder.removeTemporaryTiles() }
        }
    }

    public var isMarked: Bool? { DirectoryTileset(path: path, storage: TileStorage()).isBeingBuilt }

    public func firstOther(among paths: some Sequence<String>, ignoringTiles: Bool) throws -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        return try reportingErrors { () throws(OutputError) in
            let root = try DirectoryHandle(path: path)
            return paths.first { path in
                root.contains(path) && !(ignoringTiles && root.looksLikeTile(path, layer: TileStorage.defaultLayer))
            }
        }
    }

    public var knowsSizes: Bool { true }

    public func sizes(in folder: String) throws -> [String: Int] {
        let path = folder.isEmpty ? path : "\(path)/\(folder)"
        guard access(path, F_OK) == 0 else { return [:] }
        return try reportingErrors { () throws(OutputError) in
            let directory = try DirectoryHandle(path: path)
            var sizes: [String: Int] = [:]
            for name in DirectoryTilesetWriter.fileNames { sizes[folder + name] = directory.size(of: name) }
            for kind in FileAddress.Kind.allCases.map(\.folder) {
                try directory.directoryIfOne(kind)?.forEachFile(below: folder + kind) { sizes[$0] = $1 }
            }
            return sizes
        }
    }

    public func sync() throws {
        try reportingErrors { () throws(OutputError) in try syncFiles() }
    }

    public func upload(
        _ paths: [String], from directory: String, to folder: String, _ headers: PublishingHeaders,
        progress: (Int) throws -> Void
    ) throws {
        for (index, path) in paths.enumerated() {
            try reportingErrors { () throws(OutputError) in
                let source = try DirectoryHandle(path: directory)
                let (parent, name) = try place(of: folder + path)
                // A single file, such as an archive, is on disk before it gets its name.
                try parent.copy(path, from: source, as: name, syncs: syncs && paths.count == 1)
            }
            try progress(index + 1)
        }
        try sync()
    }

    /// The directory of a file, created if missing, and the file's name.
    private func place(of path: String) throws(OutputError) -> (parent: DirectoryHandle, name: String) {
        var (parent, name) = (try DirectoryHandle(making: self.path), "")
        for part in path.split(separator: "/") {
            if !name.isEmpty { parent = try parent.directory(name) }
            name = String(part)
        }
        return (parent, name)
    }

    /// One wait for any number of files.
    private func syncFiles() throws(OutputError) {
        if syncs { try DirectoryHandle(path: path).syncFileSystem() }
    }

    public func remove(_ paths: [String]) throws {
        var removesAny = false
        for path in paths {
            try reportingErrors { () throws(OutputError) in
                let isRemoved = try remove(
                    path.split(separator: "/").map(String.init)[...], in: DirectoryHandle(path: self.path))
                removesAny = removesAny || isRemoved
            }
        }
        if removesAny { try sync() }
    }

    /// Also removes directories that become empty.
    /// - Returns: whether there was such a file.
    private func remove(_ parts: ArraySlice<String>, in parent: DirectoryHandle) throws(OutputError) -> Bool {
        guard let name = parts.first else { return false }
        if parts.count == 1 { return try parent.remove(name) }
        guard let directory = try parent.existingDirectory(name) else { return false }
        let isRemoved = try remove(parts.dropFirst(), in: directory)
        try parent.removeDirectoryIfEmpty(name)
        return isRemoved
    }

    private func reportingErrors<Value>(_ body: () throws(OutputError) -> Value) throws(PublishingError) -> Value {
        if isStopped.exchange(false, ordering: .relaxed) { throw PublishingError(.stopped, "\(path): stopped") }
        do throws(OutputError) {
            return try body()
        } catch {
            let kind: PublishingError.Kind =
                switch error.kind {
                case .unusable: .unusable
                case .busy: .busy
                case .failed: .failed
                }
            let isOther = [.otherFiles, .foreignArchive].contains(error.cause)
            throw PublishingError(kind, "\(error)", cause: isOther ? .otherFile : nil)
        }
    }
}

extension DirectoryHandle {
    /// The paths and sizes of all files in the directory and those inside it.
    /// - Parameter path: of this directory, as the paths begin.
    fileprivate func forEachFile(below path: String, _ body: (String, Int) -> Void) throws(OutputError) {
        for name in try names() {
            if let size = size(of: name) {
                body("\(path)/\(name)", size)
            } else {
                try directoryIfOne(name)?.forEachFile(below: "\(path)/\(name)", body)
            }
        }
    }
}
