import PyramidTiles

/// What the candidates of a group count, with what they have taken in so far.
struct CandidateRanks: Sendable {
    private let candidates: Candidates
    private let hasPriorities: Bool
    /// By candidate.
    private(set) var weights: [UInt64]

    init(of candidates: Candidates) {
        self.candidates = candidates
        hasPriorities = candidates.hasPriorities
        weights = candidates.weights
    }

    /// Adds the weights of candidates to those of their parents, which join nothing themselves; one that is its own is
    /// left alone.
    mutating func join(_ candidates: [UInt32], to parents: [UInt32]) {
        var weights = weights.mutableSpan
        for (candidate, parent) in zip(candidates, parents) where candidate != parent {
            weights[Int(parent)] += weights[Int(candidate)]
        }
    }

    /// Whether a candidate is higher than another.
    /// - Parameters:
    ///   - key: the place of its anchor, as `order` knows it.
    @inline(__always)
    func isHigher(
        _ number: UInt32, _ key: UInt64, than other: UInt32, _ otherKey: UInt64, order: RowOrder
    ) -> Bool {
        if hasPriorities {
            let (one, two) = (candidates.priority(of: Int(number)), candidates.priority(of: Int(other)))
            if one != two { return one > two }
        }
        let (one, two) = (weights[Int(number)], weights[Int(other)])
        if one != two { return one > two }
        return isMixedHigher(key, than: otherKey, order)
    }

    /// Out of line, as what is seldom needed must not be computed ahead for every candidate.
    @inline(never)
    private func isMixedHigher(_ key: UInt64, than otherKey: UInt64, _ order: RowOrder) -> Bool {
        MortonCode(order.point(key)).mixed > MortonCode(order.point(otherKey)).mixed
    }
}
