import PyramidTiles

/// What an earlier build left in a directory of tiles.
extension DirectoryHandle {
    /// The files named by a number and a suffix, as tiles are. Removes the temporary files of builds that were
    /// interrupted while replacing such a file.
    func numberedFiles() throws(OutputError) -> [(name: String, number: Int, suffix: String)] {
        var files: [(String, Int, String)] = []
        for name in try names() {
            let isTemporary = name.hasSuffix(TileStorage.temporarySuffix)
            let ownName = isTemporary ? String(name.dropLast(TileStorage.temporarySuffix.count)) : name
            // Other spellings of a number, such as "07", don't name tiles.
            guard let (digits, suffix) = TileStorage.parse(fileName: ownName), let number = Int(digits),
                "\(number)" == digits
            else { continue }
            if isTemporary { _ = try remove(name) } else { files.append((name, number, suffix)) }
        }
        return files
    }

    /// Whether a file at a tile's path looks like one of ours: it begins as our tiles do, compressed or not, or it is
    /// empty or begins with zeros, as after an interrupted build or a power cut.
    /// - Parameter layer: the name of the layer of MVT tiles.
    func looksLikeTile(_ name: String, layer: String) -> Bool {
        guard let start = start(of: name, count: GeoJSON.start.utf8CodeUnitCount) else { return false }
        if start.allSatisfy({ $0 == 0 }) { return true }
        let json = Array("\(GeoJSON.start)".utf8)
        // The ninth byte depends on the compression level.
        let isGzip = zip(start, GzipCompressor.header).enumerated().allSatisfy { $0 == 8 || $1.0 == $1.1 }
        return isGzip || json.starts(with: start) || MVT.isStart(start, layer: layer)
    }
}
