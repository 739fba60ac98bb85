/// The position of a world point on the Z-order curve: 64 bits, where the bits of x are the even ones and the bits of y
/// the odd ones, counted from the lowest.
///
/// The upper `2 * depth` bits are the quadtree node at that depth, so the points of every node are contiguous in the
/// order of codes.
public struct MortonCode: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    @inlinable
    public init(_ point: WorldPoint) {
        rawValue = MortonCode.spread(point.x) | MortonCode.spread(point.y) << 1
    }

    @inlinable
    public var point: WorldPoint {
        WorldPoint(x: MortonCode.gather(rawValue), y: MortonCode.gather(rawValue >> 1))
    }

    /// The number of the quadtree node at `depth` (0 ... 32) that holds the point: the upper `2 * depth` bits.
    @inlinable
    public func node(atDepth depth: Int) -> UInt64 {
        depth == 0 ? 0 : rawValue >> UInt64(64 - 2 * depth)
    }

    /// The id of a cluster with this anchor: a leading 1 and the upper 52 bits, the quadtree cell at depth 26.
    ///
    /// It has 53 bits, which a JSON number holds exactly, and 16 digits, more than any number in an id column.
    @inlinable
    public var clusterID: UInt64 { 1 << 52 | rawValue >> 12 }

    /// The id of coincident points that are part of another cluster at the highest clustered zoom. That cluster may
    /// have the ``clusterID`` of this place, so this id is different: a leading 1 and 52 bits of the ``mixed``
    /// complement, equal to other ids only by chance, even within a cell at depth 26. The complement, because 0, the
    /// map's north-western corner, is mixed to 0; no longitude has the code that is mixed to 0 here.
    public var placeID: UInt64 { 1 << 52 | MortonCode(rawValue: ~rawValue).mixed >> 12 }

    @inlinable
    public static func < (left: MortonCode, right: MortonCode) -> Bool { left.rawValue < right.rawValue }

    /// Spreads the bits of `value` over the even places.
    @inlinable
    package static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Collects the bits in the even places: the inverse of ``spread(_:)``.
    @inlinable
    package static func gather(_ value: UInt64) -> UInt32 {
        var bits = value & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}

extension MortonCode {
    /// The code's bits mixed, a different value for each code: an order of places that is unrelated to their positions
    /// and the same on every machine.
    @inlinable
    public var mixed: UInt64 { StableHash.mixed(rawValue) }
}

/// Makes the cluster ids of groups different at the same place.
public enum ClusterGroup {
    /// The 52 bits that ``MortonCode/clusterID`` is XORed with: 0 for the empty value, so a tileset without groups has
    /// plain ids.
    ///
    /// Two groups never share an id at the same place. At different places they share an id only by chance: for the n
    /// clusters of a zoom, the probability is about n² / 2⁵³.
    /// - Parameter value: the bytes of the group's value.
    public static func idMask(of value: [UInt8]) -> UInt64 {
        value.isEmpty ? 0 : value.withUnsafeBytes { StableHash.hash($0) } >> 12
    }
}
