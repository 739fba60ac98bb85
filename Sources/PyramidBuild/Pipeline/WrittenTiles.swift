import PyramidStore
import PyramidTiles

/// The files written so far, and figures about them.
struct WrittenTiles {
    /// Tiles, bundles and pages, in no particular order.
    var files: [FileList.Entry] = []
    /// The unfinished bundles that parts have handed over; `nil` unless bundles are joined.
    var unfinished: UnfinishedBundles?
    /// In ascending order.
    private(set) var zooms: [Manifest.ZoomSummary] = []
    private(set) var largest = LargestTiles()

    /// Moves the files to a list: copying millions of entries would set the build's peak of memory.
    mutating func takeList() -> FileList {
        var taken: [FileList.Entry] = []
        swap(&taken, &files)
        return FileList(consume taken)
    }

    /// The types of the property that holds points' ids.
    private(set) var idTypes: PropertyTypes = []

    /// Adds a band. Bands come from the highest zooms to the lowest.
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

    /// Adds what other processes have written. Call this before adding any band.
    /// - Parameter zooms: the zooms that they have written.
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
