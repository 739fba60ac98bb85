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
        of all: Candidates, in quadtree: LinearQuadtree, jobs: Int, progress: (Int) -> Void
    ) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: all)
        var ranks = CandidateRanks(of: all)
        var candidates = ZoomCandidates(all, of: quadtree, order: order(atZoom: options.clusterMaxZoom))

        for zoom in options.clusteredZooms {
            progress(zoom)
            let near = NearTest(distanceUnits: options.distanceUnits(atZoom: zoom))
            let (anchors, members) = AnchorSelection(ranks: ranks, near: near, jobs: jobs).anchors(of: candidates)
            let parents = AnchorAssignment(anchors: anchors, ranks: ranks, near: near, jobs: jobs)
                .parents(of: members).joined()
            for (member, parent) in zip(members.numbers, parents) where member != parent {
                hierarchy.join(member, to: parent, atZoom: zoom)
                ranks.join(member, to: parent)
            }
            if zoom > options.minZoom { candidates = anchors.reordered(order(atZoom: zoom - 1), jobs: jobs) }
        }
        return hierarchy
    }

    private func order(atZoom zoom: Int) -> RowOrder { RowOrder(depth: options.cellDepth(atZoom: zoom)) }
}
