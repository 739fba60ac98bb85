import PyramidTiles

/// Several zooms that are written together.
///
/// A class, because workers pass it along for every marker.
final class TileBand: Sendable {
    /// Of consecutive zooms, from the first on.
    private let markers: [ArrangedMarkers]
    /// `nil` if nothing is clustered.
    let clusters: PyramidClusters?
    /// `nil` if they are not needed or the zoom above has no clusters. Otherwise the band has one zoom.
    let parents: ParentClusters?
    /// For filters in bundles; `nil` if they are not needed or nothing is clustered.
    let recordParents: RecordParents?
    /// Whether parents are wanted and the zoom above has the same clusters.
    let hasSameAbove: Bool
    /// The first zoom at which clusters say how many pages their points have; `nil` if there are no pages.
    private let pageZoom: Int?
    /// Whether clusters are shown elsewhere than at their anchors.
    private let isDisplaced: Bool
    /// Whether every cluster has the same feature at all zooms at which it is shown.
    private let isUniform: Bool

    init(
        markers: [ArrangedMarkers], clusters: PyramidClusters?, parents: ParentClusters? = nil,
        recordParents: RecordParents? = nil, hasSameAbove: Bool = false, pageZoom: Int? = nil
    ) {
        precondition(!markers.isEmpty && (parents == nil || markers.count == 1))
        self.markers = markers
        self.clusters = clusters
        self.parents = parents
        self.recordParents = recordParents
        self.hasSameAbove = hasSameAbove
        self.pageZoom = pageZoom
        isDisplaced = markers.contains(where: \.isDisplaced)
        isUniform = markers.count == 1 || !isDisplaced && !markers.dropFirst().contains { $0.zoom == pageZoom }
    }

    var zooms: ClosedRange<Int> { markers[0].zoom...markers[0].zoom + markers.count - 1 }

    func markers(atZoom zoom: Int) -> ArrangedMarkers { markers[zoom - markers[0].zoom] }

    /// Where a cluster is shown; `nil` for the place of its anchor.
    @inline(__always)
    func coordinate(ofMarker index: Int, atZoom zoom: Int) -> Coordinate? {
        isDisplaced ? markers[zoom - markers[0].zoom].coordinate(of: index) : nil
    }

    /// Whether there are pages of the points of the clusters of a zoom.
    func hasLeaves(atZoom zoom: Int) -> Bool { pageZoom.map { $0 <= zoom } ?? false }

    /// Whether a marker has the same feature at a zoom and the next.
    /// - Parameters:
    ///   - index: of the marker at `zoom`.
    ///   - next: its index at the next zoom.
    @inline(__always)
    func hasSameFeature(
        _ number: MarkerNumber, _ index: Int, atZoom zoom: Int, as next: Int, of source: MarkerSource
    ) -> Bool {
        isUniform || !number.isCluster || isSameCluster(number, index, atZoom: zoom, as: next, source)
    }

    private func isSameCluster(
        _ number: MarkerNumber, _ index: Int, atZoom zoom: Int, as next: Int, _ source: MarkerSource
    ) -> Bool {
        guard let entry = clusters?.entry(number) else { return true }
        let hasPages = source.content.leafPageCount(ofPoints: Int(entry.pointCount)) != nil
        if hasPages, hasLeaves(atZoom: zoom) != hasLeaves(atZoom: zoom + 1) { return false }
        let anchor = source.points.coordinate(Int(entry.anchorPoint))
        return (coordinate(ofMarker: index, atZoom: zoom) ?? anchor)
            == (coordinate(ofMarker: next, atZoom: zoom + 1) ?? anchor)
    }
}

/// The part of a band that a worker writes at a time: the tiles of a quadtree node at some zooms.
struct TileSubtree: Sendable {
    let zooms: ClosedRange<Int>
    /// The markers of the node at each zoom.
    let ranges: [Range<Int>]
    /// Of the node.
    let codes: ClosedRange<UInt64>
    /// Of the node in the quadtree.
    let depth: Int

    var markerCount: Int { ranges.reduce(0) { $0 + $1.count } }

    func range(atZoom zoom: Int) -> Range<Int> { ranges[zoom - zooms.lowerBound] }
}

extension TileBand {
    /// Cuts the band into nodes with at most `markerLimit` markers at all their zooms, and into single tiles above
    /// them.
    func subtrees(markerLimit: Int) -> [TileSubtree] {
        var subtrees: [TileSubtree] = []
        split(node: 0, depth: 0, ranges: markers.map { 0..<$0.count }, markerLimit: markerLimit, into: &subtrees)
        return subtrees
    }

    /// - Parameter ranges: of the zooms of the band from `depth` on.
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
