import Foundation
import PyramidTiles

/// The directories `z/x` of the tiles, those that were used last open: a file is made quickest in an open directory.
final class TileColumns: Sendable {
    private struct Key: Hashable {
        let z, x: Int
    }

    private let tiles: DirectoryHandle
    private let lock = NSLock()
    nonisolated(unsafe) private var open: [Key: DirectoryHandle] = [:]
    nonisolated(unsafe) private var zooms: [Int: DirectoryHandle] = [:]

    /// How many columns and zooms are open at most: workers come back to those of a subtree again and again. Few where the
    /// process may open few files.
    private let openLimits: (columns: Int, zooms: Int)

    /// - Parameter tiles: the directory `tiles`.
    init(in tiles: DirectoryHandle) {
        self.tiles = tiles
        let isShort = DirectoryHandle.descriptorLimit < 1024
        openLimits = isShort ? (columns: 12, zooms: 6) : (columns: 512, zooms: TileCoordinate.zooms.count)
    }

    /// The directory of a tile's column, made where it is missing.
    func column(of tile: TileCoordinate) throws(OutputError) -> DirectoryHandle {
        let key = Key(z: tile.z, x: tile.x)
        if let column = lock.withLock({ open[key] }) { return column }
        let column = try zoomDirectory(tile.z).directory("\(tile.x)")
        lock.withLock {
            // Those in use elsewhere stay open until they are let go.
            if open.count >= openLimits.columns { open.removeAll(keepingCapacity: true) }
            open[key] = column
        }
        return column
    }

    private func zoomDirectory(_ z: Int) throws(OutputError) -> DirectoryHandle {
        if let zoom = lock.withLock({ zooms[z] }) { return zoom }
        let directory = try tiles.directory("\(z)")
        lock.withLock {
            if zooms.count >= openLimits.zooms { zooms.removeAll(keepingCapacity: true) }
            zooms[z] = directory
        }
        return directory
    }

    /// Removes a tile's file, and the directories that are empty then.
    /// - Returns: whether there was such a file.
    func remove(_ tile: TileCoordinate, suffix: String) throws(OutputError) -> Bool {
        guard let zoom = try tiles.existingDirectory("\(tile.z)"),
            let column = try zoom.existingDirectory("\(tile.x)")
        else { return false }
        let wasThere = try column.remove("\(tile.y)\(suffix)")
        try zoom.removeDirectoryIfEmpty("\(tile.x)")
        try tiles.removeDirectoryIfEmpty("\(tile.z)")
        return wasThere
    }

    /// All tiles that are there, found by the names of their files, whatever their suffix. What a build left behind that was
    /// stopped, temporary files and empty directories, is removed.
    /// - Parameter isOurs: whether a file may be one of ours; the others are left out.
    func tilesFound(
        where isOurs: (DirectoryHandle, _ name: String, TileCoordinate) -> Bool
    ) throws(OutputError) -> [(tile: TileCoordinate, suffix: String)] {
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
        return found
    }
}
