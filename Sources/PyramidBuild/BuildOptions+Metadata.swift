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

/// What the files beside the tiles say of all points.
struct TilesetFacts {
    var report: InputReport
    var bounds: BoundingBox
    var totals: ContentTotals

    init(report: InputReport, bounds: BoundingBox, totals: ContentTotals) {
        self.report = report
        self.bounds = bounds
        self.totals = totals
    }

    init(of points: PointTable, in quadtree: LinearQuadtree, _ content: ClusterContent) {
        self.init(
            report: points.report,
            bounds: BoundingBox(
                west: points.longitudes.min() ?? 0, south: points.latitudes.min() ?? 0,
                east: points.longitudes.max() ?? 0, north: points.latitudes.max() ?? 0),
            totals: content.totals(
                content.aggregates(of: 0..<quadtree.count), unclusteredPoints: quadtree.unclustered.count))
    }
}

extension Manifest.InputSummary {
    init(_ report: InputReport, digest: String) {
        self.init(
            digest: digest, rowsRead: report.rowsRead, rowsAccepted: report.rowsAccepted,
            rowsClamped: report.rowsClamped,
            rowsSkipped: Dictionary(uniqueKeysWithValues: report.rowsSkipped.map { ($0.key.rawValue, $0.value) }))
    }
}

extension Manifest.ZoomSummary {
    fileprivate mutating func add(_ file: StoredFile) {
        bodyBytes += file.bodyByteCount
        storedBytes += file.byteCount
    }
}

extension BuildOptions {
    /// The property of points in MVT tiles for ids that are no ids of features: the id column's name, or `id`, with
    /// underscores until it is free; `nil` in GeoJSON tiles.
    func idProperty(of points: PointTable) throws(InputError) -> String? {
        guard storage.format == .mvt else { return nil }
        var name = "id"
        if let column = input.idColumn { name = try points.column(named: column, option: .idColumn).outputName }
        let taken = Set(points.propertyNames + takenNames + Cluster.PropertyName.allCases.map(\.rawValue))
        while taken.contains(name) { name += "_" }
        return name
    }

    var encoding: EncodingOptions {
        EncodingOptions(
            countLabel: clusters.countLabel, idProperty: storage.idProperty ?? "id",
            mvtProperties: storage.mvtProperties, layer: storage.layer)
    }

    /// The files beside the tiles.
    /// - Parameter generator: what made the tileset.
    func metadata(
        of points: PointTable, _ facts: TilesetFacts, _ content: ClusterContent, _ written: inout WrittenTiles,
        generator: String
    ) -> TilesetMetadata {
        let tiles = written.takeTileList()
        let bundles = written.bundleList(storage)
        return TilesetMetadata(
            tiles: tiles, bundles: bundles, leaves: clusters.hasLeaves ? LeafList(written.leaves) : nil,
            tileJSON: tileJSON(of: points, facts, content, idTypes: written.idTypes, tiles, bundles),
            manifest: manifest(of: points, facts, content, written.zooms, generator),
            previewPage: previewPage)
    }

    /// The property names of markers, each with its type in TileJSON. Clients of GeoJSON see those of clusters in the tiles.
    private func fields(of points: PointTable, _ content: ClusterContent, _ idTypes: PropertyTypes) -> [String: String]
    {
        guard storage.format == .mvt else { return points.fields }
        var types = points.columns.propertyTypes
        if let name = storage.idProperty, !idTypes.isEmpty { types[name, default: []].formUnion(idTypes) }
        if clustering.unclustered != nil { types[ClusterContentOptions.unclusteredName] = .boolean }
        if clusters.hasParents { types[ClusterContentOptions.parentName] = .number }
        if clustering.keepsCount { types[Cluster.PropertyName.pointCount.rawValue] = .number }
        if clustering.mode == .markers {
            types.merge(content.propertyTypes) { $0.union($1) }
            for property in storage.mvtProperties {
                types[property.rawValue] = property == .clusterID ? .number : .text
            }
        }
        return types.mapValues(\.fieldName)
    }

    private func tileJSON(
        of points: PointTable, _ facts: TilesetFacts, _ content: ClusterContent, idTypes: PropertyTypes,
        _ tiles: TileList, _ bundles: BundleList?
    ) -> TileJSON {
        var tileJSON = TileJSON(
            tileTemplate: storage.template, format: storage.format, tileSize: clustering.tileSize,
            minZoom: clustering.minZoom, maxZoom: clustering.maxZoom, bounds: facts.bounds,
            layer: storage.layer, fields: fields(of: points, content, idTypes),
            bundles: index(of: bundles, tiles).map { ($0, storage.bundleTemplate) }, options: self.tileJSON)
        if !idTypes.isEmpty { tileJSON.idProperty = storage.idProperty }
        return tileJSON
    }

    private func index(of bundles: BundleList?, _ tiles: TileList) -> BundleIndex? {
        guard let limit = storage.bundleLimit, let bundles else { return nil }
        return BundleIndex(
            limit: limit, bundles: bundles.entries.map(\.address.tile), tiles: tiles.entries.map(\.address))
    }

    private func manifest(
        of points: PointTable, _ facts: TilesetFacts, _ content: ClusterContent, _ zooms: [Manifest.ZoomSummary],
        _ generator: String
    ) -> Manifest {
        let report = facts.report
        return Manifest(
            generator: generator, options: content.written(clustering),
            content: .init(
                idColumn: input.idColumn, properties: points.propertyNames, clusters: content.writtenOptions,
                storage: storage, compressionLevel: compressionLevel),
            input: .init(report, digest: report.digest.hexadecimal),
            totals: facts.totals, zooms: zooms)
    }
}
