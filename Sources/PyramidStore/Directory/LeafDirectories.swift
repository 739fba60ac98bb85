import PyramidTiles

/// The directories of clusters' pages, `leaves/{cluster}`.
final class LeafDirectories: Sendable {
    private let root: DirectoryHandle
    private let storage: TileStorage

    /// - Parameter root: the pyramid's directory.
    init(in root: DirectoryHandle, storage: TileStorage) {
        self.root = root
        self.storage = storage
    }

    /// Makes the file of a page hold `bytes`.
    /// - Parameter isListed: whether a file in its place is known to be ours.
    /// - Returns: whether it was written, because the file was missing or held other bytes.
    func write(_ bytes: UnsafeRawBufferPointer, to page: LeafPage, isListed: () -> Bool) throws(OutputError) -> Bool {
        let cluster = try root.directory(TileStorage.leavesName).directory("\(page.clusterID)")
        let name = storage.fileName(of: page)
        return try cluster.update(name, with: bytes) { isListed() || cluster.looksLikeTile(name) }
    }

    /// Removes a page, and the directories that are empty then.
    /// - Returns: whether there was such a file.
    func remove(_ page: LeafPage, suffix: String) throws(OutputError) -> Bool {
        guard let leaves = try root.existingDirectory(TileStorage.leavesName),
            let cluster = try leaves.existingDirectory("\(page.clusterID)")
        else { return false }
        let wasThere = try cluster.remove("\(page.page)\(suffix)")
        try leaves.removeDirectoryIfEmpty("\(page.clusterID)")
        try root.removeDirectoryIfEmpty(TileStorage.leavesName)
        return wasThere
    }

    /// All pages that are there, found by the names of their files, whatever their suffix. What a build left behind that was
    /// stopped, temporary files and empty directories, is removed.
    /// - Parameter isListed: whether a file is known to be ours; others must look so.
    func pagesFound(
        isListed: (LeafPage, _ suffix: String) -> Bool
    ) throws(OutputError) -> [(page: LeafPage, suffix: String)] {
        guard let leaves = try root.directoryIfOne(TileStorage.leavesName) else { return [] }
        var found: [(LeafPage, String)] = []
        for name in try leaves.names() {
            guard let clusterID = Int(name), "\(clusterID)" == name, let cluster = try leaves.directoryIfOne(name)
            else { continue }
            for (file, number, suffix) in try cluster.numberedFiles() {
                let page = LeafPage(clusterID: clusterID, page: number)
                if isListed(page, suffix) || cluster.looksLikeTile(file) { found.append((page, suffix)) }
            }
            try leaves.removeDirectoryIfEmpty(name)
        }
        try root.removeDirectoryIfEmpty(TileStorage.leavesName)
        return found
    }
}
