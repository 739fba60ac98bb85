import PyramidTiles

/// What markers are made from, at all zooms.
struct MarkerData: Sendable {
    let points: PointTable
    let content: ClusterContent
    let mode: ClusteringOptions.Mode
    /// Whether points in filter mode state how many points they stand for.
    let keepsCount: Bool
    /// The points that are never merged.
    let unclustered: Range<Int>

    /// Whether a cluster is written just like the point that is its anchor.
    var hidesClusters: Bool { mode == .filter && !keepsCount }
}
