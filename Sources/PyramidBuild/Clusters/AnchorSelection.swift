/// Which candidates of a zoom keep their places: no two of them are near each other, and every other candidate is near
/// one of them.
///
/// A few rounds, in which every candidate wins that is higher than all undecided ones near it, decide nearly all; four
/// phases, one for each colour of cells, decide the rest in a fixed number of steps on any data. Nothing depends on the
/// order in which cells or candidates are visited: a round reads only what the one before it left, and cells of one
/// colour are too far apart to matter to each other.
struct AnchorSelection {
    let ranks: CandidateRanks
    let near: NearTest
    let jobs: Int

    /// How many rounds go before the colour phases.
    static let rounds = 2

    /// The anchors among the candidates of a zoom, and those that are none.
    func anchors(of candidates: consuming ZoomCandidates) -> (anchors: ZoomCandidates, members: ZoomCandidates) {
        var (anchors, members) = winners(of: candidates)
        var undecided = notNear(anchors, of: members)
        for _ in 1..<AnchorSelection.rounds {
            let (winners, others) = winners(of: undecided)
            anchors = anchors.merging(winners)
            undecided = notNear(winners, of: others)
        }
        if undecided.count > 0 { anchors = anchors.merging(decidingByColour(undecided)) }
        return (anchors, members)
    }

    /// The candidates that are higher than all those near them, and all others.
    private func winners(of candidates: ZoomCandidates) -> (winners: ZoomCandidates, others: ZoomCandidates) {
        let parts = (0..<candidates.count).mapConcurrently(every: ZoomCandidates.partCount, jobs: jobs) { part in
            var winners = ZoomCandidates(order: candidates.order)
            var others = ZoomCandidates(order: candidates.order)
            let (numbers, keys) = (candidates.numbers.span, candidates.keys.span)
            var sweep = NearSweep(from: keys[part.lowerBound], in: keys, order: candidates.order, near: near)
            for index in part {
                var wins = true
                sweep.forEachNear(keys[index], in: keys) { other, _ in
                    if other != index,
                        ranks.isHigher(
                            numbers[other], keys[other], than: numbers[index], keys[index], order: candidates.order)
                    {
                        wins = false
                    }
                    return wins
                }
                if wins {
                    winners.append(numbers[index], keys[index])
                } else {
                    others.append(numbers[index], keys[index])
                }
            }
            return (winners, others)
        }
        var winners = ZoomCandidates(order: candidates.order)
        var others = ZoomCandidates(order: candidates.order)
        winners.append(parts.map(\.0))
        others.append(parts.map(\.1))
        return (winners, others)
    }

    /// Those of the candidates that are not near any of the anchors.
    private func notNear(_ anchors: ZoomCandidates, of candidates: ZoomCandidates) -> ZoomCandidates {
        let parts = (0..<candidates.count).mapConcurrently(every: ZoomCandidates.partCount, jobs: jobs) { part in
            var rest = ZoomCandidates(order: candidates.order)
            let (keys, anchorKeys) = (candidates.keys.span, anchors.keys.span)
            var sweep = NearSweep(from: keys[part.lowerBound], in: anchorKeys, order: candidates.order, near: near)
            for index in part {
                var isNear = false
                sweep.forEachNear(keys[index], in: anchorKeys) { _, _ in
                    isNear = true
                    return false
                }
                if !isNear { rest.append(candidates.numbers[index], keys[index]) }
            }
            return rest
        }
        var rest = ZoomCandidates(order: candidates.order)
        rest.append(parts)
        return rest
    }

    /// The anchors among the candidates that the rounds have left undecided: hardly any on most data.
    private func decidingByColour(_ undecided: ZoomCandidates) -> ZoomCandidates {
        let (order, numbers, keys) = (undecided.order, undecided.numbers, undecided.keys)
        let byColour = keys.indices.sorted { one, other in
            let colours = (order.colour(keys[one]), order.colour(keys[other]))
            return colours.0 != colours.1
                ? colours.0 < colours.1
                : ranks.isHigher(numbers[one], keys[one], than: numbers[other], keys[other], order: order)
        }
        var isAnchor = [Bool](repeating: false, count: keys.count)
        var isDecided = isAnchor
        for index in byColour where !isDecided[index] {
            isAnchor[index] = true
            var sweep = NearSweep(from: keys[index], in: keys.span, order: order, near: near)
            sweep.forEachNear(keys[index], in: keys.span) { other, _ in
                isDecided[other] = true
                return true
            }
        }
        var anchors = ZoomCandidates(order: order)
        for index in keys.indices where isAnchor[index] { anchors.append(numbers[index], keys[index]) }
        return anchors
    }
}
