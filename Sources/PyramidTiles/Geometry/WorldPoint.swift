/// A place on the Web Mercator square in whole units, 2³² to the world's width: x counts east from the antimeridian, y
/// south from the top of the map (latitude 85.0511). One unit is 9 mm at the equator.
public struct WorldPoint: Hashable, Sendable {
    public let x: UInt32
    public let y: UInt32

    public init(x: UInt32, y: UInt32) {
        self.x = x
        self.y = y
    }

    /// The distance east from `other` to this point in units, the short way round: negative is west.
    @inlinable
    public func eastward(from other: WorldPoint) -> Int64 { Int64(Int32(bitPattern: x &- other.x)) }

    /// The distance south from `other` to this point in units; the map doesn't wrap over the poles.
    @inlinable
    public func southward(from other: WorldPoint) -> Int64 { Int64(y) - Int64(other.y) }
}
