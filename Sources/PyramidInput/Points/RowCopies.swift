import PyramidStore
import PyramidTiles

/// Copies of spooled rows' bytes, in the order of their places. Rows of a part are read again from here in a few runs; in
/// an input in another order, larger than the memory, each would take a read of its own.
package final class RowCopies {
    /// The rows of a ``RowSpool/Run``.
    private struct Run {
        let bytes: Range<Int>
        /// The number of their input.
        let input: Int
    }

    private let rows: Spool
    private var offsets: ElementSpool<UInt64>
    /// By row: where its copy begins; empty while they are written.
    private var starts = StoredElements<UInt64>()
    private var runs: [Run] = []

    private static let pieceBytes = 1 << 20

    init(in folder: String) throws(OutputError) {
        rows = try Spool(in: folder)
        offsets = ElementSpool(ListMemory(budgetBytes: RowCopies.pieceBytes, folder: folder))
    }

    /// Appends a run.
    /// - Parameters:
    ///   - starts: of the rows in their input, in the order of their places.
    ///   - input: theirs.
    ///   - number: the number of that input.
    package func append(_ starts: some Sequence<UInt64>, of input: ComparableInput, number: Int) throws(OutputError) {
        let first = rows.byteCount
        var buffer = ByteBuffer(capacity: 2 * RowCopies.pieceBytes)
        func flush() throws(OutputError) {
            let result = buffer.withUnsafeBytes { bytes in Result { () throws(OutputError) in try rows.append(bytes) } }
            _ = try result.get()
            buffer.removeAll()
        }
        for start in starts {
            try offsets.append(UInt64(rows.byteCount + buffer.count))
            buffer.append(InputRow(input: input, start: Int(start)).bytes)
            buffer.append(UInt8(ascii: "\n"))
            // No row goes on after a NUL byte, whatever quotes it has.
            buffer.append(0)
            if buffer.count >= RowCopies.pieceBytes { try flush() }
        }
        try flush()
        runs.append(Run(bytes: first..<rows.byteCount, input: number))
    }

    /// Ends the writing.
    package func finish() throws(OutputError) { starts = try offsets.finish() }

    /// Where a row's copy begins.
    package func start(ofRow row: Int) -> UInt64 { starts[row] }

    /// The columns of a table, with the copies instead of its inputs.
    package func table(like table: PointTable) throws(InputError) -> PointTable {
        let all = InputBytes(
            try MappedRegion(descriptor: rows.descriptor, byteCount: rows.byteCount, name: table.inputs.name),
            name: table.inputs.name)
        return table.with(
            InputSequence(runs.map { InputBytes($0.bytes, of: all) }), numbers: runs.map(\.input))
    }
}
