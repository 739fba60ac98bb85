extension RawSpan {
    /// Eight bytes as one number, the first the lowest. The span checks the bounds; any eight bytes are a number.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }
}
