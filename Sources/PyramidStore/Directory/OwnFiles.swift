import PyramidTiles

/// Files that an earlier build left in a directory of tiles.
extension DirectoryHandle {
    /// Removes what an interrupted build or publish has left of these files.
    package func removeTemporaryFiles(of names: [String]) throws(OutputError) {
        for name in names { _ = try remove(name + TileStorage.temporarySuffix) }
    }

    /// Removes what an interrupted publish has left of a tileset's tiles: temporary files and empty directories.
    package func removeTemporaryTiles() throws(OutputError) {
        try FileColumns(in: self).removeFiles { _, _, _, _ in false }
    }

    /// The files whose names are a number and a suffix, like those of tiles. Removes temporary files of such names,
    /// which interrupted builds have left.
    func numberedFiles() throws(OutputError) -> [(name: String, number: Int, suffix: String)] {
        var files: [(String, Int, String)] = []
        for name in try names() {
            let isTemporary = name.hasSuffix(TileStorage.temporarySuffix)
            let ownName = isTemporary ? String(name.dropLast(TileStorage.temporarySuffix.count)) : name
            // Tiles' names never spell a number in another way, such as "07".
            guard let (digits, suffix) = TileStorage.parse(fileName: ownName), let number = Int(digits),
                "\(number)" == digits
            else { continue }
            if isTemporary { _ = try remove(name) } else { files.append((name, number, suffix)) }
        }
        return files
    }

    /// Whether pyramid may have written the file at a tile's path: it begins like pyramid's tiles, compressed or not,
    /// or is empty or begins with zeros, as after an interrupted build or a power cut.
    /// - Parameter layer: the name of the layer in MVT tiles.
    package func looksLikeTile(_ name: String, layer: String) -> Bool {
        guard let start = start(of: name, count: GeoJSON.start.utf8CodeUnitCount) else { return false }
        if start.allSatisfy({ $0 == 0 }) { return true }
        let json = Array("\(GeoJSON.start)".utf8)
        // The ninth byte depends on the compression level.
        let isGzip = zip(start, GzipCompressor.header).enumerated().allSatisfy { $0 == 8 || $1.0 == $1.1 }
        return isGzip || json.starts(with: start) || MVT.isStart(start, layer: layer)
    }
}
