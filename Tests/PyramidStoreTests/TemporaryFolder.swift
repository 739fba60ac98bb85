import Foundation

/// A directory for one test, removed at the test's end.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pyramid-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and makes its directory.
    func put(_ text: String, _ name: String) throws {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The content of a file; `nil` if there is none.
    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The relative paths of all files and directories, sorted.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }

    /// The number that a file keeps for as long as it is the same file.
    func fileNumber(_ name: String) -> UInt64? {
        var status = stat()
        return lstat(path(name), &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The files and directories in here that this process has open.
    func openPaths() throws -> [String] {
        #if os(Linux)
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
                let opened = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
                return opened.flatMap { $0.hasPrefix(path) ? $0 : nil }
            }
        #else
            let ownPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return (0..<Int32(getdtablesize())).compactMap { descriptor in
                var buffer = [CChar](repeating: 0, count: Int(MAXPATHLEN))
                guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
                let opened = URL(fileURLWithPath: String(cString: buffer)).resolvingSymlinksInPath().path
                return opened.hasPrefix(ownPath) ? opened : nil
            }
        #endif
    }
}
