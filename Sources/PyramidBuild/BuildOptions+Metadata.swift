import PyramidStore
import PyramidTiles

/// What was written of all bands.
struct WrittenTiles {
    /// In no particular order.
    private(set) var tiles: [TileList.Entry] = []
    /// In no particular order.
    var leaves: [LeafList.Entry] = []
    /// From the first zoom to the last.
    private(set) var zooms: [Manifest.ZoomSummary] = []

    /// Hands the tiles over to their list: a copy of millions of entries would be the build's peak of memory.
    mutating func takeTileList() -> TileList {
        var taken: [TileList.Entry] = []
        swap(&taken, &tiles)
        return TileList(consume taken)
    }

    private(set) var largest = LargestTiles()

    /// Adds a band; bands come from the last zooms to the first.
    mutating func append(
        _ bandTiles: [TileList.Entry], largest bandLargest: LargestTiles, of band: TileBand,
        _ clustering: ClusteringOptions
    ) {
        largest.add(bandLargest)
        var summaries = band.zooms.map { zoom in
            let markers = band.markers(atZoom: zoom)
            return Manifest.ZoomSummary(
                zoom: zoom, tiles: 0, markers: markers.count, clusters: markers.clusterCount, bodyBytes: 0,
                storedBytes: 0, minimumDistanceUnits: clustering.promisedDistanceUnits(atZoom: zoom))
        }
        for entry in bandTiles {
            let index = entry.address.z - band.zooms.lowerBound
            summaries[index].tiles += 1
            summaries[index].bodyBytes += entry.file.bodyByteCount
            summaries[index].storedBytes += entry.file.byteCount
        }
        zooms = summaries + zooms
        if tiles.isEmpty { tiles = bandTiles } else { tiles += bandTiles }
    }
}

extension BuildOptions {
    /// The files beside the tiles.
    /// - Parameter generator: what made the tileset.
    func metadata(
        of points: PointTable, in quadtree: LinearQuadtree, _ content: ClusterContent, _ written: inout WrittenTiles,
        generator: String
    ) -> TilesetMetadata {
        TilesetMetadata(
            tiles: written.takeTileList(), leaves: clusters.hasLeaves ? LeafList(written.leaves) : nil,
            tileJSON: tileJSON(of: points),
            manifest: manifest(of: points, in: quadtree, content, written.zooms, generator),
            previewPage: previewPage)
    }

    private func tileJSON(of points: PointTable) -> TileJSON {
        let bounds = BoundingBox(
            west: points.longitudes.min() ?? 0, south: points.latitudes.min() ?? 0,
            east: points.longitudes.max() ?? 0, north: points.latitudes.max() ?? 0)
        return TileJSON(
            tileTemplate: storage.template, minZoom: clustering.minZoom, maxZoom: clustering.maxZoom, bounds: bounds,
            fields: points.fields, options: tileJSON)
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
