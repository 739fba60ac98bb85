import Foundation

/// What has to be on the disk. What was written is only in memory at first, and reaches the disk in any order.
extension DirectoryHandle {
    /// Waits until the names in the directory are on the disk: what was made, renamed and removed here.
    func syncNames() throws(OutputError) {
        try DirectoryHandle.sync(descriptor, path)
    }

    /// Waits until all files and directories of the file system are on the disk, and finds out whether one of them could
    /// not be written since this directory was opened.
    ///
    /// That is one wait for any number of tiles, but also for what other programs have written.
    func syncFileSystem() throws(OutputError) {
        #if canImport(Darwin)
            // `sync` only hands everything to the drive; the full sync of any file makes the drive write it down.
            Foundation.sync()
            guard uninterrupted({ fcntl(descriptor, F_FULLFSYNC) }) >= 0 else { throw OutputError(syncing: path) }
        #else
            // The module of the C library leaves `syncfs` out, an extension of Linux.
            guard let symbol = dlsym(nil, "syncfs") else { return Foundation.sync() }
            let syncfs = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
            guard uninterrupted({ syncfs(descriptor) }) == 0 else { throw OutputError(syncing: path) }
        #endif
    }

    /// Waits until a file's content is on the disk.
    static func sync(_ file: Int32, _ path: String) throws(OutputError) {
        // Some file systems can't sync directories, and say so.
        guard uninterrupted({ fsync(file) }) == 0 || errno == EINVAL else { throw OutputError(syncing: path) }
    }
}

extension OutputError {
    fileprivate init(syncing path: String) {
        self.init(.failed, path, "can't be brought to the disk: \(OutputError.lastReason())")
    }
}
