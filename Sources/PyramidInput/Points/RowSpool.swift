import PyramidStore
import PyramidTiles

/// Accepted rows on disk, for inputs that are too large for memory: 16 bytes a row, and 16 more with ids.
///
/// Each run of rows is in the order of its Morton codes, so the rows of any tile are a few contiguous ranges.
package final class RowSpool: RowStore {
    package struct Row: BitwiseCopyable {
        package var longitude, latitude: Int32
        /// As in ``PointTable/rowStarts``.
        package var start: UInt64

        package init(longitude: Int32, latitude: Int32, start: UInt64) {
            self.longitude = longitude
            self.latitude = latitude
            self.start = start
        }

        package var code: UInt64 {
            MortonCode(
                WebMercator.project(
                    Coordinate(longitudeMicrodegrees: longitude, latitudeMicrodegrees: latitude))
            ).rawValue
        }
    }

    /// Rows that were taken together, all of one input.
    package struct Run {
        /// The numbers of the rows.
        package let rows: Range<Int>
        /// The start of the first one in the input.
        let firstStart: UInt64
    }

    /// The input of the next rows. `nil` if their starts are those of ``PointTable/rowStarts``; then they aren't copied.
    package var input: (rows: ComparableInput, number: Int, base: Int)?
    package private(set) var runs: [Run] = []
    /// The rows that have ids.
    package var ids: RunSorter<HashedRow>
    /// `nil` if rows are read again from the inputs.
    package private(set) var copies: RowCopies?
    private let options: SpoolOptions
    private let inputs: InputSequence
    private let work: SharedWork
    private var spooled: ElementSpool<Row>
    /// All rows; empty while they are spooled.
    private var rows = StoredElements<Row>()
    /// By row: whether it is a duplicate; empty if none is.
    package private(set) var dropped = BitSet()
    /// The number of rows in each tile of ``countedZoom``; empty without rows.
    package private(set) var counts: [UInt32] = []

    package static let countedZoom = 10
    /// How many rows are written at a time.
    private static let rowsPerPiece = 1 << 15

    /// Makes files once there are rows.
    /// - Parameter inputs: have the rows.
    package init(_ options: SpoolOptions, of inputs: InputSequence, jobs: Int) {
        (self.options, self.inputs) = (options, inputs)
        (spooled, ids) = (ElementSpool(options.memory), RunSorter(options.memory))
        work = SharedWork(jobs: jobs)
    }

    package var rowLimit: Int { max(options.rowLimit, 1) }

    /// The number of rows that were taken.
    package var count: Int { spooled.count }

    /// Appends a run of rows of the current ``input``.
    package func take(_ rows: consuming AcceptedRows) throws(InputError) {
        guard rows.count > 0 else { return }
        let (first, base) = (count, UInt64(input?.base ?? 0))
        do throws(OutputError) {
            try ids.append(rows, base: base)
            if runs.isEmpty, input != nil, options.copiesRows(inputs.byteCount) {
                copies = try RowCopies(in: options.memory.folder)
            }
        } catch { throw InputError(spooling: inputs.name, error) }
        let (longitudes, latitudes, starts) = (rows.longitudes, rows.latitudes, rows.starts)
        rows = AcceptedRows()
        func row(_ index: Int) -> Row {
            Row(longitude: longitudes[index], latitude: latitudes[index], start: starts[index] + base)
        }
        var order = Array(0..<UInt32(starts.count))
        do {
            var codes = work.elements(count: starts.count) { chunk, codes in
                for index in chunk {
                    codes[index] =
                        Row(longitude: longitudes[index], latitude: latitudes[index], start: 0).code
                }
            }
            MortonRadixSort.sort(keys: &codes, indices: &order, jobs: work.jobs)
            if runs.isEmpty { counts = [UInt32](repeating: 0, count: 1 << (2 * RowSpool.countedZoom)) }
            for code in codes { counts[Int(MortonCode(rawValue: code).node(atDepth: RowSpool.countedZoom))] += 1 }
        }
        do throws(OutputError) {
            for piece in order.indices.split(every: RowSpool.rowsPerPiece) {
                try spooled.write(order[piece].map { row(Int($0)) })
            }
            if let copies, let input {
                try copies.append(order.lazy.map { starts[Int($0)] }, of: input.rows, number: input.number)
            }
        } catch { throw InputError(spooling: inputs.name, error) }
        runs.append(Run(rows: first..<first + starts.count, firstStart: (starts.first ?? 0) + base))
    }

    /// Ends the writing.
    package func finish() throws(InputError) {
        do throws(OutputError) {
            rows = try spooled.finish()
            try copies?.finish()
        } catch { throw InputError(spooling: inputs.name, error) }
    }

    package subscript(row: Int) -> Row { rows[row] }

    /// Rows by their numbers, without ids.
    package func rows(_ numbers: Range<Int>) -> AcceptedRows {
        var found = AcceptedRows()
        for row in numbers {
            found.append(start: Int(rows[row].start), longitude: rows[row].longitude, latitude: rows[row].latitude)
        }
        return found
    }

    /// Frees the memory of pages read so far.
    package func releasePages() { rows.releasePages() }

    /// Leaves out a row from now on.
    func drop(_ row: Int) {
        dropped.insert(row, of: count)
        counts[Int(MortonCode(rawValue: rows[row].code).node(atDepth: RowSpool.countedZoom))] -= 1
    }

    package func isDropped(_ row: Int) -> Bool { dropped.contains(row) }

    /// Calls `body` with rows in the order of the inputs, at most about ``rowLimit`` at a time.
    package func forEachRun<Failure>(_ body: (_ rows: [(row: Int, start: UInt64)]) throws(Failure) -> Void)
        throws(Failure)
    {
        for run in runs.sorted(by: { $0.firstStart < $1.firstStart }) {
            var starts = run.rows.map { rows[$0].start }
            var order = Array(0..<UInt32(starts.count))
            MortonRadixSort.sort(keys: &starts, indices: &order, jobs: work.jobs)
            releasePages()
            try body(zip(order, starts).map { (run.rows.lowerBound + Int($0), $1) })
        }
    }
}

/// A row with an id, in 16 bytes.
package struct HashedRow: SortableElement {
    /// Of the id.
    package let hash: UInt64
    /// As in ``PointTable/rowStarts``, or where else the id is found.
    package let start: UInt64

    package init(hash: UInt64, start: UInt64) { (self.hash, self.start) = (hash, start) }

    package var sortKey: UInt64 { hash }
}

extension RunSorter<HashedRow> {
    /// Appends the rows that have ids.
    /// - Parameter base: the offset of their input's bytes among all inputs laid end to end.
    package mutating func append(_ rows: AcceptedRows, base: UInt64) throws(OutputError) {
        for (hash, start) in zip(rows.idHashes, rows.starts) where hash != 0 {
            try append(HashedRow(hash: hash, start: start + base))
        }
    }
}

/// When and where rows go to temporary files.
package struct SpoolOptions {
    /// From this number on, rows go to a temporary file.
    package var rowLimit: Int
    /// For ids; its folder is for rows, too.
    package var memory: ListMemory
    /// Whether rows of an input of this size are copied, because the system can't keep the whole input in memory.
    package var copiesRows: (_ byteCount: Int) -> Bool

    package init(rowLimit: Int, memory: ListMemory, copiesRows: @escaping (_ byteCount: Int) -> Bool) {
        self.rowLimit = rowLimit
        self.memory = memory
        self.copiesRows = copiesRows
    }
}

extension InputError {
    /// A failure of a temporary file for an input's rows.
    package init(spooling name: String, _ error: OutputError) {
        self.init(.unreadable, in: name, "needs a temporary file, but \(error)")
    }
}

/// A set of small numbers, one bit each.
package struct BitSet {
    private var words: [UInt64] = []

    package var isEmpty: Bool { words.isEmpty }

    /// - Parameter count: all numbers are less than this.
    mutating func insert(_ number: Int, of count: Int) {
        if words.isEmpty { words = [UInt64](repeating: 0, count: count / 64 + 1) }
        words[number / 64] |= 1 << UInt64(number % 64)
    }

    package func contains(_ number: Int) -> Bool {
        !words.isEmpty && words[number / 64] >> UInt64(number % 64) & 1 != 0
    }
}
