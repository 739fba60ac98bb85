import Foundation
import PyramidStore
import PyramidTiles

/// Finds what lies below the tiles' directory and is no tile of the list. That every tile of the list is there shows
/// when it is read.
///
/// A directory that should not be there is one finding and is not entered, and links are never followed.
struct DirectoryCheck {
    let directory: TileDirectory
    private(set) var log = FindingLog()

    init(directory: TileDirectory) {
        self.directory = directory
    }

    /// Takes O(n log n).
    /// - Parameter list: the tiles that should be there.
    mutating func run(_ list: TileList) {
        let tiles = TileStorage.tilesName
        guard isDirectory(tiles) else {
            if !list.entries.isEmpty { log.add(.missingTile, in: tiles, "is not a directory") }
            return
        }
        forEachEntry(of: tiles, list.entries[...], { $0.tile.z }) { check, zoomPath, zoom in
            check.forEachEntry(of: zoomPath, zoom, { $0.tile.x }) { check, columnPath, column in
                check.forEachEntry(
                    of: columnPath, column, { $0.tile.y }, suffix: check.directory.storage.suffix
                ) { _, _, _ in }
            }
        }
    }

    /// - Parameter list: the pages that should be there.
    mutating func run(_ list: LeafList) {
        let leaves = TileStorage.leavesName
        guard isDirectory(leaves) else {
            if !list.entries.isEmpty { log.add(.missingTile, in: leaves, "is not a directory") }
            return
        }
        forEachEntry(of: leaves, list.entries[...], { $0.page.clusterID }) { check, path, pages in
            check.forEachEntry(of: path, pages, { $0.page.page }, suffix: check.directory.storage.suffix) { _, _, _ in }
        }
    }

    /// Calls `body` with each entry of a directory that is named for tiles of the list, and with these tiles.
    /// - Parameters:
    ///   - entries: sorted by `number`.
    ///   - number: what the names of the directory's entries say.
    ///   - suffix: what follows the number; entries with one are files, the others directories.
    private mutating func forEachEntry<Entry>(
        of path: String, _ entries: ArraySlice<Entry>, _ number: (Entry) -> Int, suffix: String = "",
        _ body: (inout DirectoryCheck, String, ArraySlice<Entry>) -> Void
    ) {
        for name in names(in: path) {
            let entryPath = "\(path)/\(name)"
            let value = name.hasSuffix(suffix) ? Int(name.dropLast(suffix.count)) : nil
            // Other spellings of the number, such as "07", are no tiles either.
            guard let value, "\(value)\(suffix)" == name else {
                log.add(.extraFile, in: entryPath, "is no tile of the list")
                continue
            }
            let named = entries.run {
                number($0) < value
            } until: {
                number($0) > value
            }
            guard !named.isEmpty else {
                log.add(.extraFile, in: entryPath, "is no tile of the list")
                continue
            }
            // What stands in place of a tile's file shows when the tile is read.
            guard suffix.isEmpty else { continue }
            guard isDirectory(entryPath) else {
                log.add(.extraFile, in: entryPath, "is not a directory")
                continue
            }
            body(&self, entryPath, named)
        }
    }

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat(directory.path(ofFile: path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a directory, sorted, because the order of the file system is another on every machine.
    private mutating func names(in path: String) -> [String] {
        guard let stream = opendir(directory.path(ofFile: path)) else {
            log.add(.extraFile, in: path, "can't be listed (\(String(cString: strerror(errno))))")
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

extension ArraySlice {
    /// The elements of a sorted slice after those that lie before, up to the first that lies behind; O(log n).
    fileprivate func run(
        after isBefore: (Element) -> Bool, until isBehind: (Element) -> Bool
    ) -> ArraySlice<Element> {
        func first(from start: Int, where isThere: (Element) -> Bool) -> Int {
            var range = start..<endIndex
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = isThere(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
            }
            return range.lowerBound
        }
        let start = first(from: startIndex) { !isBefore($0) }
        return self[start..<first(from: start, where: isBehind)]
    }
}
