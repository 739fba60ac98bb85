import PyramidTiles

/// All inputs laid end to end, so that a single offset identifies a row.
package struct InputSequence: Sendable {
    package let inputs: [InputBytes]
    /// The inputs' bytes, to avoid reference counting for every row. Valid as long as this value.
    nonisolated(unsafe) private let buffers: [UnsafeRawBufferPointer]
    /// The offset at which each input begins.
    package let bases: [Int]
    package let byteCount: Int

    package init(_ inputs: [InputBytes]) {
        self.inputs = inputs
        buffers = inputs.map(\.bytes)
        var bases: [Int] = []
        var base = 0
        for input in inputs {
            bases.append(base)
            base += input.bytes.count
        }
        self.bases = bases
        byteCount = base
    }

    package func bytes(ofInput input: Int) -> UnsafeRawBufferPointer { buffers[input] }

    /// The input that contains a byte, and the offset within it. O(log n) for n inputs.
    @inline(__always)
    package func position(of offset: UInt64) -> (input: Int, offset: Int) {
        InputSequence.position(of: offset, bases: bases.span)
    }

    @inline(__always)
    package static func position(of offset: UInt64, bases: Span<Int>) -> (input: Int, offset: Int) {
        let offset = Int(offset)
        guard bases.count > 1 else { return (0, offset) }
        let input = (0..<bases.count).partitioningIndex { bases[$0] > offset } - 1
        return (input, offset - bases[input])
    }

    /// A name for all inputs together, for messages.
    package var name: String {
        inputs.count == 1 ? inputs[0].name : "\(inputs.count) inputs"
    }
}
