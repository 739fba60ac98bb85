extension RawSpan {
    /// Eight bytes as one number, the first the lowest. The span checks the bounds; any eight bytes are a number.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

/// Eight bytes of text as one number, the first the lowest, and what can be told of all of them at once.
@usableFromInline
package struct EightBytes {
    @usableFromInline package let word: UInt64

    /// Computed, so that other modules know the value.
    @inlinable package static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable package static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static let zeroDigits: UInt64 = 0x3030_3030_3030_3030

    @inlinable @inline(__always)
    package init(word: UInt64) { self.word = word }

    /// Marks bytes below a limit, at most 0x80, by their highest bit. Bytes after a marked one may be marked wrongly; the
    /// first mark never is.
    @inlinable @inline(__always)
    package func marks(below limit: UInt8) -> UInt64 {
        (word &- EightBytes.ones &* UInt64(limit)) & ~word & EightBytes.highBits
    }

    /// Marks bytes that are `byte`, under the same conditions.
    @inlinable @inline(__always)
    package func marks(of byte: UInt8) -> UInt64 {
        EightBytes(word: word ^ EightBytes.ones &* UInt64(byte)).marks(below: 1)
    }

    /// Whether the first `count` bytes, at least one, are ASCII.
    @inlinable @inline(__always)
    package func isASCII(among count: Int = 8) -> Bool {
        word & EightBytes.highBits >> UInt64(64 - count * 8) == 0
    }

    /// How many of the bytes are `byte`.
    @inline(__always)
    package func count(of byte: UInt8) -> Int {
        let others = word ^ EightBytes.ones &* UInt64(byte)
        // No byte carries into the next: its highest bit is set if any of the lower ones is.
        let lowBits = EightBytes.ones &* 0x7f
        return (~((others & lowBits) &+ lowBits | others | lowBits)).nonzeroBitCount
    }

    /// A mark, the highest bit, on each of the first `count` bytes that is no digit.
    /// - Parameter count: 1 ... 8.
    @inline(__always)
    func nonDigits(among count: Int) -> UInt64 {
        let values = word ^ EightBytes.zeroDigits
        let lowBits = EightBytes.ones &* 0x7f
        // From 10 on, the highest bit is reached.
        let marks = ((values & lowBits) &+ EightBytes.ones &* 0x76 | values) & ~lowBits
        return marks & UInt64.max >> UInt64(64 - count * 8)
    }

    /// The number that the first `count` bytes, which are digits, make.
    ///
    /// Source: [D. Lemire, Quickly parsing eight digits](https://lemire.me/blog/2022/01/21/swar-explained-parsing-eight-digits/).
    /// - Parameter count: 1 ... 8.
    @inline(__always)
    package func number(ofDigits count: Int) -> Int {
        // Leading zeros take the place of the bytes behind the digits.
        var digits = (word &- EightBytes.zeroDigits) << UInt64(64 - count * 8)
        digits = (digits &* 10 &+ digits >> 8) & 0x00ff_00ff_00ff_00ff
        digits = (digits &* 100 &+ digits >> 16) & 0x0000_ffff_0000_ffff
        return Int(truncatingIfNeeded: (digits &* 10_000 &+ digits >> 32) & 0xffff_ffff)
    }
}
