import PyramidPlatform

/// A version of a file: it changes when the file is written to, or when another file gets its name.
package struct FileVersion: Hashable, Sendable {
    package let file: FileIdentity
    package let byteCount: Int
    private let seconds, nanoseconds: Int

    package init(_ status: stat) {
        #if canImport(Darwin)
            let changed = status.st_mtimespec
        #else
            let changed = status.st_mtim
        #endif
        file = FileIdentity(status)
        byteCount = Int(status.st_size)
        (seconds, nanoseconds) = (Int(changed.tv_sec), Int(changed.tv_nsec))
    }

    /// Follows symbolic links; `nil` if there is nothing at the path. Safe to call in a signal handler.
    package init?(of path: UnsafePointer<CChar>) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// For entity tags; without the device's number.
    package var text: String {
        [file.number, UInt64(byteCount), UInt64(bitPattern: Int64(seconds)), UInt64(nanoseconds)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }
}

/// Identifies a file or folder among all that exist at the same time, whatever its path.
package struct FileIdentity: Hashable, Sendable {
    private let device: Int
    fileprivate let number: UInt64

    package init(_ status: stat) {
        device = Int(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

/// A folder, which may not exist yet, and the folders that contain it.
package struct FolderChain {
    private let folder: FileIdentity?
    private let all: Set<FileIdentity>

    package init(_ path: String) {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
        let ends = path.indices.filter { path[$0] == "/" } + [path.endIndex]
        folder = FileVersion(of: path)?.file
        all = Set(ends.compactMap { FileVersion(of: String(path[..<$0]) + "/")?.file })
    }

    /// Whether both are the same folder. `Out` and `out` are the same on most Macs, and a mount can give a folder a
    /// second path.
    package func isSame(as other: FolderChain) -> Bool { folder != nil && folder == other.folder }

    /// Whether both are the same folder, or one contains the other.
    package func overlaps(_ other: FolderChain) -> Bool { isInside(other) || other.isInside(self) }

    /// Whether the other folder contains this one, or both are the same. Files can be in a folder, too.
    package func isInside(_ other: FolderChain) -> Bool {
        isSame(as: other) || other.folder.map(all.contains) ?? false
    }
}
