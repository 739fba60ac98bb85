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

/// A hash that is the same on every machine and in every version, for values that are stored.
package enum StableHash {
    /// FNV-1a with its bits mixed; 0 only by chance.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return MortonCode(rawValue: hash).mixed
    }
}
