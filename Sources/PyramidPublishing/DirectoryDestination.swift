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
        try inFolder(of: name) { folder, name throws(OutputError) in try folder.content(of: name) } ?? nil
    }

    public func start(of name: String, byteCount: Int) throws -> (bytes: [UInt8], fileByteCount: Int)? {
        try inFolder(of: name) { folder, name in
            folder.start(of: name, count: byteCount).flatMap { bytes in folder.size(of: name).map { (bytes, $0) } }
        } ?? nil
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
        try inFolder(of: path) { folder, name in
            folder.contains(name)
                && !(ignoringTiles && folder.looksLikeTile(name, layer: TileStorage.defaultLayer))
        } ?? false
    }

    public func sizes(in folder: String) throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        let folders = FileAddress.Kind.allCases.map(\.folder)
        func add(_ directory: DirectoryHandle, _ path: String) throws(OutputError) {
            for name in try directory.names() {
                // Others may have files beside the tiles.
                let isOwn =
                    path != VersionFolder.start(of: path) || (folders + DirectoryTilesetWriter.fileNames).contains(name)
                    || path.isEmpty && TileJSON.isVersion(name)
                if !isOwn { continue }
                if let size = directory.size(of: name) {
                    sizes[path + name] = size
                } else if let inner = try directory.directoryIfOne(name) {
                    try add(inner, path + name + "/")
                }
            }
        }
        _ = try inFolder(of: folder + TileJSON.fileName) { directory, _ throws(OutputError) in
            try add(directory, folder)
        }
        return sizes
    }

    public func upload(
        _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
        progress: (Int) throws -> Void
    ) throws {
        // A single file is on disk before it gets its name.
        let isSingle = paths.count == 1
        for (index, path) in paths.enumerated() {
            let bytes = try content(index)
            _ = try inFolder(of: path, making: true) { folder, name throws(OutputError) in
                // On a full disk there may be no room for the same bytes a second time.
                if isSingle, bytes.withUnsafeBytes({ folder.holds(name, $0) }) { return }
                let file = try StagedFile(name, in: folder)
                try file.write(bytes[...])
                try file.publish(syncs: syncs && isSingle)
            }
            try progress(index + 1)
        }
        if !isSingle { try sync() }
    }

    public func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws {
        _ = try inFolder(of: archive.location.name, making: true) { folder, name throws(OutputError) in
            try folder.copy(archive.file, as: name, syncs: syncs)
        }
    }

    /// One wait for any number of files.
    private func sync() throws {
        if syncs { try inFolder(of: "") { root, _ throws(OutputError) in try root.syncFileSystem() } }
    }

    /// Calls `body` with the directory of a file, and with the file's name.
    /// - Parameter making: whether to create the directory. If anything fails, no empty one is left behind.
    /// - Returns: `nil` if there is no such directory.
    private func inFolder<Value>(
        of path: String, making: Bool = false, _ body: (DirectoryHandle, String) throws(OutputError) -> Value
    ) throws -> Value? {
        try reportingErrors { () throws(OutputError) in
            guard making || access(self.path, F_OK) == 0 else { return nil }
            let root = try making ? DirectoryHandle(making: self.path) : DirectoryHandle(path: self.path)
            let names = path.split(separator: "/").map(String.init)
            do throws(OutputError) {
                var folder = root
                for name in names.dropLast() {
                    guard let inner = try making ? folder.directory(name) : folder.existingDirectory(name) else {
                        return nil
                    }
                    folder = inner
                }
                return try body(folder, names.last ?? "")
            } catch {
                if making { _ = try? root.remove(nil, in: names.dropLast()) }
                throw error
            }
        }
    }

    public func remove(_ paths: [String]) throws {
        var removesAny = false
        for path in paths {
            let names = path.split(separator: "/").map(String.init)
            let isRemoved = try inFolder(of: "") { root, _ throws(OutputError) in
                try root.remove(names[names.count - 1], in: names.dropLast())
            }
            removesAny = removesAny || isRemoved == true
        }
        if removesAny { try sync() }
    }

    private func reportingErrors<Value>(_ body: () throws(OutputError) -> Value) throws(PublishingError) -> Value {
        if isStopped.exchange(false, ordering: .relaxed) { throw PublishingError(.stopped, "\(path): stopped") }
        do throws(OutputError) {
            return try body()
        } catch {
            let kind: PublishingError.Kind =
                error.kind == .unusable ? .unusable : error.kind == .busy ? .busy : .failed
            let isOther = [.otherFiles, .foreignArchive].contains(error.cause)
            throw PublishingError(kind, "\(error)", cause: isOther ? .otherFile : nil)
        }
    }
}
