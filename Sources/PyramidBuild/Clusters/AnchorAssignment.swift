/// Which anchor takes each candidate in: the nearest of those near it, and of equally near ones the higher.
///
/// The search goes over the anchors of the cells around a candidate, never over its candidates: of anchors only a few
/// fit into a cell.
struct AnchorAssignment {
    let candidates: ZoomCandidates
    /// By position.
    let ranks: [CandidateRank]
    let cells: CellRows
    let near: NearTest
    /// The positions of the anchors, ascending.
    let anchors: [UInt32]

    /// Calls `body` with the position of every candidate that is no anchor and that of its anchor.
    func forEachMember(_ body: (_ member: Int, _ anchor: Int) -> Void) {
        let anchorStarts = firstAnchors()
        for cell in 0..<cells.count {
            var nextAnchor = anchorStarts[cell]
            for position in Int(cells.starts[cell])..<Int(cells.starts[cell + 1]) {
                if nextAnchor < anchorStarts[cell + 1], anchors[nextAnchor] == UInt32(position) {
                    nextAnchor += 1
                } else {
                    body(position, anchor(of: position, in: cell, anchorStarts))
                }
            }
        }
    }

    /// For each cell, and for the end, the first of the anchors that is not in a cell before it.
    private func firstAnchors() -> [Int] {
        var firsts: [Int] = []
        firsts.reserveCapacity(cells.count + 1)
        var anchor = 0
        for start in cells.starts {
            while anchor < anchors.count, anchors[anchor] < start { anchor += 1 }
            firsts.append(anchor)
        }
        return firsts
    }

    private func anchor(of position: Int, in cell: Int, _ anchorStarts: [Int]) -> Int {
        let (x, y) = (candidates.x[position], candidates.y[position])
        var nearest: (anchor: Int, squaredDistance: UInt64)?
        cells.forEachRun(around: cell) { run in
            for index in anchorStarts[run.lowerBound]..<anchorStarts[run.upperBound] {
                let anchor = Int(anchors[index])
                guard let squaredDistance = near.squaredDistance(x, y, candidates.x[anchor], candidates.y[anchor])
                else { continue }
                if let best = nearest,
                    (squaredDistance, ranks[best.anchor]) >= (best.squaredDistance, ranks[anchor])
                {
                    continue
                }
                nearest = (anchor, squaredDistance)
            }
            return true
        }
        guard let nearest else { preconditionFailure("a candidate is neither an anchor nor near one") }
        return nearest.anchor
    }
}
