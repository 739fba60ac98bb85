/// Which candidates of a zoom keep their places: no two of them are near each other, and every other candidate is near
/// one of them.
///
/// A few rounds, in which every candidate wins that is higher than all undecided ones near it, decide nearly all; four
/// phases, one for each colour of cells, decide the rest in a fixed number of steps on any data. Nothing depends on the
/// order in which cells or candidates are visited: a round reads only what the one before it left, and cells of one
/// colour are too far apart to matter to each other.
struct AnchorSelection {
    private enum State {
        static let undecided: UInt8 = 0
        static let winner: UInt8 = 1
        static let anchor: UInt8 = 2
        static let member: UInt8 = 3
    }

    /// How many rounds go before the colour phases.
    static let rounds = 2

    private let candidates: ZoomCandidates
    private let ranks: [CandidateRank]
    private let cells: CellRows
    private let near: NearTest
    private var states: [UInt8]

    /// The positions of the anchors among the candidates of a zoom, ascending.
    /// - Parameter ranks: by position.
    static func anchors(
        of candidates: ZoomCandidates, ranks: [CandidateRank], cells: CellRows, near: NearTest
    ) -> [UInt32] {
        var selection = AnchorSelection(candidates: candidates, ranks: ranks, cells: cells, near: near)
        for _ in 0..<rounds { selection.playRound() }
        selection.decideByColour()
        return (0..<UInt32(candidates.count)).filter { selection.states[Int($0)] == State.anchor }
    }

    private init(candidates: ZoomCandidates, ranks: [CandidateRank], cells: CellRows, near: NearTest) {
        self.candidates = candidates
        self.ranks = ranks
        self.cells = cells
        self.near = near
        states = [UInt8](repeating: State.undecided, count: candidates.count)
    }

    private mutating func playRound() {
        var winners: [(position: Int, cell: Int)] = []
        for cell in 0..<cells.count {
            for position in places(of: cell..<cell + 1) where states[position] == State.undecided {
                if wins(position, in: cell) { winners.append((position, cell)) }
            }
        }
        for winner in winners { states[winner.position] = State.anchor }
        for winner in winners { takeIn(near: winner.position, in: winner.cell) }
    }

    private mutating func decideByColour() {
        for colour in 0..<4 {
            for cell in 0..<cells.count where cells.colour(of: cell) == colour {
                let undecided = places(of: cell..<cell + 1)
                    .filter { states[$0] == State.undecided }
                    .sorted { isHigher($0, than: $1) }
                for position in undecided where states[position] == State.undecided {
                    states[position] = State.anchor
                    takeIn(near: position, in: cell)
                }
            }
        }
    }

    /// Whether no undecided candidate near this one is higher.
    private func wins(_ position: Int, in cell: Int) -> Bool {
        let (x, y) = (candidates.x[position], candidates.y[position])
        var wins = true
        cells.forEachRun(around: cell) { run in
            for other in places(of: run)
            where states[other] == State.undecided && near.isNear(x, y, candidates.x[other], candidates.y[other])
                && isHigher(other, than: position)
            {
                wins = false
                return false
            }
            return true
        }
        return wins
    }

    /// Makes the undecided candidates near an anchor members.
    private mutating func takeIn(near position: Int, in cell: Int) {
        let (x, y) = (candidates.x[position], candidates.y[position])
        cells.forEachRun(around: cell) { run in
            for other in places(of: run)
            where states[other] == State.undecided && near.isNear(x, y, candidates.x[other], candidates.y[other]) {
                states[other] = State.member
            }
            return true
        }
    }

    @inline(__always)
    private func isHigher(_ position: Int, than other: Int) -> Bool {
        ranks[other] < ranks[position]
    }

    @inline(__always)
    private func places(of run: Range<Int>) -> Range<Int> {
        Int(cells.starts[run.lowerBound])..<Int(cells.starts[run.upperBound])
    }
}
