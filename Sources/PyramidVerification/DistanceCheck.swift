import PyramidTiles

/// Finds markers that are closer than promised.
///
/// If a cell less than two distances wide holds more than nine places, they can't all be a distance apart: divide the
/// cell into three by three squares, and two places share a square less than two thirds of a distance wide. So the
/// first ten places of each cell are enough to tell whether any two markers are too close, and no arrangement of
/// markers makes the check slow. If a cell holds more, not every pair is reported.
struct DistanceCheck {
    /// One more than a cell can hold without two places that are too close.
    private static let testedPlacesPerCell = 10
    private static let cellsPerChunk = 1024

    let distanceUnits: UInt64
    let index: CellIndex

    /// - Parameters:
    ///   - distanceUnits: in 1 ... 2³².
    ///   - codes: the markers' places, in ascending order.
    init(distanceUnits: UInt64, codes: [UInt64]) {
        self.distanceUnits = distanceUnits
        index = CellIndex(ascending: codes, cellsAtLeast: distanceUnits)
    }

    /// Pairs of places that are too close, by their indices; at most one pair per first place. O(n) on average.
    func pairsTooClose(jobs: Int) -> [(Int, Int)] {
        let chunks = (0..<index.cellCount).split(every: DistanceCheck.cellsPerChunk)
        return SharedWork(jobs: jobs).map(chunks) { pairsTooClose(inCells: $0) }.flatMap { $0 }
    }

    private func pairsTooClose(inCells cells: Range<Int>) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var near: [Int] = []
        var hint = cells.lowerBound
        for cell in cells {
            let own = index.places(ofCell: cell).prefix(DistanceCheck.testedPlacesPerCell)
            near.removeAll(keepingCapacity: true)
            hint = cell
            index.forEachCell(around: index.node(ofCell: cell), from: &hint) { other in
                // Each pair of cells is tested once, from the first.
                guard other > cell else { return }
                near.append(contentsOf: index.places(ofCell: other).prefix(DistanceCheck.testedPlacesPerCell))
            }
            for place in own {
                let point = MortonCode(rawValue: index.codes[place]).point
                let isTooClose = { (other: Int) in
                    point.isCloser(than: distanceUnits, to: MortonCode(rawValue: index.codes[other]).point)
                }
                let other = own[(place + 1)...].first(where: isTooClose) ?? near.first(where: isTooClose)
                if let other { pairs.append((place, other)) }
            }
        }
        return pairs
    }
}
