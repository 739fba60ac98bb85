import PyramidTiles

/// The method `grid`: every quadtree cell that holds points is one marker.
///
/// The anchor of a cell is the highest of its four children's anchors, so ids are as stable as with `anchors`. O(n) for
/// each zoom.
struct GridClustering: ClusteringMethod {
    let options: ClusteringOptions

    func hierarchy(
        of candidates: Candidates, in quadtree: LinearQuadtree, _ work: SharedWork, progress: (Int) -> Void
    ) -> ClusterHierarchy {
        var hierarchy = ClusterHierarchy(candidates: candidates)
        var weights = candidates.weights
        var alive = Array(0..<UInt32(candidates.count))

        func code(of candidate: UInt32) -> MortonCode {
            MortonCode(rawValue: quadtree.codes[Int(candidates.anchorPoint[Int(candidate)])])
        }

        for zoom in options.clusteredZooms {
            progress(zoom)
            let depth = options.cellDepth(atZoom: zoom)
            var anchors: [UInt32] = []
            var start = 0
            while start < alive.count {
                let cell = code(of: alive[start]).node(atDepth: depth)
                var end = start + 1
                var anchor = alive[start]
                var highest = candidates.rank(of: Int(anchor), weight: weights[Int(anchor)])
                while end < alive.count, code(of: alive[end]).node(atDepth: depth) == cell {
                    let rank = candidates.rank(of: Int(alive[end]), weight: weights[Int(alive[end])])
                    if highest < rank { (anchor, highest) = (alive[end], rank) }
                    end += 1
                }
                var weight: UInt64 = 0
                for candidate in alive[start..<end] {
                    weight += weights[Int(candidate)]
                    if candidate != anchor { hierarchy.join(candidate, to: anchor, atZoom: zoom) }
                }
                weights[Int(anchor)] = weight
                anchors.append(anchor)
                start = end
            }
            alive = anchors
        }
        return hierarchy
    }
}
