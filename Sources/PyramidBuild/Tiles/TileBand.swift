import PyramidTiles

/// The markers of some zooms that are written together: a marker that is at several of them has the same content at all.
///
/// A class, because the workers hand it around for every marker.
final class TileBand: Sendable {
    /// Of consecutive zooms, from the first on.
    private let markers: [ArrangedMarkers]
    /// `nil` where nothing is clustered.
    let clusters: PyramidClusters?
    /// `nil` where nobody asks for them, and where the zoom above has no clusters; else there is one zoom.
    let parents: ParentClusters?
    /// Whether there are pages of the clusters' points.
    let hasLeaves: Bool

    init(
        markers: [ArrangedMarkers], clusters: PyramidClusters?, parents: ParentClusters? = nil, hasLeaves: Bool = false
    ) {
        precondition(!markers.isEmpty && (parents == nil || markers.count == 1))
        self.markers = markers
        self.clusters = clusters
        self.parents = parents
        self.hasLeaves = hasLeaves
    }

    var zooms: ClosedRange<Int> { markers[0].zoom...markers[0].zoom + markers.count - 1 }

    func markers(atZoom zoom: Int) -> ArrangedMarkers { markers[zoom - markers[0].zoom] }
}

/// What one worker writes at a time: the tiles of a quadtree node at some zooms of a band.
struct TileSubtree: Sendable {
    let zooms: ClosedRange<Int>
    /// The markers of each of the zooms that are in the node.
    let ranges: [Range<Int>]

    var markerCount: Int { ranges.reduce(0) { $0 + $1.count } }

    func range(atZoom zoom: Int) -> Range<Int> { ranges[zoom - zooms.lowerBound] }
}

extension TileBand {
    /// Cuts the band into nodes of at most so many markers at all their zooms, and single tiles above them.
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
        guard markerCount > markerLimit, depth < zooms.upperBound else {
            subtrees.append(TileSubtree(zooms: firstZoom...zooms.upperBound, ranges: ranges))
            return
        }
        var rest = ranges
        if depth == firstZoom {
            let tile = rest.removeFirst()
            if !tile.isEmpty { subtrees.append(TileSubtree(zooms: depth...depth, ranges: [tile])) }
        }
        let restZoom = max(depth + 1, firstZoom)
        for child in 4 * node..<4 * node + 4 {
            let ranges = rest.indices.map { index in
                // The last child has all that is left; where its codes end need not be a number.
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
