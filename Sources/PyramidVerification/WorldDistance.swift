import PyramidTiles

/// Exact comparisons of distances between world points, in whole units.
extension WorldPoint {
    /// The square of the distance; `nil` where it is 2⁶⁴ or more.
    func squaredDistance(to other: WorldPoint) -> UInt64? {
        let east = eastward(from: other).magnitude
        let south = southward(from: other).magnitude
        let (square, overflow) = (east * east).addingReportingOverflow(south * south)
        return overflow ? nil : square
    }

    /// Whether the points are closer than `units`, in 1 ... 2³².
    func isCloser(than units: UInt64, to other: WorldPoint) -> Bool {
        guard let square = squaredDistance(to: other) else { return false }
        // 2³² squared is one more than fits, hence the comparison with the number before it.
        return square <= units &* units &- 1
    }
}
