extension MortonCode {
    /// The code's bits mixed, a different value for each code: an order of places that is unrelated to where they are,
    /// and the same everywhere.
    ///
    /// Source: the finaliser of MurmurHash3, [fmix64](https://github.com/aappleby/smhasher).
    @inlinable
    public var mixed: UInt64 {
        var hash = rawValue
        hash ^= hash >> 33
        hash = hash &* 0xff51_afd7_ed55_8ccd
        hash ^= hash >> 33
        hash = hash &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ hash >> 33
    }
}
