import PyramidInput
import PyramidTiles

/// What markers are made from, at all zooms.
package struct MarkerData: Sendable {
    package let points: PointTable
    package let content: ClusterContent
    let mode: ClusteringOptions.Mode
    /// The points that are never merged.
    package let unclustered: Range<Int>
}
