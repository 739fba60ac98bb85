import PyramidTiles

/// Everything that markers are made from.
struct MarkerSource: Sendable {
    let points: PointTable
    let content: ClusterContent
    let mode: ClusteringOptions.Mode
    /// Whether points of the mode `filter` have the count of their cluster.
    let keepsCount: Bool
    /// The points that are never merged.
    let unclustered: Range<Int>

    /// Whether clusters are shown as nothing but their anchors.
    var hidesClusters: Bool { mode == .filter && !keepsCount }
}
