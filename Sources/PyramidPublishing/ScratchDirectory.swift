import Foundation

/// A temporary directory that is removed together with the value.
final class ScratchDirectory {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pyramid-\(UUID().uuidString)")
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
        return path(name)
    }
}
