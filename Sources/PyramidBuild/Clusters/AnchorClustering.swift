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
        of all: Candidates, in quadtree: LinearQuadtree, progress: (Int) -> Void
    ) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: all)
        var weights = all.weights
        var candidates = ZoomCandidates(all, of: quadtree, depth: options.cellDepth(atZoom: options.clusterMaxZoom))

        for zoom in options.clusteredZooms {
            progress(zoom)
            let cells = CellRows(placeCount: candidates.count, depth: candidates.depth) {
                candidates.cell(candidates.x[$0], candidates.y[$0])
            }
            let near = NearTest(distanceUnits: options.distanceUnits(atZoom: zoom))
            let ranksHere = candidates.candidate.map { all.rank(of: Int($0), weight: weights[Int($0)]) }
            let anchors = AnchorSelection.anchors(of: candidates, ranks: ranksHere, cells: cells, near: near)
            AnchorAssignment(
                candidates: candidates, ranks: ranksHere, cells: cells, near: near, anchors: anchors
            ).forEachMember { member, anchor in
                let parent = candidates.candidate[anchor]
                hierarchy.join(candidates.candidate[member], to: parent, atZoom: zoom)
                weights[Int(parent)] += ranksHere[member].weight
            }
            if zoom > options.minZoom {
                candidates = candidates.selecting(anchors, depth: options.cellDepth(atZoom: zoom - 1))
            }
        }
        return hierarchy
    }
}
