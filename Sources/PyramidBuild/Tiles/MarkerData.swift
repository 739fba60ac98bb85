import PyramidTiles

/// What markers are made from, at all zooms.
struct MarkerData: Sendable {
    let points: PointTable
    let content: ClusterContent
    let mode: ClusteringOptions.Mode
    /// The points that are never merged.
    let unclustered: Range<Int>
}
