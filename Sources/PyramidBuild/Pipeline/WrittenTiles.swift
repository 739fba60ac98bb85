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
    var cutRecords: CutRecords?
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
        let bandTiles = written.tiles
        var summaries = WrittenTiles.summaries(of: band, clustering)
        for entry in bandTiles {
            let index = entry.address.z - band.zooms.lowerBound
            summaries[index].tiles += 1
            summaries[index].add(entry.file)
        }
        zooms = summaries + zooms
        if tiles.isEmpty { tiles = bandTiles } else { tiles += bandTiles }
    }

    /// Adds all zooms.
    mutating func append(_ written: BundleWriter.Written, of band: TileBand, _ clustering: ClusteringOptions) {
        largest.add(written.largest)
        zooms = WrittenTiles.summaries(of: band, clustering) + zooms
        let first = band.zooms.lowerBound
        for (index, count) in written.tileCounts.enumerated() { zooms[index].tiles = count }
        for entry in written.tiles { zooms[entry.address.z - first].add(entry.file) }
        for entry in written.bundles { zooms[entry.address.tile.z - first].add(entry.file) }
        tiles += written.tiles
        bundles += written.bundles
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

    private static func summaries(of band: TileBand, _ clustering: ClusteringOptions) -> [Manifest.ZoomSummary] {
        band.zooms.map { zoom in
            let markers = band.markers(atZoom: zoom)
            return Manifest.ZoomSummary(
                zoom: zoom, tiles: 0, markers: markers.count, clusters: markers.clusterCount, bodyBytes: 0,
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
