/// The rows read from an input or a chunk of it: the accepted ones, and a log of bad rows.
struct ReadRows: Sendable {
    var accepted = AcceptedRows()
    var log = BadRowLog()
    /// What is odd about rows that were accepted when they were read.
    var remarks = RowRemarks()
    /// The starts of CSV rows with fewer or more cells than the header, until it is known whether their coordinates are
    /// certain.
    var ragged: [Int] = []
    /// Whether some accepted features have a property name twice.
    var hasRepeatedNames = false
    /// The number of accepted rows that lie in the halo of a part, which another part counts.
    var haloCount = 0
    /// The number of rows that are neither accepted nor in the log: rows outside this part, and rows read only for
    /// their columns.
    var ignoredCount = 0
    /// The accepted rows that a ``RowStore`` has taken.
    private(set) var stored = RowTally()
    private var hasRoom = false

    /// The number of accepted rows, here and on disk.
    var acceptedCount: Int { accepted.count + stored.count }

    /// The number of rows that are accepted or in the log.
    var count: Int { acceptedCount + log.count }

    /// The number of all rows, also the ignored ones.
    var seenCount: Int { count + ignoredCount }

    /// Appends the rows that come next in the same input.
    /// - Parameter ordinal: the number of the last feature before them in its collection.
    mutating func append(_ next: ReadRows, after ordinal: Int = 0) {
        accepted.append(next.accepted, base: 0)
        log.append(next.log, after: ordinal)
        remarks.append(next.remarks)
        ragged += next.ragged
        hasRepeatedNames = hasRepeatedNames || next.hasRepeatedNames
        haloCount += next.haloCount
        ignoredCount += next.ignoredCount
    }

    /// Moves the rows to the store if they are too many to keep.
    mutating func move(to store: (any RowStore)?) throws(InputError) {
        guard let store, accepted.count >= store.rowLimit else { return }
        try moveAll(to: store)
    }

    /// Moves the rows to the store.
    mutating func moveAll(to store: any RowStore) throws(InputError) {
        stored.add(RowTally(of: accepted))
        var rows = AcceptedRows()
        swap(&rows, &accepted)
        try store.take(rows)
    }

    /// Takes away rows that were found to be duplicates.
    mutating func remove(_ duplicates: RowTally) { stored.remove(duplicates) }

    /// Reserves room for the rows of the whole input, once: estimated from the mean length of the rows read so far.
    /// - Parameter limit: the most rows that are kept; `nil` for all.
    mutating func reserveRoom(inputBytes: Int, bytesRead: Int, limit: Int?) {
        guard !hasRoom, count > 0 else { return }
        hasRoom = true
        let rowBytes = max(bytesRead / count, 1)
        // A twentieth more than estimated; untouched room costs no memory.
        accepted.reserveRoom(min(inputBytes / rowBytes / 20 * 21, limit ?? InputLimits.points))
    }
}
