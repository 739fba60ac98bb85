/// Several inputs thought of as one after the other, so that one number says where a record begins.
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

    /// The input that holds a byte, and its place there. O(log n) for n inputs.
    @inline(__always)
    func place(of offset: UInt64) -> (input: Int, offset: Int) { InputSequence.place(of: offset, bases: bases.span) }

    @inline(__always)
    static func place(of offset: UInt64, bases: Span<Int>) -> (input: Int, offset: Int) {
        let offset = Int(offset)
        guard bases.count > 1 else { return (0, offset) }
        var (low, high) = (0, bases.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if bases[middle] <= offset { low = middle } else { high = middle }
        }
        return (low, offset - bases[low])
    }

    /// For messages about all of them.
    var name: String {
        inputs.count == 1 ? inputs[0].name : "\(inputs.count) inputs"
    }
}
