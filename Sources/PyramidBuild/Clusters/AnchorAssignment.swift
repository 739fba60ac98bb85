import PyramidTiles

/// Assigns each candidate to the nearest anchor; of several equally near, to the one that ranks highest.
///
/// Only anchors are searched: few anchors fit into a cell, but many candidates.
struct AnchorAssignment {
    let anchors: ZoomCandidates
    let ranks: CandidateRanks
    let near: NearTest
    let work: SharedWork

    /// By candidate: the number of its anchor. An anchor is its own.
    func parents(of candidates: ZoomCandidates) -> [UInt32] {
        work.elements(count: candidates.count) { chunk, parents in
            let (keys, anchorKeys) = (candidates.keys.span, anchors.keys.span)
            var sweep = NearSweep(from: keys[chunk.lowerBound], in: anchorKeys, order: candidates.order, near: near)
            for index in chunk {
                var nearest: (anchor: Int, squaredDistance: UInt64)?
                sweep.forEachNear(keys[index], in: anchorKeys) { anchor, squaredDistance in
                    if let best = nearest,
                        best.squaredDistance < squaredDistance
                            || best.squaredDistance == squaredDistance && isHigher(best.anchor, than: anchor)
                    {
                        return true
                    }
                    nearest = (anchor, squaredDistance)
                    return true
                }
                guard let nearest else { preconditionFailure("a candidate is neither an anchor nor near one") }
                parents[index] = anchors.numbers[nearest.anchor]
            }
        }
    }

    private func isHigher(_ anchor: Int, than other: Int) -> Bool {
        ranks.isHigher(
            anchors.numbers[anchor], anchors.keys[anchor], than: anchors.numbers[other], anchors.keys[other],
            order: anchors.order)
    }
}
