/// A marker in 32 bits: a point by its number, or a cluster by its entry in the ``ClusterTable``.
///
/// Equal numbers at two zooms mean the same marker, with the same content.
struct MarkerNumber: Hashable, Sendable, BitwiseCopyable {
    private let rawValue: UInt32
    private static let clusterBit: UInt32 = 1 << 31

    /// - Parameter point: below 2³¹, as all points are (``InputLimits/points``).
    static func point(_ point: Int) -> MarkerNumber { MarkerNumber(rawValue: UInt32(point)) }
    static func cluster(_ entry: Int) -> MarkerNumber { MarkerNumber(rawValue: UInt32(entry) | clusterBit) }

    var isCluster: Bool { rawValue & MarkerNumber.clusterBit != 0 }
    /// The point's number, or the cluster's entry.
    var index: Int { Int(rawValue & ~MarkerNumber.clusterBit) }
}
