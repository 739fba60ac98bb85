/// The position of a world point on the Z-order curve, in 64 bits: the bits 0, 2, 4, ... are those of x, and the bits
/// 1, 3, 5, ... those of y.
///
/// The upper `2 * depth` bits are the number of the quadtree node at that depth, so the points of a node are contiguous
/// when sorted by code.
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
    /// It has 53 bits, which a JSON number holds exactly, and 16 digits, more than the numbers in most id columns.
    @inlinable
    public var clusterID: UInt64 { 1 << 52 | rawValue >> 12 }

    /// The id of coincident points that belong to a larger cluster at the highest clustered zoom.
    ///
    /// That cluster may have the ``clusterID`` of this place, so this id is built differently: a leading 1 and 52 bits
    /// of the ``mixed`` complement. It equals other ids only by chance, even within a cell at depth 26. The complement
    /// is mixed because 0, the map's north-western corner, mixes to 0. The code whose complement is 0 belongs to no
    /// longitude.
    public var placeID: UInt64 { 1 << 52 | MortonCode(rawValue: ~rawValue).mixed >> 12 }

    @inlinable
    public static func < (left: MortonCode, right: MortonCode) -> Bool { left.rawValue < right.rawValue }

    /// Spreads the bits of `value` over the even bits.
    @inlinable
    package static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Collects the even bits: the inverse of ``spread(_:)``.
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
    /// The code with its bits mixed, different for each code. It orders places independently of where they are, and in
    /// the same way on every machine.
    @inlinable
    public var mixed: UInt64 { StableHash.mixed(rawValue) }
}

/// Keeps the ids of different groups' clusters at one place apart.
public enum ClusterGroup {
    /// The 52 bits that are XORed with ``MortonCode/clusterID``. They are 0 for the empty value, so ids stay plain in a
    /// tileset without groups.
    ///
    /// At one place, different groups have different ids, unless 52 bits of their hashes are equal. At different places
    /// they share an id only by chance: with n clusters at a zoom, the probability is about n² / 2⁵³.
    /// - Parameter value: the bytes of the group's value.
    public static func idMask(of value: [UInt8]) -> UInt64 {
        value.isEmpty ? 0 : value.withUnsafeBytes { StableHash.hash($0) } >> 12
    }
}
