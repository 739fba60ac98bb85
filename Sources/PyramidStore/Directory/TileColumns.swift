import PyramidPlatform
import PyramidTiles
import Synchronization

/// The directories `z/x` of the tiles or the bundles. Those used last are kept open, because creating a file in an open directory is
/// fastest.
final class TileColumns: Sendable {
    private struct Key: Hashable {
        let z, x: Int
    }

    private let root: DirectoryHandle
    /// The name of the directory that holds them.
    private let folder: String
    private let openColumns = Mutex<[Key: DirectoryHandle]>([:])
    private let openZooms = Mutex<[Int: DirectoryHandle]>([:])

    /// The maximum number of open columns and zooms: workers keep coming back to those of their subtree. Lower if the
    /// process may only open a few files.
    private let openLimits: (columns: Int, zooms: Int)

    /// - Parameters:
    ///   - root: the tileset's directory.
    ///   - folder: the name of the directory that holds them, which need not exist.
    init(in root: DirectoryHandle, _ folder: String) {
        self.root = root
        self.folder = folder
        let isShort = descriptorLimit < 1024
        openLimits = isShort ? (columns: 12, zooms: 6) : (columns: 512, zooms: TileCoordinate.zooms.count)
    }

    /// The directory of a tile's column, created if missing.
    func column(of tile: TileCoordinate) throws(OutputError) -> DirectoryHandle {
        let key = Key(z: tile.z, x: tile.x)
        if let column = openColumns.withLock({ $0[key] }) { return column }
        let column = try zoomDirectory(tile.z).directory("\(tile.x)")
        openColumns.withLock { open in
            // Directories in use by other workers stay open until those release them.
            if open.count >= openLimits.columns { open.removeAll(keepingCapacity: true) }
            open[key] = column
        }
        return column
    }

    private func zoomDirectory(_ z: Int) throws(OutputError) -> DirectoryHandle {
        if let zoom = openZooms.withLock({ $0[z] }) { return zoom }
        let directory = try root.directory(folder).directory("\(z)")
        openZooms.withLock { open in
            if open.count >= openLimits.zooms { open.removeAll(keepingCapacity: true) }
            open[z] = directory
        }
        return directory
    }

    /// Removes a tile's file, and any directories that become empty.
    /// - Returns: whether the file existed.
    func remove(_ tile: TileCoordinate, suffix: String) throws(OutputError) -> Bool {
        guard let tiles = try root.existingDirectory(folder), let zoom = try tiles.existingDirectory("\(tile.z)"),
            let column = try zoom.existingDirectory("\(tile.x)")
        else { return false }
        let wasThere = try column.remove("\(tile.y)\(suffix)")
        try zoom.removeDirectoryIfEmpty("\(tile.x)")
        try tiles.removeDirectoryIfEmpty("\(tile.z)")
        try root.removeDirectoryIfEmpty(folder)
        return wasThere
    }

    /// All existing tiles, found by their file names, whatever their suffix. Removes what an interrupted build left
    /// behind: temporary files and empty directories.
    /// - Parameter isOurs: whether a file may be one of ours; other files are left out.
    func tilesFound(
        where isOurs: (DirectoryHandle, _ name: String, TileCoordinate) -> Bool
    ) throws(OutputError) -> [(tile: TileCoordinate, suffix: String)] {
        guard let tiles = try root.directoryIfOne(folder) else { return [] }
        var found: [(tile: TileCoordinate, suffix: String)] = []
        for z in try tiles.names() where Int(z).map(String.init) == z {
            guard let zoom = try tiles.directoryIfOne(z) else { continue }
            for x in try zoom.names() where Int(x).map(String.init) == x {
                guard let column = try zoom.directoryIfOne(x) else { continue }
                for (name, row, suffix) in try column.numberedFiles() {
                    guard let tile = TileCoordinate("\(z)/\(x)/\(row)"), isOurs(column, name, tile) else { continue }
                    found.append((tile, suffix))
                }
                try zoom.removeDirectoryIfEmpty(x)
            }
            try tiles.removeDirectoryIfEmpty(z)
        }
        try root.removeDirectoryIfEmpty(folder)
        return found
    }
}
