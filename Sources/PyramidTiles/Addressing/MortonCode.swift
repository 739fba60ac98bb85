/// The position of a world point on the Z-order curve: 64 bits, those of x in the even and those of y in the odd
/// places, counted from the lowest.
///
/// The upper `2 * depth` bits are the quadtree node at that depth, so in the order of codes the points of every node
/// are contiguous.
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

    /// The id of a cluster whose anchor has this code: a leading 1 and the upper 52 bits, the quadtree cell at depth 26.
    ///
    /// It has 53 bits, which a JSON number holds exactly, and sixteen digits, more than any number in an id column.
    @inlinable
    public var clusterID: UInt64 { 1 << 52 | rawValue >> 12 }

    /// The id of a cluster of points at one place that is part of another cluster at the last clustered zoom, whose id may be
    /// ``clusterID``: a leading 1 and 52 bits of the ``mixed`` complement, so that it is shared with others only by
    /// chance, even within a cell at depth 26. The complement, because 0, the north western corner of the map, is mixed
    /// to 0; no longitude has the code that is mixed to 0 here.
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
    /// The code's bits mixed, a different value for each code: an order of places that is unrelated to where they are,
    /// and the same everywhere.
    @inlinable
    public var mixed: UInt64 { StableHash.mixed(rawValue) }
}

/// What distinguishes the clusters of one group of points from those of another at the same place.
public enum ClusterGroup {
    /// The 52 bits that ``MortonCode/clusterID`` is XORed with: 0 for the empty value, so that a tileset without groups
    /// has plain ids.
    ///
    /// Two groups never share an id at the same place. At different places they share one only by chance: among the n
    /// clusters of a zoom with a probability of about n² / 2⁵³.
    /// - Parameter value: the bytes of the value that the group's points share.
    public static func idMask(of value: [UInt8]) -> UInt64 {
        value.isEmpty ? 0 : value.withUnsafeBytes { StableHash.hash($0) } >> 12
    }
}
