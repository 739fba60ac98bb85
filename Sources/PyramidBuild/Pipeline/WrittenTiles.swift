import PyramidStore
import PyramidTiles

/// What was written of all bands.
struct WrittenTiles {
    /// In no particular order.
    private(set) var tiles: [TileList.Entry] = []
    /// In no particular order.
    private(set) var bundles: [BundleList.Entry] = []
    /// In no particular order.
    var leaves: [LeafList.Entry] = []
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
        var summaries = WrittenTiles.summaries(of: band, written.tileCounts, clustering)
        let first = band.zooms.lowerBound
        for entry in bandTiles { summaries[entry.address.z - first].add(entry.file) }
        for entry in bandBundles where band.zooms.contains(entry.address.tile.z) {
            summaries[entry.address.tile.z - first].add(entry.file)
        }
        zooms = summaries + zooms
        if tiles.isEmpty { tiles = bandTiles } else { tiles += bandTiles }
        if bundles.isEmpty { bundles = bandBundles } else { bundles += bandBundles }
    }

    /// Adds what other processes have written of the zooms that follow.
    mutating func append(
        tiles: [TileList.Entry], bundles: [BundleList.Entry], leaves: [LeafList.Entry],
        zooms: [Manifest.ZoomSummary], largest: LargestTiles, idTypes: PropertyTypes
    ) {
        var zooms = zooms
        let first = zooms.first?.zoom ?? 0
        // Those that were handed over.
        for entry in self.bundles where entry.address.tile.z >= first {
            zooms[entry.address.tile.z - first].add(entry.file)
        }
        self.largest.add(largest)
        self.tiles += tiles
        self.bundles += bundles
        self.leaves += leaves
        self.zooms += zooms
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
