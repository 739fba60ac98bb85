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
    /// From the first zoom to the last.
    private(set) var zooms: [Manifest.ZoomSummary] = []
    private(set) var largest = LargestTiles()

    /// Hands the tiles over to their list: a copy of millions of entries would be the build's peak of memory.
    mutating func takeTileList() -> TileList {
        var taken: [TileList.Entry] = []
        swap(&taken, &tiles)
        return TileList(consume taken)
    }

    func bundleList(_ storage: TileStorage) -> BundleList? { storage.bundleLimit.map { _ in BundleList(bundles) } }

    /// Adds a band; bands come from the last zooms to the first.
    mutating func append(
        _ bandTiles: [TileList.Entry], largest bandLargest: LargestTiles, of band: TileBand,
        _ clustering: ClusteringOptions
    ) {
        largest.add(bandLargest)
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
        zooms = WrittenTiles.summaries(of: band, clustering)
        let first = band.zooms.lowerBound
        for (index, count) in written.tileCounts.enumerated() { zooms[index].tiles = count }
        for entry in written.tiles { zooms[entry.address.z - first].add(entry.file) }
        for entry in written.bundles { zooms[entry.address.tile.z - first].add(entry.file) }
        (tiles, bundles) = (written.tiles, written.bundles)
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

extension BuildOptions {
    /// The files beside the tiles.
    /// - Parameter generator: what made the tileset.
    func metadata(
        of points: PointTable, in quadtree: LinearQuadtree, _ content: ClusterContent, _ written: inout WrittenTiles,
        generator: String
    ) -> TilesetMetadata {
        let tiles = written.takeTileList()
        let bundles = written.bundleList(storage)
        return TilesetMetadata(
            tiles: tiles, bundles: bundles, leaves: clusters.hasLeaves ? LeafList(written.leaves) : nil,
            tileJSON: tileJSON(of: points, tiles, bundles),
            manifest: manifest(of: points, in: quadtree, content, written.zooms, generator),
            previewPage: previewPage)
    }

    private func tileJSON(of points: PointTable, _ tiles: TileList, _ bundles: BundleList?) -> TileJSON {
        let bounds = BoundingBox(
            west: points.longitudes.min() ?? 0, south: points.latitudes.min() ?? 0,
            east: points.longitudes.max() ?? 0, north: points.latitudes.max() ?? 0)
        return TileJSON(
            tileTemplate: storage.template, minZoom: clustering.minZoom, maxZoom: clustering.maxZoom, bounds: bounds,
            fields: points.fields, bundles: index(of: bundles, tiles).map { ($0, storage.bundleTemplate) },
            options: tileJSON)
    }

    private func index(of bundles: BundleList?, _ tiles: TileList) -> BundleIndex? {
        guard let limit = storage.bundleLimit, let bundles else { return nil }
        return BundleIndex(
            limit: limit, bundles: bundles.entries.map(\.address.tile), tiles: tiles.entries.map(\.address))
    }

    private func manifest(
        of points: PointTable, in quadtree: LinearQuadtree, _ content: ClusterContent, _ zooms: [Manifest.ZoomSummary],
        _ generator: String
    ) -> Manifest {
        let report = points.report
        return Manifest(
            generator: generator, options: content.written(clustering),
            content: .init(
                idColumn: input.idColumn, properties: points.propertyNames, clusters: content.writtenOptions,
                storage: storage, compressionLevel: compressionLevel),
            input: .init(
                digest: report.digest.hexadecimal, rowsRead: report.rowsRead, rowsAccepted: report.rowsAccepted,
                rowsClamped: report.rowsClamped,
                rowsSkipped: Dictionary(
                    uniqueKeysWithValues: report.rowsSkipped.map { ($0.key.rawValue, $0.value) })),
            totals: content.totals(of: quadtree), zooms: zooms)
    }
}
