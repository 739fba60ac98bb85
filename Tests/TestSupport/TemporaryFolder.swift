import Foundation

/// A folder that is removed with the object.
public final class TemporaryFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.appendingPathComponent("pyramid-\(UUID().uuidString)")

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
