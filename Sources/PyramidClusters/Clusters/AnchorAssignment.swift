import PyramidTiles

/// Assigns each candidate to the nearest anchor near it that weighs at least as much, so that a big cluster isn't drawn at
/// the place of a small one. If there is none, it is assigned to the nearest anchor. Of anchors at the same distance, the one
/// that ranks highest is chosen.
///
/// Only anchors are searched: few anchors fit into a cell, but many candidates.
struct AnchorAssignment {
    let anchors: ZoomCandidates
    let ranks: CandidateRanks
    let near: NearTest
    let work: SharedWork

    private struct Choice {
        let anchor: Int
        let isAsHeavy: Bool
        let squaredDistance: UInt64
    }

    /// By candidate: the number of its anchor. An anchor is its own.
    func parents(of candidates: ZoomCandidates) -> [UInt32] {
        work.elements(count: candidates.count) { chunk, parents in
            let (keys, anchorKeys) = (candidates.keys.span, anchors.keys.span)
            var sweep = NearSweep(from: keys[chunk.lowerBound], in: anchorKeys, order: candidates.order, near: near)
            for index in chunk {
                let weight = ranks.weights[Int(candidates.numbers[index])]
                var best: Choice?
                sweep.forEachNear(keys[index], in: anchorKeys) { anchor, squaredDistance in
                    let choice = Choice(
                        anchor: anchor, isAsHeavy: ranks.weights[Int(anchors.numbers[anchor])] >= weight,
                        squaredDistance: squaredDistance)
                    if best.map({ isBetter(choice, than: $0) }) ?? true { best = choice }
                    return true
                }
                guard let best else { preconditionFailure("a candidate is neither an anchor nor near one") }
                parents[index] = anchors.numbers[best.anchor]
            }
        }
    }

    @inline(__always)
    private func isBetter(_ one: Choice, than other: Choice) -> Bool {
        if one.isAsHeavy != other.isAsHeavy { return one.isAsHeavy }
        if one.squaredDistance != other.squaredDistance { return one.squaredDistance < other.squaredDistance }
        return isHigher(one.anchor, than: other.anchor)
    }

    private func isHigher(_ anchor: Int, than other: Int) -> Bool {
        ranks.isHigher(
            anchors.numbers[anchor], anchors.keys[anchor], than: anchors.numbers[other], anchors.keys[other],
            order: anchors.order)
    }
}
