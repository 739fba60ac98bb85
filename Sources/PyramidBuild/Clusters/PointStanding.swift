/// What points count when it is decided which of them keep their places.
struct PointStanding: Sendable {
    /// By point: greater wins. Empty where all are equal.
    var priorities: ArraySlice<UInt32> = []
    /// By point: for how many it stands. Empty where each stands for itself.
    var weights: ArraySlice<UInt32> = []

    func priority(of point: Int) -> UInt32 {
        priorities.isEmpty ? 0 : priorities[priorities.startIndex + point]
    }

    func weight(of point: Int) -> UInt64 {
        weights.isEmpty ? 1 : UInt64(weights[weights.startIndex + point])
    }

    /// Of points at one place the one that stands for all, and the weight of all. Equal ones are in the order of their
    /// content, of which the last stands for all.
    func highest(of points: Range<Int>) -> (point: Int, weight: UInt64) {
        guard !priorities.isEmpty || !weights.isEmpty else {
            return (points.upperBound - 1, UInt64(points.count))
        }
        var highest = points.lowerBound
        var sum: UInt64 = 0
        for point in points {
            sum += weight(of: point)
            if (priority(of: point), weight(of: point)) >= (priority(of: highest), weight(of: highest)) {
                highest = point
            }
        }
        return (highest, sum)
    }

    /// Of a range of the points.
    func slice(_ points: Range<Int>) -> PointStanding {
        PointStanding(
            priorities: priorities.isEmpty ? [] : priorities[points],
            weights: weights.isEmpty ? [] : weights[points])
    }
}
