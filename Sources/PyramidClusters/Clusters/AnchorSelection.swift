import PyramidTiles

/// Selects the anchors of a zoom, the candidates that keep their places: no two anchors are near each other, and every
/// other candidate is near an anchor.
///
/// In each of the first few rounds, every candidate wins that outranks all undecided candidates near it. This decides
/// nearly all. Four phases, one for each colour of cells, decide the rest in a fixed number of steps on any data. The
/// order in which cells or candidates are visited doesn't matter: a round reads only the results of the round before,
/// and cells of one colour are too far apart to affect each other.
struct AnchorSelection {
    let ranks: CandidateRanks
    let near: NearTest
    let work: SharedWork

    /// The number of rounds before the colour phases.
    static let rounds = 2

    /// Separates the anchors of a zoom from the other candidates. A few anchors can remain among the others.
    func anchors(among candidates: ZoomCandidates) -> (anchors: ZoomCandidates, others: ZoomCandidates) {
        let (firstWinners, others) = candidates.separated(by: winners(among: candidates), work)
        guard others.count > 0 else { return (firstWinners, others) }
        var anchors = firstWinners
        var undecided = others.separated(by: membership(of: others, near: firstWinners), work).others
        for _ in 1..<AnchorSelection.rounds where undecided.count > 0 {
            let (winners, losers) = undecided.separated(by: winners(among: undecided), work)
            anchors = anchors.merged(with: winners, work)
            undecided = losers.separated(by: membership(of: losers, near: winners), work).others
        }
        guard undecided.count > 0 else { return (anchors, others) }
        let (last, _) = undecided.separated(by: decisionsByColour(undecided), work)
        return (anchors.merged(with: last, work), others)
    }

    /// Whether each candidate outranks all others near it.
    private func winners(among candidates: ZoomCandidates) -> [Bool] {
        work.elements(count: candidates.count) { chunk, isWinner in
            let (order, numbers, keys) = (candidates.order, candidates.numbers.span, candidates.keys.span)
            var sweep = NearSweep(from: keys[chunk.lowerBound], in: keys, order: order, near: near)
            for index in chunk {
                isWinner[index] = true
                sweep.forEachNear(keys[index], in: keys) { other, _ in
                    guard other != index,
                        ranks.isHigher(numbers[other], keys[other], than: numbers[index], keys[index], order: order)
                    else { return true }
                    isWinner[index] = false
                    return false
                }
            }
        }
    }

    /// Whether each candidate is near an anchor.
    private func membership(of candidates: ZoomCandidates, near anchors: ZoomCandidates) -> [Bool] {
        work.elements(count: candidates.count) { chunk, isMember in
            let (keys, anchorKeys) = (candidates.keys.span, anchors.keys.span)
            var sweep = NearSweep(from: keys[chunk.lowerBound], in: anchorKeys, order: candidates.order, near: near)
            for index in chunk {
                isMember[index] = false
                sweep.forEachNear(keys[index], in: anchorKeys) { _, _ in
                    isMember[index] = true
                    return false
                }
            }
        }
    }

    /// Whether each candidate left undecided by the rounds is an anchor. Most data leave hardly any.
    private func decisionsByColour(_ undecided: ZoomCandidates) -> [Bool] {
        let (order, numbers, keys) = (undecided.order, undecided.numbers.span, undecided.keys.span)
        var isAnchor = [Bool](repeating: false, count: keys.count)
        var isDecided = isAnchor
        for colour in 0..<UInt64(4) {
            var start = 0
            while start < keys.count {
                let cell = order.cell(keys[start])
                var end = start
                while end < keys.count, order.cell(keys[end]) == cell { end += 1 }
                while order.colour(ofCell: cell) == colour {
                    let highest = (start..<end).lazy.filter { !isDecided[$0] }.max {
                        ranks.isHigher(numbers[$1], keys[$1], than: numbers[$0], keys[$0], order: order)
                    }
                    guard let highest else { break }
                    isAnchor[highest] = true
                    var sweep = NearSweep(from: keys[highest], in: keys, order: order, near: near)
                    sweep.forEachNear(keys[highest], in: keys) { other, _ in
                        isDecided[other] = true
                        return true
                    }
                }
                start = end
            }
        }
        return isAnchor
    }
}
