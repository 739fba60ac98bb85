import PyramidTiles

/// The metadata.
extension PyramidBuilder {
    /// What the manifest says of the zooms of a band.
    /// - Parameter tiles: of the band, in any order.
    func summaries(of band: TileBand, _ tiles: [TileList.Entry]) -> [Manifest.ZoomSummary] {
        var summaries = band.zooms.map { zoom in
            let markers = band.markers(atZoom: zoom)
            return Manifest.ZoomSummary(
                zoom: zoom, tiles: 0, markers: markers.count, clusters: markers.clusterCount, bodyBytes: 0,
                storedBytes: 0, minimumDistanceUnits: options.clustering.promisedDistanceUnits(atZoom: zoom))
        }
        for entry in tiles {
            let index = entry.address.z - band.zooms.lowerBound
            summaries[index].tiles += 1
            summaries[index].bodyBytes += entry.file.bodyByteCount
            summaries[index].storedBytes += entry.file.byteCount
        }
        return summaries
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
