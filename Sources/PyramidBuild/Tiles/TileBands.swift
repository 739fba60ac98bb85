import PyramidClusters
import PyramidTiles

/// All markers of a tileset in bands of zooms, made one after another from the last zooms to the first. The hierarchy
/// (13 bytes per point) and the descent through it (8 more) are released before the last band is used; the hierarchy
/// only in the mode `filter`, in which markers state no parents.
struct TileBands {
    private let quadtree: LinearQuadtree
    /// `nil` if no zoom is clustered.
    private let clusters: ClusterPyramid?
    /// `nil` if no zoom is clustered, and once the bands are made.
    private var hierarchy: ClusterHierarchy?
    private let rules: ClusteringRules
    /// Only markers shown in this range are written; `nil` for all.
    private let codes: ClosedRange<UInt64>?
    /// How many markers all zooms have together, if clusters of fewer than `minPoints` points are counted as clusters.
    let markerCount: Int

    init(
        of quadtree: LinearQuadtree, _ clusters: ClusterPyramid?, _ hierarchy: ClusterHierarchy?,
        rules: ClusteringRules, codes: ClosedRange<UInt64>? = nil
    ) {
        self.codes = codes
        self.quadtree = quadtree
        self.clusters = clusters
        self.hierarchy = hierarchy
        self.rules = rules
        let hiddenPointCount = clusters?.table.hiddenPointCount ?? 0
        markerCount =
            rules.markerCount(pointCount: quadtree.count, hierarchy)
            - (rules.tileZooms.count - rules.zooms.count) * hiddenPointCount
    }

    /// The most memory that the markers of all zooms take if they are one band; 0 if there are several bands.
    /// - Parameter allAtOnce: whether all bands are kept.
    func markerBytes(allAtOnce: Bool) -> Int {
        guard zooms(allAtOnce: allAtOnce).count == 1 else { return 0 }
        // Clusters of fewer than `minPoints` points are written as their points.
        let count = min(markerCount * (rules.minPoints - 1), quadtree.count * rules.tileZooms.count)
        return count * (rules.position == .anchor ? ArrangedMarkers.bytes : ArrangedMarkers.displacedBytes)
    }

    /// The last zoom with clusters.
    private var clusterMaxZoom: Int { rules.firstUnclusteredZoom - 1 }

    /// The zooms of each band, from the last band to the first. All zooms are one band if the caller needs that, or if a
    /// marker has the same content at all of them.
    private func zooms(allAtOnce: Bool) -> [ClosedRange<Int>] {
        let all = rules.tileZooms
        if allAtOnce { return [all] }
        if rules.position != .anchor { return all.reversed().map { $0...$0 } }
        return [all]
    }

    /// Calls `body` with every band. Call it only once: it releases what the bands are made from.
    /// - Parameters:
    ///   - allAtOnce: whether all zooms are one band, as bundles need it.
    ///   - arranging: is called with each zoom before its markers are put in order.
    mutating func forEach(
        allAtOnce: Bool, _ arranging: (_ zoom: Int) -> Void, _ body: (TileBand) throws -> Void
    ) rethrows {
        var descent: ClusterDescent?
        var parents: MarkerParents?
        if let clusters, let hierarchy {
            descent = ClusterDescent(
                of: clusters, hierarchy, in: quadtree, rules: rules,
                hasRoots: rules.minPoints > 2)
        }
        if rules.mode == .markers, let clusters, let hierarchy {
            parents = MarkerParents(hierarchy, clusters, rules)
        }
        hierarchy = nil
        for zooms in zooms(allAtOnce: allAtOnce) {
            var markers: [ArrangedMarkers] = []
            for zoom in zooms.reversed() {
                arranging(zoom)
                if zoom <= clusterMaxZoom { descent?.descend() }
                var ofZoom =
                    (zoom <= clusterMaxZoom ? descent : nil).map { ArrangedMarkers(of: $0) }
                    ?? ArrangedMarkers(allPointsOf: quadtree, clusters, atZoom: zoom)
                if let codes { ofZoom.crop(to: codes) }
                markers.append(ofZoom)
            }
            if zooms.lowerBound == rules.tileZooms.lowerBound { descent = nil }
            try body(TileBand(markers: markers.reversed(), clusters: clusters, parents: parents))
        }
    }
}
