/// The method `grid`: every quadtree cell that holds points is one marker.
///
/// The anchor of a cell is the highest of its four children's anchors, so ids are as stable as with `anchors`. O(n) per
/// zoom.
struct GridClustering {
    /// From the last to the first.
    let zooms: [ClusteringRules.Zoom]

    /// - Parameter progress: is called with each zoom before it is clustered.
    func hierarchy(of candidates: Candidates, progress: (Int) -> Void) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: candidates)
        var ranks = CandidateRanks(of: candidates)
        var alive = Array(0..<UInt32(candidates.count))
        for zoom in zooms {
            progress(zoom.zoom)
            var anchors: [UInt32] = []
            var parents: [UInt32] = []
            parents.reserveCapacity(alive.count)
            var start = 0
            while start < alive.count {
                let cell = candidates.node(of: alive[start], atDepth: zoom.cellDepth)
                var end = start + 1
                var anchor = alive[start]
                while end < alive.count, candidates.node(of: alive[end], atDepth: zoom.cellDepth) == cell {
                    if ranks.isHigher(alive[end], than: anchor, codes: candidates.codes) { anchor = alive[end] }
                    end += 1
                }
                for _ in start..<end { parents.append(anchor) }
                anchors.append(anchor)
                start = end
            }
            hierarchy.join(alive, to: parents, atZoom: zoom.zoom, SharedWork(jobs: 1))
            ranks.join(alive, to: parents)
            alive = anchors
        }
        return hierarchy
    }
}
