import PyramidTiles

/// Several inputs thought of as one after the other, so that one number says where a row begins.
struct InputSequence: Sendable {
    let inputs: [InputBytes]
    /// Where the bytes of each input begin.
    let bases: [Int]
    let byteCount: Int

    init(_ inputs: [InputBytes]) {
        self.inputs = inputs
        var bases: [Int] = []
        var base = 0
        for input in inputs {
            bases.append(base)
            base += input.bytes.count
        }
        self.bases = bases
        byteCount = base
    }

    /// The input that holds a byte, and its offset there. O(log n) for n inputs.
    @inline(__always)
    func position(of offset: UInt64) -> (input: Int, offset: Int) {
        InputSequence.position(of: offset, bases: bases.span)
    }

    @inline(__always)
    static func position(of offset: UInt64, bases: Span<Int>) -> (input: Int, offset: Int) {
        let offset = Int(offset)
        guard bases.count > 1 else { return (0, offset) }
        let input = (0..<bases.count).partitioningIndex { bases[$0] > offset } - 1
        return (input, offset - bases[input])
    }

    /// For messages about all of them.
    var name: String {
        inputs.count == 1 ? inputs[0].name : "\(inputs.count) inputs"
    }
}
