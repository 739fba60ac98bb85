import PyramidBuild
import PyramidStore
import PyramidTiles

extension PartSource {
    /// Copies the files that the parts have written.
    func copyFiles(
        to writer: any TilesetFileWriter, _ content: ClusterContent, _ written: inout WrittenTiles
    ) throws {
        var zooms: [Manifest.ZoomSummary] = []
        var largest = LargestTiles()
        var idTypes: ValueKinds = []
        for (part, entries) in zip(parts, files) {
            try write(entries, of: part.file, to: writer)
            let finished = entries.filter { !$0.isHandedOver }
            try written.files.append(finished.map { FileList.Entry(address: $0.address, file: $0.file) })
            largest.add(part.manifest.largest)
            idTypes.formUnion(part.manifest.idTypes)
            zooms = zooms.isEmpty ? part.manifest.zooms : zip(zooms, part.manifest.zooms).map { $0.adding($1) }
        }
        written.append(zooms: zooms, largest: largest, idTypes: idTypes)
        written.higherZooms = parts.higherZooms(
            files,
            texts.map { ofPart in
                ofPart.combinations.map { content.facets?.combinations.number(of: $0) ?? 0 }
            })
    }

    /// Copies the tiles and bundles of a part.
    private func write(_ entries: [PartFile.Entry], of file: PartFile, to writer: any TilesetFileWriter) throws {
        let chunks = entries.indices.split(every: 256)
        try SharedWork(jobs: options.jobs).forEach(count: chunks.count) {
        } _: { (_: inout Void, chunk: Int) throws in
            for entry in entries[chunks[chunk]] where !entry.isHandedOver {
                try writer.write(file.body(of: entry), to: entry.address, entry.file)
            }
        }
    }
}

extension Manifest.ZoomSummary {
    /// The sum with another part's summary of the same zoom.
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
