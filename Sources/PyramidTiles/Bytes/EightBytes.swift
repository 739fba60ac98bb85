extension RawSpan {
    /// Eight bytes as a number, the first byte lowest. The bounds are checked; any eight bytes are valid.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

/// Eight bytes of text as a number, the first byte lowest, and tests of all eight at once.
@usableFromInline
package struct EightBytes {
    @usableFromInline package let word: UInt64

    /// Computed, so that the optimizer knows the value in other modules.
    @inlinable package static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable package static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static let zeroDigits: UInt64 = 0x3030_3030_3030_3030

    @inlinable @inline(__always)
    package init(word: UInt64) { self.word = word }

    /// Marks bytes less than a limit, at most 0x80, by their highest bit. The first mark is always right; later ones
    /// may be wrong.
    @inlinable @inline(__always)
    package func marks(below limit: UInt8) -> UInt64 {
        (word &- EightBytes.ones &* UInt64(limit)) & ~word & EightBytes.highBits
    }

    /// Marks bytes equal to `byte`. The first mark is always right; later ones may be wrong.
    @inlinable @inline(__always)
    package func marks(of byte: UInt8) -> UInt64 {
        EightBytes(word: word ^ EightBytes.ones &* UInt64(byte)).marks(below: 1)
    }

    /// Whether the first `count` bytes are ASCII.
    /// - Parameter count: 1 ... 8.
    @inlinable @inline(__always)
    package func isASCII(among count: Int = 8) -> Bool {
        word & EightBytes.highBits >> UInt64(64 - count * 8) == 0
    }

    /// The number of bytes equal to `byte`.
    @inline(__always)
    package func count(of byte: UInt8) -> Int {
        let others = word ^ EightBytes.ones &* UInt64(byte)
        // No carry reaches the next byte: the highest bit is set if any of the lower ones is.
        let lowBits = EightBytes.ones &* 0x7f
        return (~((others & lowBits) &+ lowBits | others | lowBits)).nonzeroBitCount
    }

    /// Marks each of the first `count` bytes that is not a digit, by its highest bit.
    /// - Parameter count: 1 ... 8.
    @inline(__always)
    func nonDigits(among count: Int) -> UInt64 {
        let values = word ^ EightBytes.zeroDigits
        let lowBits = EightBytes.ones &* 0x7f
        // Adding 0x76 sets the highest bit for values from 10 on.
        let marks = ((values & lowBits) &+ EightBytes.ones &* 0x76 | values) & ~lowBits
        return marks & UInt64.max >> UInt64(64 - count * 8)
    }

    /// The value of the first `count` bytes, which must be digits.
    ///
    /// Source: [D. Lemire, Eight digits](https://lemire.me/blog/2022/01/21/swar-explained-parsing-eight-digits/).
    /// - Parameter count: 1 ... 8.
    @inline(__always)
    package func number(ofDigits count: Int) -> Int {
        // Moves the digits to the end, with zeros in front of them.
        var digits = (word &- EightBytes.zeroDigits) << UInt64(64 - count * 8)
        digits = (digits &* 10 &+ digits >> 8) & 0x00ff_00ff_00ff_00ff
        digits = (digits &* 100 &+ digits >> 16) & 0x0000_ffff_0000_ffff
        return Int(truncatingIfNeeded: (digits &* 10_000 &+ digits >> 32) & 0xffff_ffff)
    }
}
