import PyramidTiles

/// Finds the regions that need a marker: those around its place, and those around the anchor that its id names.
struct MarkerRouter: Sendable {
    let regions: Regions
    /// By zoom: how far around.
    private let reach: [UInt64]

    init(_ regions: Regions, _ options: ClusteringOptions, _ precision: PlacePrecision) {
        self.regions = regions
        let reach = Reach(options, precision)
        self.reach = (0...options.maxZoom).map { reach.units(atZoom: $0) }
    }

    /// Calls `body` once with each region.
    /// - Parameter firstZoom: of the zooms at which the marker is shown. It is compared with the clusters of the zoom before.
    func forEachRegion(of record: ZoomMarkers.Record, firstZoom: Int, _ body: (Int) -> Void) {
        guard regions.count > 1 else { return body(0) }
        let units = reach[max(0, min(firstZoom, reach.count) - 1)]
        guard !record.isPoint, record.anchor.rawValue >> 12 != record.code >> 12 else {
            return regions.forEach(within: units, of: record.code, body)
        }
        var found: [Int] = []
        regions.forEach(within: units, of: record.code) { found.append($0) }
        regions.forEach(within: units, of: record.anchor.rawValue) { if !found.contains($0) { found.append($0) } }
        found.forEach(body)
    }
}
