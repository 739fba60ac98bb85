import PyramidTiles

/// The 64-bit hash of a row's bytes, and other facts found in the same pass, eight bytes at a time.
///
/// The hash identifies rows and ids but isn't safe against an adversary; code that needs equality compares the bytes
/// too.
package struct RowDigest {
    package private(set) var hash: UInt64
    private(set) var hasNULByte: Bool
    private(set) var isASCII: Bool

    private static let multiplier: UInt64 = 0x9e37_79b9_7f4a_7c15

    package init(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var state = UInt64(count) &* RowDigest.multiplier ^ 0x5851_f42d_4c95_7f2d
        var zeros: UInt64 = 0
        var seen: UInt64 = 0
        var offset = 0
        while offset + 8 <= count {
            let word = bytes.word(at: offset)
            zeros |= EightBytes(word: word).marks(below: 1)
            seen |= word
            state = RowDigest.fold(state ^ word)
            offset += 8
        }
        if offset < count {
            // The remaining bytes, padded with bytes of 1, as 0 would look like a NUL byte. The state already includes
            // the length.
            var word = EightBytes.ones
            while offset < count {
                word = word << 8 | UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
                offset += 1
            }
            zeros |= EightBytes(word: word).marks(below: 1)
            seen |= word
            state = RowDigest.fold(state ^ word)
        }
        hash = RowDigest.mix64(state)
        hasNULByte = zeros != 0
        isASCII = EightBytes(word: seen).isASCII()
    }

    /// The hash of an id. All spellings of a number share a hash, so equal hashes can belong to different texts.
    /// - Parameter buffer: room for a number.
    @inline(__always)
    package static func hash(ofID bytes: Span<UInt8>, _ range: Range<Int>, _ buffer: inout [UInt8]) -> UInt64 {
        let isOwn = CanonicalNumber.isWritten(bytes, range) || !CanonicalNumber.write(bytes, range, into: &buffer)
        return isOwn ? RowDigest(bytes.extracting(range).bytes).hash : RowDigest(buffer.span.bytes).hash
    }

    package static func hash(ofID text: [UInt8], _ buffer: inout [UInt8]) -> UInt64 {
        hash(ofID: text.span, text.indices, &buffer)
    }

    private static func fold(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0xd1b5_4a32_d192_ed03).multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }

    /// A bijective finalizer: every bit of the input affects every bit of the output.
    ///
    /// Source: [SplitMix64](https://prng.di.unimi.it/splitmix64.c).
    private static func mix64(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}

/// How many rows were read in each cell (``RowSelection/digestNode(of:)``), and the sum of their hashes. Two readings of
/// the same rows have the same sums.
package struct CellDigests: Equatable, Sendable {
    package struct Total: Equatable, Sendable {
        package var rowCount: Int
        /// The sum of the rows' hashes.
        package var digest: UInt64

        package init(rowCount: Int = 0, digest: UInt64 = 0) { (self.rowCount, self.digest) = (rowCount, digest) }

        static func += (left: inout Total, right: Total) {
            left.rowCount += right.rowCount
            left.digest &+= right.digest
        }
    }

    /// By ``TileCoordinate/node``.
    package private(set) var cells: [UInt64: Total] = [:]

    package mutating func add(_ digest: RowDigest, toNode node: UInt64) {
        cells[node, default: Total()] += Total(rowCount: 1, digest: digest.hash)
    }

    package mutating func append(_ next: CellDigests) {
        for (node, total) in next.cells { cells[node, default: Total()] += total }
    }
}
