import PyramidStore
import PyramidTiles

extension PartSource {
    /// Copies what the parts have written.
    func copyFiles(to writer: any TilesetFileWriter) throws -> WrittenTiles {
        var written = WrittenTiles()
        var zooms: [Manifest.ZoomSummary] = []
        var largest = LargestTiles()
        var idTypes: PropertyTypes = []
        var tiles: [TileList.Entry] = []
        var bundles: [BundleList.Entry] = []
        var leaves: [LeafList.Entry] = []
        for (part, entries) in zip(parts, files) {
            try write(entries, of: part.file, to: writer)
            for entry in entries where !entry.isUnfinished {
                switch entry.address {
                case .tile(let tile): tiles.append(TileList.Entry(address: tile, file: entry.file))
                case .bundle(let tile):
                    bundles.append(BundleList.Entry(address: BundleAddress(tile), file: entry.file))
                case .page(let page): leaves.append(LeafList.Entry(address: page, file: entry.file))
                }
            }
            largest.add(part.manifest.largest)
            idTypes.formUnion(PropertyTypes(rawValue: part.manifest.idTypes))
            zooms = zooms.isEmpty ? part.manifest.zooms : zip(zooms, part.manifest.zooms).map { $0.adding($1) }
        }
        let sortedLeaves = leaves.sorted { $0.address < $1.address }
        if let repeated = zip(sortedLeaves, sortedLeaves.dropFirst())
            .first(where: { $0.address == $1.address })
        {
            throw OutputError(repeatedClusterID: UInt64(repeated.0.address.clusterID))
        }
        written.append(tiles: tiles, bundles: bundles, leaves: leaves, zooms: zooms, largest: largest, idTypes: idTypes)
        written.unfinished = unfinished
        return written
    }

    /// Copies the tiles, bundles and pages of a part.
    private func write(_ entries: [PartFile.Entry], of file: PartFile, to writer: any TilesetFileWriter) throws {
        let pages = entries.partitioningIndex { if case .page = $0.address { true } else { false } }
        // All pages of a cluster come from one thread.
        let pieces = (0..<pages).split(every: 256) + [pages..<entries.count]
        try SharedWork(jobs: options.jobs).forEach(count: pieces.count) {
        } _: { (_: inout Void, piece: Int) throws in
            for entry in entries[pieces[piece]] where !entry.isUnfinished {
                try writer.write(file.body(of: entry), to: entry.address, entry.file)
            }
        }
    }
}

extension Manifest.ZoomSummary {
    /// Of the same zoom, with the tiles of another part.
    fileprivate func adding(_ other: Manifest.ZoomSummary) -> Manifest.ZoomSummary {
        var sum = self
        sum.tiles += other.tiles
        sum.markers += other.markers
        sum.clusters += other.clusters
        sum.bodyBytes += other.bodyBytes
        sum.storedBytes += other.storedBytes
        return sum
    }
}
