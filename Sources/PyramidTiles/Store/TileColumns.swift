import Foundation

/// The directories `z/x` of the tiles, a few of them open at a time: a file is made quickest in an open directory.
final class TileColumns: Sendable {
    private struct Key: Hashable {
        let z, x: Int
    }

    private let tiles: DirectoryHandle
    private let lock = NSLock()
    nonisolated(unsafe) private var open: [Key: DirectoryHandle] = [:]
    /// Of the zoom that was written last.
    nonisolated(unsafe) private var zoom: (z: Int, directory: DirectoryHandle)?

    private static let openLimit = 16

    /// - Parameter tiles: the directory `tiles`.
    init(in tiles: DirectoryHandle) {
        self.tiles = tiles
    }

    /// "y.json".
    static func fileName(of tile: TileCoordinate) -> String { "\(tile.y)\(TileDirectory.tileSuffix)" }

    /// The directory of a tile's column, made where it is missing.
    func column(of tile: TileCoordinate) throws(OutputError) -> DirectoryHandle {
        let key = Key(z: tile.z, x: tile.x)
        if let column = lock.withLock({ open[key] }) { return column }
        let column = try zoomDirectory(tile.z).directory("\(tile.x)")
        lock.withLock {
            // Those in use elsewhere stay open until they are let go.
            if open.count >= TileColumns.openLimit { open.removeAll(keepingCapacity: true) }
            open[key] = column
        }
        return column
    }

    private func zoomDirectory(_ z: Int) throws(OutputError) -> DirectoryHandle {
        if let zoom = lock.withLock({ zoom }), zoom.z == z { return zoom.directory }
        let directory = try tiles.directory("\(z)")
        lock.withLock { zoom = (z, directory) }
        return directory
    }

    /// Removes a tile, and the directories that are empty then.
    /// - Returns: whether there was such a tile.
    func remove(_ tile: TileCoordinate) throws(OutputError) -> Bool {
        guard let zoom = try tiles.existingDirectory("\(tile.z)"),
            let column = try zoom.existingDirectory("\(tile.x)")
        else { return false }
        let wasThere = try column.remove(TileColumns.fileName(of: tile))
        try zoom.removeDirectoryIfEmpty("\(tile.x)")
        try tiles.removeDirectoryIfEmpty("\(tile.z)")
        return wasThere
    }

    /// Whether a file in a tile's place looks like one of ours: it begins as our tiles do or, where a build was stopped
    /// or the power was cut, it is empty or begins with zeros.
    static func isTile(_ name: String, in column: DirectoryHandle) -> Bool {
        guard let start = column.start(of: name, count: GzipCompressor.header.count) else { return false }
        // The ninth byte depends on the level of compression.
        return zip(start, GzipCompressor.header).enumerated().allSatisfy { $0 == 8 || $1.0 == $1.1 }
            || start.allSatisfy { $0 == 0 }
    }

    /// All tiles that are there, found by the names of their files. What a build left behind that was stopped, temporary
    /// files and empty directories, is removed.
    /// - Parameter isOurs: whether a file may be one of ours; the others are left out.
    func tilesFound(
        where isOurs: (TileCoordinate, DirectoryHandle) -> Bool
    ) throws(OutputError) -> [TileCoordinate] {
        var found: [TileCoordinate] = []
        for z in try tiles.names() where Int(z).map(String.init) == z {
            guard let zoom = try tiles.directoryIfOne(z) else { continue }
            for x in try zoom.names() where Int(x).map(String.init) == x {
                guard let column = try zoom.directoryIfOne(x) else { continue }
                for name in try column.names() {
                    if let tile = TileColumns.tile(z, x, file: name), isOurs(tile, column) { found.append(tile) }
                    if name.hasSuffix(DirectoryHandle.temporarySuffix),
                        TileColumns.tile(z, x, file: name.dropLast(DirectoryHandle.temporarySuffix.count)) != nil
                    {
                        _ = try column.remove(name)
                    }
                }
                try zoom.removeDirectoryIfEmpty(x)
            }
            try tiles.removeDirectoryIfEmpty(z)
        }
        return found
    }

    private static func tile(_ z: String, _ x: String, file name: some StringProtocol) -> TileCoordinate? {
        guard name.hasSuffix(TileDirectory.tileSuffix) else { return nil }
        let tile = TileCoordinate("\(z)/\(x)/\(name.dropLast(TileDirectory.tileSuffix.count))")
        // Other spellings of the numbers, such as "07", are no tiles.
        return tile.flatMap { fileName(of: $0) == name ? $0 : nil }
    }
}
