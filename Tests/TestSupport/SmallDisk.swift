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

    package static let requirement = Requirement("the right to mount", isThere: (try? SmallDisk("size=64k")) != nil)
    package let folder: TemporaryFolder

    /// - Parameter options: of tmpfs, such as "size=10m".
    package init(_ options: String) throws {
        folder = try TemporaryFolder()
        try run("mount", "-t", "tmpfs", "-o", options, "none", folder.url.path)
    }

    deinit { try? runOnMount("umount", folder.url.path) }

    package func change(_ options: String) throws {
        try runOnMount("mount", "-o", "remount,\(options)", folder.url.path)
    }

    /// Leaves so much room beside what is there already.
    package func leave(_ room: Room) throws {
        var status = statvfs()
        guard statvfs(folder.url.path, &status) == 0 else { throw DiskFailure() }
        switch room {
        case .pages(let count):
            let used = UInt64(status.f_blocks - status.f_bfree) * UInt64(status.f_frsize)
            try change("size=\(used + UInt64(count) * 4096)")
        case .files(let count):
            try change("nr_inodes=\(Int(status.f_files - status.f_ffree) + count)")
        }
    }
}

/// A file system in a file. A copy of the file holds what has reached the disk, as after a power cut.
package final class DiskImage {
    package static let requirement = Requirement(
        "the right to mount a file",
        isThere: {
            guard let folder = try? TemporaryFolder() else { return false }
            return (try? DiskImage(at: folder.path("disk")).mount()) != nil
        }())
    /// Where it is mounted.
    private let place: String
    private let folder: TemporaryFolder
    private var isMounted = false

    /// Makes an empty file system.
    package init(at place: String) throws {
        (self.place, folder) = (place, try TemporaryFolder())
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try run("truncate", "-s", "24M", file("disk"))
        try run("mkfs.ext4", "-q", "-F", file("disk"))
    }

    deinit { try? unmount() }

    private func file(_ name: String) -> String { folder.path(name) }

    /// The content of a file may reach the disk later than its name, as ext4 avoids it by default, and both only when a program
    /// waits for it.
    package func mount() throws {
        try run("mount", "-o", "loop,noatime,noauto_da_alloc,commit=600", file("disk"), place)
        isMounted = true
    }

    package func unmount() throws {
        guard isMounted else { return }
        try runOnMount("umount", place)
        isMounted = false
    }

    /// Keeps what has reached the disk.
    package func save(as name: String) throws { try run("cp", "--sparse=always", file("disk"), file(name)) }

    /// Makes this the disk that was saved. It must not be mounted.
    package func restore(_ name: String) throws { try run("cp", "--sparse=always", file(name), file("disk")) }

    /// Has everything written.
    package func sync() throws { try run("sync", "-f", place) }

    /// Has the names and sizes of all files written, but not their content: syncing one changed directory writes the journal.
    package func syncJournal() throws {
        try run("touch", place)
        try run("sync", place)
    }
}

private struct DiskFailure: Error {}

/// Runs a program that fails while a file of a mount is open, as in a process that another test is just starting: until it
/// has called `exec`, it holds all files of this process.
private func runOnMount(_ arguments: String...) throws {
    guard poll(until: { (try? run(arguments)) != nil }) else { throw DiskFailure() }
}

private func run(_ arguments: String...) throws { try run(arguments) }

private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw DiskFailure() }
}
