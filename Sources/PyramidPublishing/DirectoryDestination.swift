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
        try reading(name) { folder, name throws(OutputError) in try folder.content(of: name) } ?? nil
    }

    public func start(of name: String, byteCount: Int) throws -> FileStart? {
        try reading(name) { folder, name in
            guard let bytes = folder.start(of: name, count: byteCount), let size = folder.size(of: name) else {
                return nil
            }
            return FileStart(bytes: bytes, fileByteCount: size)
        } ?? nil
    }

    public func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
        try writing(name) { folder, name throws(OutputError) in
            // On a full disk there may be no room for the same bytes a second time.
            if bytes.withUnsafeBytes({ folder.holds(name, $0) }) { return }
            let file = try StagedFile(name, in: folder)
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

    public func lock(for archive: String?) throws -> LockedFolder? {
        try reportingErrors { () throws(OutputError) in
            if let archive, access(path, F_OK) == 0 {
                try ArchiveTilesetWriter.checkWorkFile(ofArchive: archive, in: DirectoryHandle(path: path))
            }
            let locked = try LockedFolder(
                path, marker: archive.map(ArchiveTilesetWriter.workName(of:)) ?? DirectoryTileset.buildMarkerName,
                of: archive == nil ? "directory" : "archive", syncs: syncs)
            do throws(OutputError) {
                try removeTemporaryFiles(of: archive, locked)
            } catch {
                locked.undo()
                throw error
            }
            return locked
        }
    }

    /// Removes what interrupted publishes have left. Tiles are searched for only if there was one.
    private func removeTemporaryFiles(of archive: String?, _ locked: LockedFolder) throws(OutputError) {
        let root = locked.folder
        if let archive { return try root.removeTemporaryFiles(of: [archive]) }
        let names = try root.names()
        try root.removeTemporaryFiles(
            of: DirectoryTilesetWriter.fileNames + [PublishingStatus.fileName, PublishingJournal.fileName])
        guard locked.followsInterruption || names.contains(where: { $0.hasPrefix(PublishingStatus.fileName) }) else {
            return
        }
        try root.removeTemporaryTiles()
        for name in names where TileJSON.isVersion(name) {
            guard let folder = try root.directoryIfOne(name) else { continue }
            try folder.removeTemporaryFiles(of: DirectoryTilesetWriter.fileNames)
            try folder.removeTemporaryTiles()
            try root.removeDirectoryIfEmpty(name)
        }
    }

    public var isMarked: Bool? { DirectoryTileset(path: path, storage: TileStorage()).isBeingBuilt }

    public func isOther(_ path: String, ignoringTiles: Bool) throws -> Bool {
        try reading(path) { folder, name in
            folder.contains(name)
                && !(ignoringTiles && folder.looksLikeTile(name, layer: TileStorage.defaultLayer))
        } ?? false
    }

    public var knowsSizes: Bool { true }

    public func sizes(in folder: String) throws -> [String: Int] {
        try reading("") { root, _ throws(OutputError) in
            var sizes: [String: Int] = [:]
            func add(_ path: String, _ directory: DirectoryHandle?) throws(OutputError) {
                guard let directory else { return }
                for name in DirectoryTilesetWriter.fileNames { sizes[path + name] = directory.size(of: name) }
                for kind in FileAddress.Kind.allCases.map(\.folder) {
                    try directory.directoryIfOne(kind)?.forEachFile(below: path + kind) { sizes[$0] = $1 }
                }
            }
            guard folder.isEmpty else {
                try add(folder, root.existingDirectory(String(folder.dropLast())))
                return sizes
            }
            try add("", root)
            for name in try root.names() where TileJSON.isVersion(name) {
                try add(name + "/", root.directoryIfOne(name))
            }
            return sizes
        } ?? [:]
    }

    public func upload(
        _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
        progress: (Int) throws -> Void
    ) throws {
        for (index, path) in paths.enumerated() {
            let bytes = try content(index)
            try writing(path) { folder, name throws(OutputError) in
                let file = try StagedFile(name, in: folder)
                try file.write(bytes[...])
                try file.publish()
            }
            try progress(index + 1)
        }
        try sync()
    }

    public func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws {
        try writing(archive.location.name) { folder, name throws(OutputError) in
            try folder.copy(archive.file, as: name, syncs: syncs)
        }
    }

    /// One wait for any number of files.
    private func sync() throws {
        if syncs { try reading("") { root, _ throws(OutputError) in try root.syncFileSystem() } }
    }

    /// Calls `body` with the directory of a file, and with the file's name.
    /// - Returns: `nil` if there is no such directory.
    private func reading<Value>(
        _ path: String, _ body: (DirectoryHandle, String) throws(OutputError) -> Value
    ) throws -> Value? {
        try reportingErrors { () throws(OutputError) in
            guard access(self.path, F_OK) == 0 else { return nil }
            var (folder, names) = (try DirectoryHandle(path: self.path), path.split(separator: "/").map(String.init))
            let name = names.popLast() ?? ""
            for name in names {
                guard let inner = try folder.existingDirectory(name) else { return nil }
                folder = inner
            }
            return try body(folder, name)
        }
    }

    /// Calls `body` with the directory of a file, created if missing, and with the file's name. If it fails, no empty
    /// directory is left behind.
    private func writing(
        _ path: String, _ body: (DirectoryHandle, String) throws(OutputError) -> Void
    ) throws {
        let names = path.split(separator: "/").map(String.init)
        try reportingErrors { () throws(OutputError) in
            let root = try DirectoryHandle(making: self.path)
            do throws(OutputError) {
                var folder = root
                for name in names.dropLast() { folder = try folder.directory(name) }
                try body(folder, names[names.count - 1])
            } catch {
                _ = try? remove(names[...], in: root, onlyFolders: true)
                throw error
            }
        }
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

    /// Removes a file, and its directories if they are empty then.
    /// - Returns: whether there was such a file.
    private func remove(
        _ parts: ArraySlice<String>, in parent: DirectoryHandle, onlyFolders: Bool = false
    ) throws(OutputError) -> Bool {
        guard let name = parts.first else { return false }
        if parts.count == 1 { return onlyFolders ? false : try parent.remove(name) }
        guard let directory = try parent.existingDirectory(name) else { return false }
        let isRemoved = try remove(parts.dropFirst(), in: directory, onlyFolders: onlyFolders)
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
