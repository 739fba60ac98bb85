import PyramidPlatform

/// Waiting until data is on disk. Writes only reach memory at first, and get to the disk in any order.
extension DirectoryHandle {
    /// Waits until the directory's names are on disk: whatever was created, renamed or removed in it.
    func syncNames() throws(OutputError) {
        try DirectoryHandle.sync(descriptor, path)
    }

    /// Waits until every file and directory of the file system is on disk, and finds out whether writing any of them
    /// has failed since this directory was opened.
    ///
    /// That is a single wait for any number of tiles, but it includes what other programs have written.
    func syncFileSystem() throws(OutputError) {
        #if canImport(Darwin)
            // `sync` only hands the data to the drive; a full sync of any file makes the drive store it.
            PyramidPlatform.sync()
            guard uninterrupted({ fcntl(descriptor, F_FULLFSYNC) }) >= 0 else { throw OutputError(syncing: path) }
        #else
            // The module of the C library lacks `syncfs`, which is an extension of Linux.
            guard let symbol = dlsym(nil, "syncfs") else { return PyramidPlatform.sync() }
            let syncfs = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
            guard uninterrupted({ syncfs(descriptor) }) == 0 else { throw OutputError(syncing: path) }
        #endif
    }

    /// Waits until a file's content is on disk.
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
