/// A box along meridians and parallels in microdegrees; `west` is greater than `east` if the box crosses the
/// antimeridian (RFC 7946, section 5.2).
public struct BoundingBox: Hashable, Sendable, BitwiseCopyable {
    /// Microdegrees, in -180,000,000 ... 180,000,000.
    public let west, east: Int32
    /// Microdegrees, in -90,000,000 ... 90,000,000.
    public let south, north: Int32

    @inlinable
    public init(west: Int32, south: Int32, east: Int32, north: Int32) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// The box around a single place.
    @inlinable
    public init(_ coordinate: Coordinate) {
        self.init(
            west: coordinate.longitudeMicrodegrees, south: coordinate.latitudeMicrodegrees,
            east: coordinate.longitudeMicrodegrees, north: coordinate.latitudeMicrodegrees)
    }

    /// West, south, east, north in degrees, as in GeoJSON and TileJSON.
    public var degrees: [Double] { [west, south, east, north].map { Double($0) / 1e6 } }

    /// Whether the place lies inside or on the border.
    @inlinable
    public func contains(_ coordinate: Coordinate) -> Bool {
        contains(BoundingBox(coordinate))
    }

    /// Whether all of `other` lies inside or on the border.
    @inlinable
    public func contains(_ other: BoundingBox) -> Bool {
        guard south <= other.south, other.north <= north else { return false }
        let start = eastward(to: other.west)
        return goesRoundTheWorld || start + other.width <= width
    }

    /// The box around both, neither of which crosses the antimeridian.
    package func union(_ other: BoundingBox) -> BoundingBox {
        BoundingBox(
            west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
            north: max(north, other.north))
    }

    /// West, south, east and north in microdegrees; `nil` unless they are a box on the globe that doesn't cross the
    /// antimeridian.
    package init?(edges: [Int32]) {
        guard edges.count == 4, -180_000_000 <= edges[0], edges[0] <= edges[2], edges[2] <= 180_000_000,
            -90_000_000 <= edges[1], edges[1] <= edges[3], edges[3] <= 90_000_000
        else { return nil }
        self.init(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }

    /// West, south, east and north in microdegrees.
    package var edges: [Int32] { [west, south, east, north] }

    /// The box of all places.
    package static let world = BoundingBox(
        west: -180_000_000, south: -90_000_000, east: 180_000_000, north: 90_000_000)

    /// West, south, east and north in ten-millionths of a degree, each moved outwards by one, but not off the world.
    /// Rounding to microdegrees undoes that. It is for clients that refuse a box without an area, or fetch no tile that
    /// contains only a box's eastern or southern border.
    package var widened: (west: Int32, south: Int32, east: Int32, north: Int32) {
        (
            max(west * 10 - 1, -1_800_000_000), max(south * 10 - 1, -900_000_000),
            min(east * 10 + 1, 1_800_000_000), min(north * 10 + 1, 900_000_000)
        )
    }

    /// ``widened`` in degrees.
    var widenedDegrees: [Double] {
        let (west, south, east, north) = widened
        return [west, south, east, north].map { Double($0) / 1e7 }
    }

    /// Whether only one place of the map is inside. Places off the map are drawn on its edge.
    public var isOnePlace: Bool {
        west == east
            && WebMercator.project(Coordinate(longitudeMicrodegrees: west, latitudeMicrodegrees: south))
                == WebMercator.project(Coordinate(longitudeMicrodegrees: east, latitudeMicrodegrees: north))
    }

    /// Whether every meridian is inside.
    @inlinable
    package var goesRoundTheWorld: Bool { width >= 360_000_000 }

    /// The extent from west to east, in 0 ... 360,000,000 microdegrees.
    @inlinable
    package var width: Int64 { west <= east ? Int64(east) - Int64(west) : Int64(east) - Int64(west) + 360_000_000 }

    @inlinable
    func eastward(to longitude: Int32) -> Int64 {
        let way = (Int64(longitude) - Int64(west)) % 360_000_000
        return way < 0 ? way + 360_000_000 : way
    }
}

extension BoundingBox {
    /// Whether all four borders of `other` lie inside or on the border. If members touch the borders of `other`, any
    /// box around these members passes, even one that goes the other way round the world.
    @inlinable
    package func containsBorders(of other: BoundingBox) -> Bool {
        let western = BoundingBox(west: other.west, south: other.south, east: other.west, north: other.north)
        let eastern = BoundingBox(west: other.east, south: other.south, east: other.east, north: other.north)
        return contains(western) && contains(eastern)
    }

    /// Whether the place lies inside, or outside by at most `margin` microdegrees.
    package func contains(_ coordinate: Coordinate, withinMicrodegrees margin: Int32) -> Bool {
        if contains(coordinate) { return true }
        func wrapped(_ longitude: Int32) -> Int32 {
            if longitude < -180_000_000 { return longitude + 360_000_000 }
            return longitude > 180_000_000 ? longitude - 360_000_000 : longitude
        }
        guard margin > 0, width + 2 * Int64(margin) < 360_000_000 else { return false }
        let wider = BoundingBox(
            west: wrapped(west - margin), south: south - margin, east: wrapped(east + margin), north: north + margin)
        return wider.contains(coordinate)
    }

    /// The box cut to the map's latitudes, for comparison with places computed on the map.
    package var clampedToMap: BoundingBox {
        let limit = Int32((WebMercator.maximumLatitude * 1e6).rounded(.down))
        func clamped(_ latitude: Int32) -> Int32 { min(max(latitude, -limit), limit) }
        return BoundingBox(west: west, south: clamped(south), east: east, north: clamped(north))
    }
}
