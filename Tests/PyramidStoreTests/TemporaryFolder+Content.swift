import Foundation
import TestSupport

/// What is in the folder.
extension TemporaryFolder {
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
                let name = buffer.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                let opened = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
                return opened.hasPrefix(ownPath) ? opened : nil
            }
        #endif
    }
}
