import PyramidTiles

/// Whether two places are closer than a distance on the map: exact, in integers, the short way round the world.
struct NearTest: Sendable {
    private let distance: UInt64
    /// The greatest square of a distance that is still near. Wraps to the greatest number for a distance of 2³².
    private let limit: UInt64

    /// - Parameter distanceUnits: world units, at most 2³².
    init(distanceUnits: UInt64) {
        distance = distanceUnits
        limit = distanceUnits &* distanceUnits &- 1
    }

    /// The square of the distance in world units; `nil` where the places are not near.
    @inline(__always)
    func squaredDistance(_ x1: UInt32, _ y1: UInt32, _ x2: UInt32, _ y2: UInt32) -> UInt64? {
        let dx = UInt64(Int32(bitPattern: x1 &- x2).magnitude)
        let dy = UInt64(y1 > y2 ? y1 - y2 : y2 - y1)
        guard dx < distance, dy < distance else { return nil }
        let (sum, overflow) = (dx * dx).addingReportingOverflow(dy * dy)
        return overflow || sum > limit ? nil : sum
    }

    @inline(__always)
    func isNear(_ x1: UInt32, _ y1: UInt32, _ x2: UInt32, _ y2: UInt32) -> Bool {
        squaredDistance(x1, y1, x2, y2) != nil
    }
}
