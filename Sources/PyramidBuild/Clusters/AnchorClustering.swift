/// The method `anchors`: the biggest cluster keeps its place, everything closer than the cluster distance joins its
/// nearest kept marker, a marker is always one of the user's own points, and it never moves while the user zooms.
///
/// From the last clustered zoom to the first, the candidates of a zoom are the anchors of the zoom below. No two anchors
/// of a zoom are closer than the distance, on any data; each zoom takes a bounded number of distance tests per candidate.
struct AnchorClustering {
    /// From the last to the first.
    let zooms: [ClusteringRules.Zoom]
    let work: SharedWork

    /// - Parameter progress: is called with each zoom before it is clustered.
    func hierarchy(of all: Candidates, progress: (Int) -> Void) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: all)
        guard let first = zooms.first else { return hierarchy }
        var ranks = CandidateRanks(of: all)
        var candidates = ZoomCandidates(all, order: RowOrder(depth: first.cellDepth), work)
        for (index, zoom) in zooms.enumerated() {
            progress(zoom.zoom)
            guard candidates.count > 1 else { continue }
            let near = NearTest(distanceUnits: zoom.distanceUnits)
            let (anchors, others) = AnchorSelection(ranks: ranks, near: near, work: work).anchors(among: candidates)
            let parents = AnchorAssignment(anchors: anchors, ranks: ranks, near: near, work: work).parents(of: others)
            hierarchy.join(others.numbers, to: parents, atZoom: zoom.zoom, work)
            ranks.join(others.numbers, to: parents)
            if index + 1 < zooms.count {
                candidates = anchors.reordered(RowOrder(depth: zooms[index + 1].cellDepth), work)
            }
        }
        return hierarchy
    }
}
