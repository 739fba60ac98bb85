import PyramidTiles

/// What the files beside the tiles state about all points.
struct TilesetFacts {
    var report: InputReport
    var bounds: BoundingBox
    var totals: ContentTotals
    /// `nil` if there are no columns to filter by.
    var facets: Facets?
}

extension Manifest.InputSummary {
    init(_ report: InputReport, digest: String) {
        self.init(
            digest: digest, rowsRead: report.rowsRead, rowsAccepted: report.rowsAccepted,
            rowsClamped: report.rowsClamped,
            rowsSkipped: Dictionary(uniqueKeysWithValues: report.rowsSkipped.map { ($0.key.rawValue, $0.value) }))
    }
}
