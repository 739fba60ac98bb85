import Foundation

/// A file system in memory that is full soon.
package final class SmallDisk {
    /// What is left on a disk.
    package enum Room: Sendable {
        /// Of 4096 bytes each.
        case pages(Int)
        /// Files and directories.
        case files(Int)
    }

    private struct Failure: Error {}

    /// Whether this process may not mount any.
    package static let isMissing: Bool = (try? SmallDisk("size=64k")) == nil
    package let folder: TemporaryFolder

    /// - Parameter options: of tmpfs, such as "size=10m".
    package init(_ options: String) throws {
        folder = try TemporaryFolder()
        try run("mount", "-t", "tmpfs", "-o", options, "none", folder.url.path)
    }

    deinit { try? run("umount", folder.url.path) }

    package func change(_ options: String) throws {
        try run("mount", "-o", "remount,\(options)", folder.url.path)
    }

    /// Leaves so much room beside what is there already.
    package func leave(_ room: Room) throws {
        var status = statvfs()
        guard statvfs(folder.url.path, &status) == 0 else { throw Failure() }
        switch room {
        case .pages(let count):
            let used = UInt64(status.f_blocks - status.f_bfree) * UInt64(status.f_frsize)
            try change("size=\(used + UInt64(count) * 4096)")
        case .files(let count):
            try change("nr_inodes=\(Int(status.f_files - status.f_ffree) + count)")
        }
    }

    private func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
    }
}
