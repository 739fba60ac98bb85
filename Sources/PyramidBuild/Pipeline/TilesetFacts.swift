import PyramidInput
import PyramidTiles

/// What the files beside the tiles state about all points.
package struct TilesetFacts {
    package var report: InputReport
    package var bounds: BoundingBox
    package var totals: ContentTotals
    /// `nil` if there are no columns to filter by.
    package var facets: Facets?

    package init(report: InputReport, bounds: BoundingBox, totals: ContentTotals, facets: Facets?) {
        self.report = report
        self.bounds = bounds
        self.totals = totals
        self.facets = facets
    }
}

extension Manifest.InputSummary {
    package init(_ report: InputReport, digest: String) {
        self.init(
            digest: digest, rowsRead: report.rowsRead, rowsAccepted: report.rowsAccepted,
            rowsClamped: report.rowsClamped,
            rowsSkipped: Dictionary(uniqueKeysWithValues: report.rowsSkipped.map { ($0.key.rawValue, $0.value) }))
    }
}
