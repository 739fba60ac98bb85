import PyramidStore
import PyramidTiles

/// What was written of all bands.
struct WrittenTiles {
    /// Tiles, bundles and pages, in no particular order.
    var files: [FileList.Entry] = []
    /// What parts have handed over of the zooms beyond the cut zoom, for bundles; `nil` if nothing was.
    var unfinished: UnfinishedBundles?
    /// From the first zoom to the last.
    private(set) var zooms: [Manifest.ZoomSummary] = []
    private(set) var largest = LargestTiles()

    /// Hands the files over to their list: a copy of millions of entries would be the build's peak of memory.
    mutating func takeList() -> FileList {
        var taken: [FileList.Entry] = []
        swap(&taken, &files)
        return FileList(consume taken)
    }

    /// The types of the property that holds ids.
    private(set) var idTypes: PropertyTypes = []

    /// Adds a band; bands come from the last zooms to the first.
    mutating func append(
        _ written: consuming TileWriter.Written, of band: TileBand, _ clustering: ClusteringOptions
    ) {
        largest.add(written.largest)
        idTypes.formUnion(written.idTypes)
        let bandFiles = written.files
        zooms = WrittenTiles.summaries(of: band, written.tileCounts, clustering) + zooms
        let first = band.zooms.lowerBound
        for entry in bandFiles { zooms[entry.address.number(0) - first].add(entry.file) }
        if files.isEmpty { files = bandFiles } else { files += bandFiles }
    }

    /// Adds what other processes have written; before any band.
    /// - Parameter zooms: those that they have written.
    mutating func append(
        _ files: [FileList.Entry], zooms: [Manifest.ZoomSummary], largest: LargestTiles, idTypes: PropertyTypes
    ) {
        self.largest.add(largest)
        self.files += files
        self.zooms = zooms
        self.idTypes.formUnion(idTypes)
    }

    private static func summaries(
        of band: TileBand, _ tileCounts: [Int], _ clustering: ClusteringOptions
    ) -> [Manifest.ZoomSummary] {
        zip(band.zooms, tileCounts).map { zoom, tileCount in
            let markers = band.markers(atZoom: zoom)
            return Manifest.ZoomSummary(
                zoom: zoom, tiles: tileCount, markers: markers.count, clusters: markers.clusterCount, bodyBytes: 0,
                storedBytes: 0, minimumDistanceUnits: clustering.promisedDistanceUnits(atZoom: zoom))
        }
    }
}

extension Manifest.ZoomSummary {
    fileprivate mutating func add(_ file: StoredFile) {
        bodyBytes += file.bodyByteCount
        storedBytes += file.byteCount
    }
}
