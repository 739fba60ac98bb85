import Foundation

/// A folder that is removed with the object.
public final class TemporaryFolder: Sendable {
    public let url = TemporaryFolder.parent.appendingPathComponent("pyramid-\(UUID().uuidString)")

    /// `TMPDIR`. Without it, memory if there is enough: the tests write and delete a hundred thousand small files, which takes
    /// five times as long on ext4.
    public static let parent: URL = {
        let memory = "/dev/shm"
        let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int
        let isChosen = ProcessInfo.processInfo.environment["TMPDIR"] != nil
        return !isChosen && free ?? 0 > 2_000_000_000
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    }()

    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public var path: String { url.path }

    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, makes its directory if it must, and gives its path.
    @discardableResult
    public func file(_ name: String, _ content: Data) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
        return file.path
    }

    @discardableResult
    public func file(_ name: String, _ content: String) throws -> String { try file(name, Data(content.utf8)) }
}
