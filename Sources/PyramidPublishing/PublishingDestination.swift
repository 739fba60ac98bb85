import PyramidPlatform
import PyramidStore
import PyramidTiles

/// A place to publish tilesets to. Paths of files are relative to it, such as "tiles/3/4/2.json".
///
/// Each file is replaced as a whole: readers see either the old one or the new one. Methods throw ``PublishingError``,
/// and `StoreError` for files of the tileset.
public protocol PublishingDestination: Sendable, CustomStringConvertible {
    /// The content of a file beside the tiles; `nil` if there is none.
    func content(of name: String) throws -> [UInt8]?

    /// The first bytes of a file, fewer than requested if it is smaller, and its size; `nil` if there is no such file.
    func start(of name: String, byteCount: Int) throws -> (bytes: [UInt8], fileByteCount: Int)?

    /// Writes a file beside the tiles, if its content is still `old`; `nil` if there must be none.
    ///
    /// Two that do this at the same time must not both succeed where the host can prevent it.
    /// - Returns: false if the content is another one. Then it stays as it is.
    func replace(
        _ old: [UInt8]?, with bytes: [UInt8], as name: String, _ headers: PublishingHeaders
    ) throws -> Bool

    /// Throws if nothing can be published here, or if a publish would replace files that no publish has written, as far
    /// as can be told without its list.
    /// - Parameters:
    ///   - archive: the name of the archive to publish; `nil` for a directory of tiles.
    ///   - replacesOthers: whether files that no publish has written may be replaced.
    func checkIsUsable(for archive: String?, replacesOthers: Bool) throws

    /// Keeps builds and other publishes away, and removes the temporary files that an interrupted one has left.
    /// - Parameter archive: the name of the archive to publish; `nil` for a directory of tiles.
    /// - Returns: `nil` if others can't be kept away.
    func lock(for archive: String?) throws -> LockedFolder?

    /// Whether a build or publish is in progress or was interrupted; `nil` if destinations of this kind aren't locked.
    /// Where they are, ``sizes(in:)`` is quick enough for every publish.
    var isMarked: Bool? { get }

    /// Whether there is a file at a path, if others put files there, too.
    /// - Parameter ignoringTiles: whether to pass over a file that looks like a tile of a tileset.
    func isOther(_ path: String, ignoringTiles: Bool) throws -> Bool

    /// The sizes of all files in bytes, by path. May take a request for every thousand files.
    /// - Parameter folder: that of a version, with a slash; nothing for all files, those of versions too.
    func sizes(in folder: String) throws -> [String: Int]

    /// Writes files.
    /// - Parameters:
    ///   - content: the bytes of the file with this index, called once for each. An error ends the upload.
    ///   - progress: called on this thread with the number of files that are uploaded, perhaps not for each. When the
    ///     method returns, all files are. An error ends the upload.
    func upload(
        _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
        progress: (Int) throws -> Void
    ) throws

    /// Writes an archive under its own name.
    func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws

    /// Removes at most 1000 files; some may not exist.
    func remove(_ paths: [String]) throws

    /// Stops the running call, which throws; or the next one, if none is running. May be called from any thread.
    func stop()
}

extension PublishingDestination {
    /// Writes a file beside the tiles, in a version's folder too.
    func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
        try upload([name], headers, content: { _ in bytes }, progress: { _ in })
    }

    public func replace(
        _ old: [UInt8]?, with bytes: [UInt8], as name: String, _ headers: PublishingHeaders
    ) throws -> Bool {
        guard try content(of: name) == old else { return false }
        try put(bytes, as: name, headers)
        return try content(of: name) == bytes
    }

    public func checkIsUsable(for archive: String?, replacesOthers: Bool) throws {}

    public func lock(for archive: String?) throws -> LockedFolder? { nil }

    public var isMarked: Bool? { nil }

    public func isOther(_ path: String, ignoringTiles: Bool) throws -> Bool { false }
}

/// Why a tileset can't be published.
public struct PublishingError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The tileset is incomplete, or the metadata at the destination is damaged.
        case badData
        /// The destination can't be used.
        case unusable
        /// Another publish is in progress.
        case busy
        /// Reading or writing failed.
        case failed
        /// ``PublishingDestination/stop()`` was called.
        case stopped
    }

    /// A cause that an option of ``Publisher`` affects.
    public enum Cause: CaseIterable, Sendable {
        /// Another publish holds the destination, as far as its status says; ``Publisher/takesOver`` takes it.
        case otherPublish
        /// The metadata at the destination is damaged; a publish that uploads all files doesn't need it.
        case damagedMetadata
        /// No publish has written a file that would be replaced, or any file there.
        case otherFile
        /// There is a tileset in place, and a version was to be published, or the other way round;
        /// ``Publisher/keptVersionCount``.
        case otherLayout
        /// A publish of all files was interrupted. The next one continues it only if it doesn't upload all files.
        case interruptedUploadOfAll
    }

    public let kind: Kind
    public let cause: Cause?
    /// One line: where, and what went wrong.
    public let description: String

    init(_ kind: Kind, _ description: String, cause: Cause? = nil) {
        self.kind = kind
        self.cause = cause
        self.description = description
    }
}

/// A temporary directory that is removed together with the value.
final class ScratchDirectory {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("pyramid-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, creating the folders around it.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }
}
