import PyramidPlatform

/// Where temporary files lie.
package enum SpoolFolder {
    /// `TMPDIR`, or `/tmp` if it isn't set.
    package static var temporary: String {
        let variable = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return variable.isEmpty ? "/tmp" : variable
    }

    /// ``temporary``; or the output's folder if that has more room, or if only ``temporary`` is in memory.
    /// - Parameter outputPath: needn't exist. A directory holds the temporary files itself, because it may be a file
    ///   system of its own.
    package static func choose(beside outputPath: String) -> String {
        let temporary = temporary
        guard let output = existingFolder(of: outputPath), access(output, W_OK | X_OK) == 0,
            let inTemporary = Space(in: temporary), let inOutput = Space(in: output)
        else { return temporary }
        return inOutput.isBetter(than: inTemporary) ? output : temporary
    }

    /// The path, or the first folder on the way up, that is a directory.
    static func existingFolder(of path: String) -> String? {
        var url = URL(fileURLWithPath: path).standardized
        while true {
            var status = stat()
            if stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return url.path }
            let parent = url.deletingLastPathComponent()
            if parent.path.count >= url.path.count { return nil }
            url = parent
        }
    }

    /// The room in a folder.
    struct Space: Equatable {
        /// The number of the file system.
        var device: UInt64
        var isInMemory: Bool
        var freeBytes: UInt64

        func isBetter(than other: Space) -> Bool {
            guard device != other.device else { return false }
            return isInMemory == other.isInMemory ? freeBytes > other.freeBytes : other.isInMemory
        }
    }
}

extension SpoolFolder.Space {
    /// `nil` if the folder can't be examined.
    init?(in folder: String) {
        var (file, system) = (stat(), statvfs())
        guard stat(folder, &file) == 0, statvfs(folder, &system) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: file.st_dev)
        freeBytes = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        isInMemory = SpoolFolder.Space.devicesInMemory.contains(device)
    }

    /// The numbers of the file systems in memory; none where the system doesn't tell.
    private static var devicesInMemory: [UInt64] {
        let text = FileManager.default.contents(atPath: "/proc/self/mountinfo").map {
            String(decoding: $0, as: UTF8.self)
        }
        return (text ?? "").split(separator: "\n").compactMap { line in
            // 29 23 0:26 / /dev/shm rw,nosuid shared:4 - tmpfs tmpfs rw
            let fields = line.split(separator: " ")
            guard let end = fields.firstIndex(of: "-"), end > 2, end + 1 < fields.count,
                ["tmpfs", "ramfs"].contains(fields[end + 1])
            else { return nil }
            let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
            guard numbers.count == 2 else { return nil }
            // The numbers are encoded as in `makedev`.
            let (major, minor) = (numbers[0], numbers[1])
            return (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
        }
    }
}
