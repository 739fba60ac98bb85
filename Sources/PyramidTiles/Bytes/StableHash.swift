/// A hash that is the same on every machine and in every version, for stored values.
@usableFromInline
package enum StableHash {
    /// FNV-1a with its bits mixed. The result is 0 only by chance.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return mixed(hash)
    }

    /// Mixes a value's bits: each affects every bit of the result, and different values have different results.
    ///
    /// Source: the finaliser of MurmurHash3, [fmix64](https://github.com/aappleby/smhasher).
    @inlinable
    package static func mixed(_ value: UInt64) -> UInt64 {
        var hash = value
        hash ^= hash >> 33
        hash = hash &* 0xff51_afd7_ed55_8ccd
        hash ^= hash >> 33
        hash = hash &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ hash >> 33
    }
}
