import PyramidPlatform

/// Waiting until data is on disk. Writes reach only memory at first, and the disk later, in any order.
extension DirectoryHandle {
    /// Waits until all names that were created, renamed or removed in the directory are on disk.
    package func syncNames() throws(OutputError) {
        try DirectoryHandle.sync(descriptor, path)
    }

    /// Waits until every file and directory of the file system is on disk, and finds out whether writing any of them
    /// has failed since this directory was opened.
    ///
    /// That is one wait for any number of tiles, but it includes data that other programs have written.
    package func syncFileSystem() throws(OutputError) {
        #if canImport(Darwin)
            // `sync` doesn't wait, and `fsync` only waits until the drive has the data in its cache.
            let isSynced = DirectoryHandle.firstSupported(
                { fsync_volume_np(self.descriptor, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT) },
                { fsync_volume_np(self.descriptor, SYNC_VOLUME_WAIT) })
            guard isSynced else { throw OutputError(syncing: path) }
        #else
            // The C library's Swift module lacks `syncfs`, which is a Linux extension.
            guard let symbol = dlsym(nil, "syncfs") else { return PyramidPlatform.sync() }
            let syncfs = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
            guard uninterrupted({ syncfs(descriptor) }) == 0 else { throw OutputError(syncing: path) }
        #endif
    }

    /// Waits until a file's content is on disk.
    static func sync(_ file: Int32, _ path: String) throws(OutputError) {
        #if canImport(Darwin)
            let isSynced = firstSupported({ fcntl(file, F_FULLFSYNC) }, { fsync(file) })
        #else
            let isSynced = firstSupported({ fsync(file) })
        #endif
        guard isSynced else { throw OutputError(syncing: path) }
    }

    /// Tries the system calls in order until the file system supports one of them.
    ///
    /// Some file systems can't sync directories, and network drives can't flush a drive's cache. If no call is
    /// supported, there is nothing to wait for.
    /// - Returns: false with `errno` set if the supported call failed.
    static func firstSupported(_ calls: () -> Int32...) -> Bool {
        for call in calls {
            if uninterrupted(call) >= 0 { return true }
            guard [ENOTSUP, ENOTTY, EINVAL].contains(errno) else { return false }
        }
        return true
    }
}

extension OutputError {
    fileprivate init(syncing path: String) {
        self.init(.failed, path, "can't be synced to disk: \(OutputError.lastReason())")
    }
}
