import PyramidTiles

/// The directories of the clusters' pages, `leaves/{cluster}`.
final class LeafDirectories: Sendable {
    private let root: DirectoryHandle
    private let storage: TileStorage

    /// - Parameter root: the tileset's directory.
    init(in root: DirectoryHandle, storage: TileStorage) {
        self.root = root
        self.storage = storage
    }

    /// Writes a page, unless the file already holds `bytes`.
    /// - Parameter isListed: whether an existing file is known to be ours.
    /// - Returns: whether it was written because the file was missing or held other bytes.
    func write(_ bytes: UnsafeRawBufferPointer, to page: LeafPage, isListed: () -> Bool) throws(OutputError) -> Bool {
        let cluster = try root.directory(TileStorage.leavesName).directory("\(page.clusterID)")
        let name = storage.fileName(of: page)
        return try cluster.update(name, with: bytes) { isListed() || cluster.looksLikeTile(name, layer: storage.layer) }
    }

    /// Removes a page, and any directories that become empty.
    /// - Returns: whether the page existed.
    func remove(_ page: LeafPage, suffix: String) throws(OutputError) -> Bool {
        guard let leaves = try root.existingDirectory(TileStorage.leavesName),
            let cluster = try leaves.existingDirectory("\(page.clusterID)")
        else { return false }
        let wasThere = try cluster.remove("\(page.page)\(suffix)")
        try leaves.removeDirectoryIfEmpty("\(page.clusterID)")
        try root.removeDirectoryIfEmpty(TileStorage.leavesName)
        return wasThere
    }

    /// All existing pages, found by their file names, whatever their suffix. Removes what an interrupted build left
    /// behind: temporary files and empty directories.
    /// - Parameter isListed: whether a file is known to be ours; other files must look like ours.
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
                if isListed(page, suffix) || cluster.looksLikeTile(file, layer: storage.layer) {
                    found.append((page, suffix))
                }
            }
            try leaves.removeDirectoryIfEmpty(name)
        }
        try root.removeDirectoryIfEmpty(TileStorage.leavesName)
        return found
    }
}
