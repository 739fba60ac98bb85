import PyramidStore
import PyramidTiles

/// What was written of all bands.
struct WrittenTiles {
    /// In no particular order.
    private(set) var tiles: [TileList.Entry] = []
    /// In no particular order.
    private var bundles: [BundleList.Entry] = []
    /// In no particular order.
    var leaves: [LeafList.Entry] = []
    /// What parts have handed over of the zooms beyond the cut zoom, for bundles; `nil` if nothing was.
    var unfinished: UnfinishedBundles?
    /// From the first zoom to the last.
    private(set) var zooms: [Manifest.ZoomSummary] = []
    private(set) var largest = LargestTiles()

    /// Hands the tiles over to their list: a copy of millions of entries would be the build's peak of memory.
    mutating func takeTileList() -> TileList {
        var taken: [TileList.Entry] = []
        swap(&taken, &tiles)
        return TileList(consume taken)
    }

    /// The types of the property that holds ids.
    private(set) var idTypes: PropertyTypes = []

    func bundleList(_ storage: TileStorage) -> BundleList? { storage.bundleLimit.map { _ in BundleList(bundles) } }

    /// Adds a band; bands come from the last zooms to the first.
    mutating func append(
        _ written: consuming TileWriter.Written, of band: TileBand, _ clustering: ClusteringOptions
    ) {
        largest.add(written.largest)
        idTypes.formUnion(written.idTypes)
        let (bandTiles, bandBundles) = (written.tiles, written.bundles)
        zooms = WrittenTiles.summaries(of: band, written.tileCounts, clustering) + zooms
        let first = band.zooms.lowerBound
        for entry in bandTiles { zooms[entry.address.z - first].add(entry.file) }
        for entry in bandBundles { zooms[entry.address.tile.z - first].add(entry.file) }
        if tiles.isEmpty { tiles = bandTiles } else { tiles += bandTiles }
        if bundles.isEmpty { bundles = bandBundles } else { bundles += bandBundles }
    }

    /// Adds what other processes have written; before any band.
    /// - Parameter zooms: those that they have written.
    mutating func append(
        tiles: [TileList.Entry], bundles: [BundleList.Entry], leaves: [LeafList.Entry],
        zooms: [Manifest.ZoomSummary], largest: LargestTiles, idTypes: PropertyTypes
    ) {
        self.largest.add(largest)
        self.tiles += tiles
        self.bundles += bundles
        self.leaves += leaves
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
