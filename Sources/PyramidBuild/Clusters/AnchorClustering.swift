import PyramidTiles

/// The method `anchors`: the biggest cluster keeps its place, everything closer than the cluster distance joins its
/// nearest kept marker, a marker is always one of the user's own points, and it never moves while the user zooms.
///
/// From the last clustered zoom to the first, the candidates of a zoom are the anchors of the one below it. No two
/// anchors of a zoom are closer than the distance, on any data; each zoom takes a bounded number of distance tests for
/// each candidate.
struct AnchorClustering: ClusteringMethod {
    let options: ClusteringOptions

    func hierarchy(
        of all: Candidates, in quadtree: LinearQuadtree, _ work: SharedWork, progress: (Int) -> Void
    ) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: all)
        var ranks = CandidateRanks(of: all)
        var candidates = ZoomCandidates(all, of: quadtree, order: order(atZoom: options.clusterMaxZoom), work)

        for zoom in options.clusteredZooms {
            progress(zoom)
            guard candidates.count > 1 else { continue }
            let near = NearTest(distanceUnits: options.distanceUnits(atZoom: zoom))
            let (anchors, others) = AnchorSelection(ranks: ranks, near: near, work: work).anchors(among: candidates)
            let parents = AnchorAssignment(anchors: anchors, ranks: ranks, near: near, work: work).parents(of: others)
            hierarchy.join(others.numbers, to: parents, atZoom: zoom, work)
            ranks.join(others.numbers, to: parents)
            if zoom > options.minZoom { candidates = anchors.reordered(order(atZoom: zoom - 1), work) }
        }
        return hierarchy
    }

    private func order(atZoom zoom: Int) -> RowOrder { RowOrder(depth: options.cellDepth(atZoom: zoom)) }
}
