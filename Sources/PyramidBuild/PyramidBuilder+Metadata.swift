import PyramidTiles

/// The metadata.
extension PyramidBuilder {
    func summary(of markers: ZoomMarkers, _ tiles: [TileList.Entry]) -> Manifest.ZoomSummary {
        Manifest.ZoomSummary(
            zoom: markers.zoom, tiles: tiles.count, markers: markers.entries.count, clusters: markers.clusterCount,
            bodyBytes: tiles.reduce(0) { $0 + $1.bodyByteCount }, storedBytes: tiles.reduce(0) { $0 + $1.byteCount },
            minimumDistanceUnits: options.clustering.promisedDistanceUnits(atZoom: markers.zoom))
    }

    func tileJSON(of points: PointTable) -> TileJSON {
        let bounds = BoundingBox(
            west: points.longitudes.min() ?? 0, south: points.latitudes.min() ?? 0,
            east: points.longitudes.max() ?? 0, north: points.latitudes.max() ?? 0)
        return TileJSON(
            tileTemplate: options.storage.template, minZoom: options.clustering.minZoom,
            maxZoom: options.clustering.maxZoom, bounds: bounds, fields: points.fields, options: options.tileJSON)
    }

    func manifest(
        of points: PointTable, in quadtree: LinearQuadtree, _ content: ClusterContent, zooms: [Manifest.ZoomSummary]
    ) -> Manifest {
        let report = points.report
        return Manifest(
            generator: PyramidBuilder.generator, options: content.written(options.clustering),
            content: .init(
                idColumn: options.input.idColumn, properties: points.propertyNames, clusters: content.writtenOptions,
                storage: options.storage, compressionLevel: options.compressionLevel),
            input: .init(
                digest: report.digest.hexadecimal, rowsRead: report.rowsRead, rowsAccepted: report.rowsAccepted,
                rowsClamped: report.rowsClamped,
                rowsSkipped: Dictionary(
                    uniqueKeysWithValues: report.rowsSkipped.map { ($0.key.rawValue, $0.value) })),
            totals: content.totals(of: quadtree), zooms: zooms)
    }
}
