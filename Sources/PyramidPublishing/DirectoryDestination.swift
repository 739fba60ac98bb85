import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// A directory on this machine, such as one that a web server serves. The server sets the headers.
public final class DirectoryDestination: PublishingDestination {
    public let path: String
    private let isStopped = Atomic(false)

    /// - Parameter path: created with the first file if missing.
    public init(path: String) {
        self.path = path
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
        try reportingErrors { () throws(OutputError) in try DirectoryHandle(making: path).put(name, bytes) }
    }

    public func checkIsUsable(for archive: String?) throws {
        try reportingErrors { () throws(OutputError) in
            if let archive {
                try ArchiveTilesetWriter.check(path: path + "/" + archive)
            } else {
                try DirectoryTilesetWriter.checkHasNoOtherFiles(path)
            }
        }
    }

    public func lock(for archive: String?) throws -> PublishingLock? {
        try reportingErrors { () throws(OutputError) in
            let isNew = access(path, F_OK) != 0
            let root = try DirectoryHandle(making: path)
            if let archive { try ArchiveTilesetWriter.checkWorkFile(ofArchive: archive, in: root) }
            let buildLock =
                if let archive {
                    try BuildLock(path: ArchiveTilesetWriter.workPath(of: path + "/" + archive), of: "archive")
                } else {
                    try BuildLock(path: path + "/" + DirectoryTileset.buildMarkerName)
                }
            let lock = PublishingLock(buildLock, madeFolder: isNew ? path : nil)
            do throws(OutputError) {
                try removeTemporaryFiles(of: archive, in: root, followsInterruption: lock.followsInterruption)
            } catch {
                if !lock.followsInterruption { try? lock.removeMarker() }
                throw error
            }
            return lock
        }
    }

    /// Removes what interrupted publishes have left. Tiles are searched for only if there was one.
    private func removeTemporaryFiles(
        of archive: String?, in root: DirectoryHandle, followsInterruption: Bool
    ) throws(OutputError) {
        if let archive { return try root.removeTemporaryFiles(of: [archive]) }
        let suffix = TileStorage.temporarySuffix
        let notes = try root.names().filter { $0.hasPrefix(PublishingStatus.fileName) }
        let unfinished = notes.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        try root.removeTemporaryFiles(of: DirectoryTilesetWriter.fileNames + unfinished)
        if followsInterruption || !notes.isEmpty { try root.removeTemporaryTiles() }
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

    public func upload(
        _ paths: [String], from directory: String, _ headers: PublishingHeaders, whenThere: (String) throws -> Void
    ) throws {
        for path in paths {
            try reportingErrors { () throws(OutputError) in
                let source = try DirectoryHandle(path: directory)
                var (parent, name) = (try DirectoryHandle(making: self.path), "")
                for part in path.split(separator: "/") {
                    if !name.isEmpty { parent = try parent.directory(name) }
                    name = String(part)
                }
                try parent.copy(path, from: source, as: name)
            }
            try whenThere(path)
        }
    }

    public func remove(_ paths: [String]) throws {
        for path in paths {
            try reportingErrors { () throws(OutputError) in
                try remove(path.split(separator: "/").map(String.init)[...], in: DirectoryHandle(path: self.path))
            }
        }
    }

    /// Also removes directories that become empty.
    private func remove(_ parts: ArraySlice<String>, in parent: DirectoryHandle) throws(OutputError) {
        guard let name = parts.first else { return }
        if parts.count == 1 {
            _ = try parent.remove(name)
        } else if let directory = try parent.existingDirectory(name) {
            try remove(parts.dropFirst(), in: directory)
            try parent.removeDirectoryIfEmpty(name)
        }
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
    /// Replaces a file as a whole: readers see either the old one or the new one.
    fileprivate func put(_ name: String, _ bytes: [UInt8]) throws(OutputError) {
        let file = try StagedFile(name, in: self)
        try file.write(bytes[...])
        try file.publish()
    }
}
