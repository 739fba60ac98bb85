/// Eight bytes of text as one number, the first the lowest, and what can be told of all of them at once.
struct EightBytes {
    let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// How many of them are `byte`.
    @inline(__always)
    func count(of byte: UInt8) -> Int {
        let others = word ^ EightBytes.ones &* UInt64(byte)
        // No byte carries into the next: its highest bit is set where any of the lower ones is.
        let lowBits = EightBytes.ones &* 0x7f
        return (~((others & lowBits) &+ lowBits | others | lowBits)).nonzeroBitCount
    }

    /// The number of eight digits; `nil` where any of them is none.
    ///
    /// Source: [D. Lemire, Quickly parsing eight digits](https://lemire.me/blog/2022/01/21/swar-explained-parsing-eight-digits/).
    @inline(__always)
    var decimal: UInt64? {
        let zeros = EightBytes.ones &* UInt64(UInt8(ascii: "0"))
        let high = EightBytes.ones &* 0xf0
        // A digit's upper half is 3, also after six more are added.
        guard word & high == zeros, (word &+ EightBytes.ones &* 6) & high == zeros else { return nil }
        var digits = word &- zeros
        digits = (digits &* 10 &+ digits >> 8) & 0x00ff_00ff_00ff_00ff
        digits = (digits &* 100 &+ digits >> 16) & 0x0000_ffff_0000_ffff
        return (digits &* 10_000 &+ digits >> 32) & 0xffff_ffff
    }

    /// The first `count` of them, and zeros as digits after them.
    /// - Parameter count: 1 ... 8.
    @inline(__always)
    func digits(_ count: Int) -> EightBytes {
        let others: UInt64 = count == 8 ? 0 : .max << UInt64(count * 8)
        return EightBytes(word: word & ~others | (EightBytes.ones &* UInt64(UInt8(ascii: "0"))) & others)
    }
}
