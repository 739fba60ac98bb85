/// A hash that is the same on every machine and in every version, for values that are stored.
package enum StableHash {
    /// FNV-1a with its bits mixed; 0 only by chance.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return MortonCode(rawValue: hash).mixed
    }
}
