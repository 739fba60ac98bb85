/// A hash that is the same on every machine and in every version, for what is written down.
package enum StableHash {
    /// FNV-1a with its bits stirred; 0 only by chance.
    package static func hash(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return MortonCode(rawValue: hash).mixed
    }
}
