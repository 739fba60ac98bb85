/// Some neighbouring bits of 64-bit keys: the number of the bucket that a key belongs to.
struct SortDigit: Sendable {
    private let shift: UInt64
    private let mask: UInt64

    /// The highest `bitCount` bits in which keys differ and those below.
    /// - Parameter differing: the bits in which any two of the keys differ, at least one.
    init(ofDiffering differing: UInt64, bitCount: Int) {
        shift = UInt64(max(64 - differing.leadingZeroBitCount - bitCount, 0))
        mask = 1 << UInt64(bitCount) - 1
    }

    var bucketCount: Int { Int(mask) + 1 }

    @inline(__always)
    func bucket(of key: UInt64) -> Int { Int(truncatingIfNeeded: key >> shift & mask) }
}
