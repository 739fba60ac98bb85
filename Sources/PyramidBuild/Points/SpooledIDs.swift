import PyramidStore
import PyramidTiles

/// The hashes of spooled rows' ids, in runs in the order of the hashes.
struct SpooledIDs {
    private struct Entry: BitwiseCopyable {
        var hash: UInt64
        var row: UInt64
    }

    private let spool: Spool
    private var runs: [Range<Int>] = []
    private var mapped: MappedSpool?

    init(in folder: String) throws(OutputError) { spool = try Spool(in: folder) }

    /// Appends a run of rows.
    /// - Parameter hashes: by row; 0 for a row without an id.
    mutating func append(_ hashes: consuming [UInt64], firstRow: Int, _ work: SharedWork) throws(OutputError) {
        var order = Array(0..<UInt32(hashes.count))
        MortonRadixSort.sort(keys: &hashes, indices: &order, jobs: work.jobs)
        let start = runs.last?.upperBound ?? 0
        let sorted = hashes
        let withID = sorted.indices.drop { sorted[$0] == 0 }
        for piece in (withID.startIndex..<withID.endIndex).split(every: 1 << 15) {
            try spool.append(elements: piece.map { Entry(hash: sorted[$0], row: UInt64(firstRow + Int(order[$0]))) })
        }
        runs.append(start..<start + withID.count)
    }

    mutating func finish() throws(OutputError) {
        mapped = try spool.map(0..<(runs.last?.upperBound ?? 0) * MemoryLayout<Entry>.stride)
    }

    /// Calls `body` with the rows that share a hash, for each such hash in ascending order.
    /// - Parameter limit: about how many ids to keep in memory at a time.
    func forEachShared<Failure>(
        limit: Int, _ body: (_ hash: UInt64, _ rows: [Int]) throws(Failure) -> Void
    ) throws(Failure) {
        guard let entries = mapped?.bytes.assumingMemoryBound(to: Entry.self) else { return }
        let count = runs.reduce(0) { $0 + $1.count }
        // Hashes are spread evenly, so each slice has about the same size.
        let slices = UInt64(count / max(limit, 1) + 1)
        var rest = runs
        for slice in 1...slices {
            let end = slice == slices ? UInt64.max : UInt64.max / slices * slice
            var hashes: [UInt64] = []
            var rows: [UInt64] = []
            for index in rest.indices {
                let range = rest[index].lowerBound..<rest[index].partitioningIndex { entries[$0].hash > end }
                for entry in range {
                    hashes.append(entries[entry].hash)
                    rows.append(entries[entry].row)
                }
                rest[index] = range.upperBound..<rest[index].upperBound
            }
            mapped?.releasePages()
            try IDHashes.forEachShared(hashes) { hash, shared throws(Failure) in
                try body(hash, shared.map { Int(rows[$0]) })
            }
        }
    }
}
