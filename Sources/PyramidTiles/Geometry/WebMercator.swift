import PyramidPlatform

/// The spherical Mercator projection of web maps (EPSG:3857): converts between degrees and world units.
///
/// `sin` and `log` differ in their last bits between C libraries, so every place is projected once, from whole
/// microdegrees to whole units. Everything after that is integer arithmetic.
///
/// Source: [EPSG:3857](https://epsg.io/3857).
public enum WebMercator {
    /// The latitude of the map's top edge in degrees, atan(sinh(π)); places farther north are drawn on the edge.
    public static let maximumLatitude = 85.051128779806604

    /// The world point of a coordinate. Latitudes off the map are moved to its edge.
    public static func project(_ coordinate: Coordinate) -> WorldPoint {
        let eastOfAntimeridian = UInt64(Int64(coordinate.longitudeMicrodegrees) + 180_000_000)
        let x = UInt32(truncatingIfNeeded: (eastOfAntimeridian << 32) / 360_000_000)
        let sine = sin(coordinate.latitude * .pi / 180)
        let fraction = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        let y = UInt32(min(max(fraction * 0x1p32, 0), 0x1p32 - 1))
        return WorldPoint(x: x, y: y)
    }

    /// The coordinate nearest to the centre of a world point's unit.
    public static func unproject(_ point: WorldPoint) -> Coordinate {
        let longitude = (Double(point.x) + 0.5) * (360 * 0x1p-32) - 180
        let latitude = atan(sinh(.pi * (1 - (Double(point.y) + 0.5) * 0x1p-31))) * 180 / .pi
        return Coordinate(longitude: longitude, latitude: latitude)
    }

    /// How far, in world units, rounding to a microdegree can move a place on the map: half a microdegree is 6 units at
    /// the equator and 6 / cos(latitude) elsewhere.
    public static func roundingUnits(atLatitude latitude: Double) -> Double {
        6 / cos(min(abs(latitude), maximumLatitude) * .pi / 180) + 1
    }
}

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
