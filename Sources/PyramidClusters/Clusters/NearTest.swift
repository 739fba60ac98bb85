import PyramidTiles

/// Tests whether two places are closer than a distance on the map: exact, in integers, the short way round the world.
struct NearTest: Sendable {
    private let distance: UInt64
    /// The greatest squared distance that is near. The square of 2³² wraps to the greatest number.
    private let limit: UInt64

    /// - Parameter distanceUnits: world units, at most 2³².
    init(distanceUnits: UInt64) {
        distance = distanceUnits
        limit = distanceUnits &* distanceUnits &- 1
    }

    /// The squared distance in world units; `nil` if the places are not near.
    @inline(__always)
    func squaredDistance(_ x1: UInt32, _ y1: UInt32, _ x2: UInt32, _ y2: UInt32) -> UInt64? {
        // The differences may wrap: a number and its negative have the same square, and squares are less than 2⁶⁴.
        let dx = UInt64(bitPattern: Int64(Int32(bitPattern: x1 &- x2)))
        let dy = UInt64(y1) &- UInt64(y2)
        let (sum, overflow) = (dx &* dx).addingReportingOverflow(dy &* dy)
        return overflow || sum > limit ? nil : sum
    }

    /// The least and the greatest x that can be near, without crossing the antimeridian.
    @inline(__always)
    func reach(of x: UInt32) -> (west: UInt64, east: UInt64) {
        let x = UInt64(x)
        return (x >= distance ? x - distance + 1 : 0, min(x + distance - 1, UInt64(UInt32.max)))
    }

    /// Whether places on the other side of the antimeridian can be near.
    @inline(__always)
    func reachesAcrossTheAntimeridian(_ x: UInt32) -> Bool {
        UInt64(x) + 1 < distance || UInt64(x) + distance > 1 << 32
    }

    /// The x across the antimeridian that can be near, except those in ``reach(of:)``.
    func reachAcrossTheAntimeridian(of x: UInt32) -> [ClosedRange<UInt64>] {
        let (west, east) = reach(of: x)
        let world = UInt64(1) << 32
        var ranges: [ClosedRange<UInt64>] = []
        if UInt64(x) + distance > world, west > 0 { ranges.append(0...min(UInt64(x) + distance - 1 - world, west - 1)) }
        if UInt64(x) + 1 < distance, east < world - 1 {
            ranges.append(max(UInt64(x) + world + 1 - distance, east + 1)...world - 1)
        }
        return ranges
    }
}
