import PyramidClusters
import PyramidTiles

/// Several zooms that are written together.
///
/// A class, so that workers can pass it on for every marker without copying its members.
package final class TileBand: Sendable {
    /// By zoom, from the band's first on.
    private let markers: [ArrangedMarkers]
    /// `nil` if nothing is clustered.
    package let clusters: ClusterPyramid?
    /// `nil` if markers state none, or nothing is clustered.
    let parents: MarkerParents?
    /// Whether clusters are shown elsewhere than at their anchors.
    private let isDisplaced: Bool
    /// Whether every cluster has the same feature at all zooms of the band at which it is shown.
    private let isUniform: Bool

    init(markers: [ArrangedMarkers], clusters: ClusterPyramid?, parents: MarkerParents? = nil) {
        precondition(!markers.isEmpty)
        self.markers = markers
        self.clusters = clusters
        self.parents = parents
        isDisplaced = markers.contains(where: \.isDisplaced)
        isUniform = markers.count == 1 || !isDisplaced
    }

    package var zooms: ClosedRange<Int> { markers[0].zoom...markers[0].zoom + markers.count - 1 }

    package func markers(atZoom zoom: Int) -> ArrangedMarkers { markers[zoom - markers[0].zoom] }

    /// Where a cluster is shown; `nil` for the place of its anchor.
    @inline(__always)
    func coordinate(ofMarker index: Int, atZoom zoom: Int) -> Coordinate? {
        isDisplaced ? markers[zoom - markers[0].zoom].coordinate(of: index) : nil
    }

    /// Whether a marker has the same feature at a zoom and the next.
    /// - Parameters:
    ///   - index: of the marker at `zoom`.
    ///   - next: its index at the next zoom.
    @inline(__always)
    func hasSameFeature(
        _ number: MarkerNumber, _ index: Int, atZoom zoom: Int, as next: Int, of data: MarkerData
    ) -> Bool {
        isUniform || !number.isCluster || isSameCluster(number, index, atZoom: zoom, as: next, data)
    }

    private func isSameCluster(
        _ number: MarkerNumber, _ index: Int, atZoom zoom: Int, as next: Int, _ data: MarkerData
    ) -> Bool {
        guard let entry = clusters?.entry(number) else { return true }
        let anchor = data.points.coordinate(Int(entry.anchorPoint))
        return (coordinate(ofMarker: index, atZoom: zoom) ?? anchor)
            == (coordinate(ofMarker: next, atZoom: zoom + 1) ?? anchor)
    }
}

/// What a worker writes at a time: the tiles of a quadtree node at some zooms of a band.
struct TileSubtree: Sendable {
    let zooms: ClosedRange<Int>
    /// The markers of the node at each zoom.
    let ranges: [Range<Int>]
    /// The Morton codes inside the node.
    let codes: ClosedRange<UInt64>
    /// The node's depth in the quadtree.
    let depth: Int

    var markerCount: Int { ranges.reduce(0) { $0 + $1.count } }

    func range(atZoom zoom: Int) -> Range<Int> { ranges[zoom - zooms.lowerBound] }
}

extension TileBand {
    /// Cuts the band into quadtree nodes with at most `markerLimit` markers over all their zooms. Tiles that contain
    /// several of these nodes, and larger tiles of the last zoom, are subtrees by themselves.
    func subtrees(markerLimit: Int) -> [TileSubtree] {
        var subtrees: [TileSubtree] = []
        split(node: 0, depth: 0, ranges: markers.map { 0..<$0.count }, markerLimit: markerLimit, into: &subtrees)
        return subtrees
    }

    /// - Parameter ranges: the node's markers at each zoom of the band from `depth` on.
    private func split(
        node: UInt64, depth: Int, ranges: [Range<Int>], markerLimit: Int, into subtrees: inout [TileSubtree]
    ) {
        let markerCount = ranges.reduce(0) { $0 + $1.count }
        guard markerCount > 0 else { return }
        let firstZoom = max(zooms.lowerBound, depth)
        let codes = TileCoordinate(node: node, atZoom: depth).codes
        guard markerCount > markerLimit, depth < zooms.upperBound else {
            subtrees.append(
                TileSubtree(zooms: firstZoom...zooms.upperBound, ranges: ranges, codes: codes, depth: depth))
            return
        }
        var rest = ranges
        if depth == firstZoom {
            let tile = rest.removeFirst()
            if !tile.isEmpty {
                subtrees.append(TileSubtree(zooms: depth...depth, ranges: [tile], codes: codes, depth: depth))
            }
        }
        let restZoom = max(depth + 1, firstZoom)
        for child in 4 * node..<4 * node + 4 {
            let ranges = rest.indices.map { index in
                // The last child takes all that remain; the end of its codes may not fit into 64 bits.
                let end =
                    child & 3 == 3
                    ? rest[index].upperBound
                    : markers(atZoom: restZoom + index)
                        .firstIndex(notBelow: (child + 1) << UInt64(62 - 2 * depth), in: rest[index])
                defer { rest[index] = end..<rest[index].upperBound }
                return rest[index].lowerBound..<end
            }
            split(node: child, depth: depth + 1, ranges: ranges, markerLimit: markerLimit, into: &subtrees)
        }
    }
}
