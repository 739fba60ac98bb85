import PyramidTiles

extension ClusteringRules {
    /// Clusters the candidates of each group separately; `nil` if no zoom has clusters.
    /// - Parameters:
    ///   - markers: the candidates, if they are markers already; `nil` to make them from points.
    ///   - progress: called with each zoom before it is clustered.
    package func hierarchy(
        of quadtree: LinearQuadtree, _ markers: Candidates? = nil, precedence: PointPrecedence = PointPrecedence(),
        work: SharedWork = SharedWork(jobs: 1), progress: (Int) -> Void = { _ in }
    ) -> ClusterHierarchy? {
        guard !zooms.isEmpty || keepsPlacesTogether else { return nil }
        var hierarchy = ClusterHierarchy()
        for group in quadtree.groups {
            let candidates =
                markers?.candidates(of: group.points)
                ?? Candidates(
                    of: group.points, in: quadtree, nodesAtDepth: candidateDepth, precedence: precedence, work)
            hierarchy.append(AnchorClustering(zooms: zooms, work: work).hierarchy(of: candidates, progress: progress))
        }
        if let markers { hierarchy.add(markers.known) }
        return hierarchy
    }
}

/// The biggest cluster keeps its place, and everything closer than the cluster distance joins the nearest marker that
/// keeps its place and isn't smaller. A marker is always one of the user's own points and never moves between zooms.
///
/// Zooms are clustered from the highest to the lowest; the candidates of a zoom are the anchors of the next higher one.
/// No two anchors of a zoom are closer than the distance. Each zoom takes a bounded number of distance tests per
/// candidate.
private struct AnchorClustering {
    /// From the highest to the lowest.
    let zooms: [ClusteringRules.Zoom]
    let work: SharedWork

    /// - Parameter progress: called with each zoom before it is clustered.
    func hierarchy(of all: consuming Candidates, progress: (Int) -> Void) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: copy all)
        guard let first = zooms.first else { return hierarchy }
        var candidates = ZoomCandidates(copy all, order: RowOrder(depth: first.cellDepth), work)
        // The last reference to the candidates, so their weights are moved, not copied.
        var ranks = CandidateRanks(of: consume all)
        for (index, zoom) in zooms.enumerated() {
            progress(zoom.zoom)
            guard candidates.count > 1 else { continue }
            let near = NearTest(distanceUnits: zoom.distanceUnits)
            let (anchors, others) = AnchorSelection(ranks: ranks, near: near, work: work).anchors(among: candidates)
            let parents = AnchorAssignment(anchors: anchors, ranks: ranks, near: near, work: work).parents(of: others)
            hierarchy.join(others.numbers, to: parents, atZoom: zoom.zoom, work)
            ranks.join(others.numbers, to: parents, work)
            if index + 1 < zooms.count {
                candidates = anchors.reordered(RowOrder(depth: zooms[index + 1].cellDepth), work)
            }
        }
        return hierarchy
    }
}
