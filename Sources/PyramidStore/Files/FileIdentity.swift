import PyramidPlatform

/// What tells a file or folder from all others that are there at the same time, whatever paths lead to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: Int
    private let number: UInt64

    package init(_ status: stat) {
        device = Int(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Follows symbolic links; `nil` if there is nothing at the path.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// A folder, which may not exist yet, and the folders that contain it.
package struct FolderChain {
    private let folder: FileIdentity?
    private let all: Set<FileIdentity>

    package init(_ path: String) {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
        let ends = path.indices.filter { path[$0] == "/" } + [path.endIndex]
        folder = FileIdentity(of: path)
        all = Set(ends.compactMap { FileIdentity(of: String(path[..<$0]) + "/") })
    }

    /// Whether both are one folder. `Out` and `out` are one on most Macs, and a mount can give a folder a second path.
    package func isSame(as other: FolderChain) -> Bool { folder != nil && folder == other.folder }

    /// Whether one is the other or lies in it.
    package func overlaps(_ other: FolderChain) -> Bool {
        [(folder, other.all), (other.folder, all)].contains { folder, all in folder.map(all.contains) ?? false }
    }
}
