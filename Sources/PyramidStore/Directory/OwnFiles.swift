import PyramidTiles

/// What a build before this one left in a directory of tiles.
extension DirectoryHandle {
    /// The files whose names are a number and a suffix, as those of tiles are. What a build left behind that was stopped
    /// while it replaced such a file is removed.
    func numberedFiles() throws(OutputError) -> [(name: String, number: Int, suffix: String)] {
        var files: [(String, Int, String)] = []
        for name in try names() {
            let isTemporary = name.hasSuffix(TileStorage.temporarySuffix)
            let ownName = isTemporary ? String(name.dropLast(TileStorage.temporarySuffix.count)) : name
            // Other spellings of the numbers, such as "07", are no tiles.
            guard let (digits, suffix) = TileStorage.parse(fileName: ownName), let number = Int(digits),
                "\(number)" == digits
            else { continue }
            if isTemporary { _ = try remove(name) } else { files.append((name, number, suffix)) }
        }
        return files
    }

    /// Whether a file in a tile's place looks like one of ours: it begins as our tiles do, compressed or not, or, where a
    /// build was stopped or the power was cut, it is empty or begins with zeros.
    func looksLikeTile(_ name: String) -> Bool {
        guard let start = start(of: name, count: GeoJSONTileEncoder.start.utf8CodeUnitCount) else { return false }
        if start.allSatisfy({ $0 == 0 }) { return true }
        let json = Array("\(GeoJSONTileEncoder.start)".utf8)
        // The ninth byte depends on the level of compression.
        let isGzip = zip(start, GzipCompressor.header).enumerated().allSatisfy { $0 == 8 || $1.0 == $1.1 }
        return isGzip || json.starts(with: start)
    }
}
