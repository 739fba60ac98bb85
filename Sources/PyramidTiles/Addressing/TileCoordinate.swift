/// The address of a tile in the XYZ scheme: x counts east from the antimeridian, y south from the top of the map,
/// both in 0 ..< 2ᶻ.
public struct TileCoordinate: Hashable, Sendable {
    /// From the highest bit down: 2ᶻ + x, then 30 bits for y. It takes 8 bytes because lists hold many addresses, and
    /// sorts as tiles do because lists are sorted.
    @usableFromInline let key: UInt64

    @inlinable public var z: Int { 33 - key.leadingZeroBitCount }
    @inlinable public var x: Int { Int(key >> 30) - 1 << z }
    @inlinable public var y: Int { Int(key & (1 << 30 - 1)) }

    @inlinable init(key: UInt64) { self.key = key }

    private init(z: Int, column: UInt32, row: UInt32) {
        key = (1 << UInt64(z) | UInt64(column)) << 30 | UInt64(row)
    }

    /// The zoom levels that an address can have.
    public static let zooms = 0...30

    /// `nil` if there is no such tile.
    public init?(z: Int, x: Int, y: Int) {
        guard TileCoordinate.zooms.contains(z), (0..<1 << z).contains(x), (0..<1 << z).contains(y) else { return nil }
        self.init(z: z, column: UInt32(x), row: UInt32(y))
    }

    /// The tile at zoom `z` that contains the point. A point on a border belongs to the tile to the east or south.
    public init(containing point: WorldPoint, atZoom z: Int) {
        precondition(TileCoordinate.zooms.contains(z), "no such zoom level")
        self.init(
            z: z, column: UInt32(UInt64(point.x) >> UInt64(32 - z)), row: UInt32(UInt64(point.y) >> UInt64(32 - z)))
    }

    /// Reads "z/x/y" in decimal digits, without signs or leading zeros; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = parts.map { part in Int(part).flatMap { String($0) == part ? $0 : nil } }
        guard let z = numbers[0], let x = numbers[1], let y = numbers[2] else { return nil }
        self.init(z: z, x: x, y: y)
    }

    public func contains(_ point: WorldPoint) -> Bool {
        TileCoordinate(containing: point, atZoom: z) == self
    }
}

/// As "z/x/y".
extension TileCoordinate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let tile = TileCoordinate(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text), expected z/x/y")
        }
        self = tile
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A tile as a node of the quadtree.
extension TileCoordinate {
    /// The tile of a quadtree node at the depth `z`: the inverse of ``node``.
    package init(node: UInt64, atZoom z: Int) {
        precondition(TileCoordinate.zooms.contains(z) && node >> UInt64(2 * z) == 0, "no such node")
        self.init(z: z, column: MortonCode.gather(node), row: MortonCode.gather(node >> 1))
    }

    /// The number of the tile's quadtree node at its zoom, as in ``MortonCode/node(atDepth:)``.
    package var node: UInt64 { MortonCode.spread(UInt32(x)) | MortonCode.spread(UInt32(y)) << 1 }

    /// The Morton codes of all places in the tile.
    package var codes: ClosedRange<UInt64> {
        let first = node << UInt64(64 - 2 * z)
        return first...first | .max >> UInt64(2 * z)
    }

    /// The tile at a zoom that contains this one; `nil` at higher zooms than its own.
    public func ancestor(atZoom zoom: Int) -> TileCoordinate? {
        guard (0...z).contains(zoom) else { return nil }
        return TileCoordinate(z: zoom, x: x >> (z - zoom), y: y >> (z - zoom))
    }
}

extension TileCoordinate: Comparable {
    /// By zoom, then column, then row.
    @inlinable
    public static func < (left: TileCoordinate, right: TileCoordinate) -> Bool {
        left.key < right.key
    }
}

extension TileCoordinate: CustomStringConvertible {
    /// "z/x/y".
    public var description: String { "\(z)/\(x)/\(y)" }
}
