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
