import PyramidTiles

/// Decides which of two candidates keeps its place: the one with the higher priority; if equal, the one with the
/// greater weight; if equal again, the one whose anchor's mixed Morton code is greater.
///
/// No two candidates of a group have the same code, so the order is total and depends on content alone. A candidate's
/// weight grows when others join it; its priority stays that of its anchor.
struct CandidateRanks: Sendable {
    /// By candidate; empty if all priorities are equal.
    private let priorities: [UInt32]
    /// By candidate, including candidates that have joined it.
    private(set) var weights: [UInt64]

    init(of candidates: Candidates) {
        priorities = candidates.priorities
        weights = candidates.weights
    }

    /// Adds each candidate's weight to its parent's. A parent must not join another candidate in the same call; a
    /// candidate that is its own parent keeps its weight.
    mutating func join(_ candidates: [UInt32], to parents: [UInt32], _ work: SharedWork) {
        // Each thread writes to its own range of parents.
        let ranges = weights.indices.split(into: candidates.count > work.chunkSize ? work.jobs : 1)
        weights.withSharedElements { weights in
            work.forEach(ranges) { _, range in
                for (candidate, parent) in zip(candidates, parents)
                where range.contains(Int(parent)) && candidate != parent {
                    weights[Int(parent)] += weights[Int(candidate)]
                }
            }
        }
    }

    /// Whether a candidate outranks another.
    /// - Parameters:
    ///   - key: the key of its anchor in `order`.
    @inline(__always)
    func isHigher(
        _ number: UInt32, _ key: UInt64, than other: UInt32, _ otherKey: UInt64, order: RowOrder
    ) -> Bool {
        isHigher(number, than: other) { isMixedHigher(key, than: otherKey, order) }
    }

    /// Whether a candidate outranks another.
    /// - Parameter codes: the anchors' Morton codes, by candidate.
    func isHigher(_ number: UInt32, than other: UInt32, codes: [UInt64]) -> Bool {
        isHigher(number, than: other) {
            MortonCode(rawValue: codes[Int(number)]).mixed > MortonCode(rawValue: codes[Int(other)]).mixed
        }
    }

    @inline(__always)
    private func isHigher(_ number: UInt32, than other: UInt32, isMixedHigher: () -> Bool) -> Bool {
        if !priorities.isEmpty {
            let (one, two) = (priorities[Int(number)], priorities[Int(other)])
            if one != two { return one > two }
        }
        let (one, two) = (weights[Int(number)], weights[Int(other)])
        return one != two ? one > two : isMixedHigher()
    }

    /// Not inlined, so the compiler doesn't compute it in advance for every candidate; it is seldom needed.
    @inline(never)
    private func isMixedHigher(_ key: UInt64, than otherKey: UInt64, _ order: RowOrder) -> Bool {
        MortonCode(order.point(key)).mixed > MortonCode(order.point(otherKey)).mixed
    }
}
