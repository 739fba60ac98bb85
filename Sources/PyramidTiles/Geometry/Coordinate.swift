/// A place on the earth in degrees (WGS 84), longitude first, exact to 10⁻⁶ degrees (11 cm).
///
/// Tiles have six decimals (RFC 7946, section 11.2), so a coordinate is stored in whole microdegrees: a place written
/// to a tile and read back is exactly the same.
public struct Coordinate: Hashable, Sendable, BitwiseCopyable {
    /// Microdegrees east, in -180,000,000 ..< 180,000,000.
    public let longitudeMicrodegrees: Int32

    /// Microdegrees north, in -90,000,000 ... 90,000,000.
    public let latitudeMicrodegrees: Int32

    /// - Parameters:
    ///   - longitudeMicrodegrees: in -180,000,000 ... 180,000,000; +180 degrees becomes -180, the same meridian.
    ///   - latitudeMicrodegrees: in -90,000,000 ... 90,000,000.
    public init(longitudeMicrodegrees: Int32, latitudeMicrodegrees: Int32) {
        precondition((-180_000_000...180_000_000).contains(longitudeMicrodegrees), "longitude beyond 180 degrees")
        precondition((-90_000_000...90_000_000).contains(latitudeMicrodegrees), "latitude beyond 90 degrees")
        self.longitudeMicrodegrees = longitudeMicrodegrees == 180_000_000 ? -180_000_000 : longitudeMicrodegrees
        self.latitudeMicrodegrees = latitudeMicrodegrees
    }

    /// Rounds to the nearest microdegree.
    /// - Parameters:
    ///   - longitude: degrees in -180 ... 180.
    ///   - latitude: degrees in -90 ... 90.
    public init(longitude: Double, latitude: Double) {
        precondition((-180...180).contains(longitude) && (-90...90).contains(latitude), "coordinate off the earth")
        self.init(
            longitudeMicrodegrees: Int32((longitude * 1e6).rounded()),
            latitudeMicrodegrees: Int32((latitude * 1e6).rounded()))
    }

    /// Degrees east, in -180 ..< 180.
    public var longitude: Double { Double(longitudeMicrodegrees) / 1e6 }

    /// Degrees north, in -90 ... 90.
    public var latitude: Double { Double(latitudeMicrodegrees) / 1e6 }
}
