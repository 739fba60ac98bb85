/// The rows read from an input or a chunk of it: the accepted ones, and a log of bad rows.
struct ReadRows: Sendable {
    var accepted = AcceptedRows()
    var log = BadRowLog()
    /// The number of accepted rows that lie in the halo of a part, which another part counts.
    var haloCount = 0
    /// The number of rows that are neither accepted nor in the log: rows outside this part, and rows read only for
    /// their columns.
    var ignoredCount = 0
    /// The accepted rows that a ``RowStore`` has taken.
    private(set) var stored = RowTally()

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

    /// Reserves room for the rows of the whole input, estimated from the mean length of the rows read so far.
    /// - Parameter limit: the most rows that are kept.
    mutating func reserveRoom(inputBytes: Int, bytesRead: Int, limit: Int = InputLimits.points) {
        let rowBytes = max(bytesRead / max(count, 1), 1)
        // A twentieth more than estimated; untouched room costs no memory.
        accepted.reserveRoom(min(inputBytes / rowBytes / 20 * 21, limit))
    }
}

/// The coordinates of an input's accepted rows, in its order, and hashes of their ids.
struct AcceptedRows: Sendable {
    private(set) var longitudes: [Int32] = []
    private(set) var latitudes: [Int32] = []
    /// The offset of each row in the input, in bytes.
    private(set) var starts: [UInt64] = []
    /// By row; 0 for a row without an id. Empty until a row has an id.
    private(set) var idHashes: [UInt64] = []

    var count: Int { starts.count }

    /// - Parameters:
    ///   - longitude: microdegrees in -180,000,000 ... 180,000,000.
    ///   - idHash: a hash of the id's text; `nil` if there is no id.
    @inline(__always)
    mutating func append(start: Int, longitude: Int32, latitude: Int32, idHash: UInt64?) {
        if idHash != nil || !idHashes.isEmpty {
            while idHashes.count < count { idHashes.append(0) }
            idHashes.append(idHash.map { max($0, 1) } ?? 0)
        }
        longitudes.append(longitude == 180_000_000 ? -180_000_000 : longitude)
        latitudes.append(latitude)
        starts.append(UInt64(start))
    }

    /// Reserves room for about this many rows; untouched room costs no memory.
    fileprivate mutating func reserveRoom(_ count: Int) {
        longitudes.reserveCapacity(count)
        latitudes.reserveCapacity(count)
        starts.reserveCapacity(count)
        if !idHashes.isEmpty { idHashes.reserveCapacity(count) }
    }

    init() {}

    /// Rows without ids.
    init(longitudes: [Int32], latitudes: [Int32], starts: [UInt64]) {
        (self.longitudes, self.latitudes, self.starts) = (longitudes, latitudes, starts)
    }

    /// Appends a row that was accepted before, without its id.
    mutating func append(longitude: Int32, latitude: Int32, start: UInt64) {
        longitudes.append(longitude)
        latitudes.append(latitude)
        starts.append(start)
    }

    /// Removes rows by their numbers, which are ascending.
    mutating func remove(_ dropped: [Int]) {
        var kept = 0
        var next = 0
        for row in starts.indices {
            if next < dropped.count, dropped[next] == row {
                next += 1
                continue
            }
            longitudes[kept] = longitudes[row]
            latitudes[kept] = latitudes[row]
            starts[kept] = starts[row]
            kept += 1
        }
        longitudes.removeLast(dropped.count)
        latitudes.removeLast(dropped.count)
        starts.removeLast(dropped.count)
        idHashes = []
    }

    /// Appends the next rows of the same input (`base` 0) or the rows of another one; `base` is the offset of that
    /// input's bytes among all inputs laid end to end.
    mutating func append(_ other: consuming AcceptedRows, base: Int) {
        guard starts.capacity > 0 || base > 0 else {
            self = other
            return
        }
        if !other.idHashes.isEmpty || !idHashes.isEmpty {
            idHashes.append(contentsOf: repeatElement(0, count: count - idHashes.count))
            idHashes += other.idHashes
            idHashes.append(contentsOf: repeatElement(0, count: count + other.count - idHashes.count))
        }
        longitudes += other.longitudes
        latitudes += other.latitudes
        if base == 0 { starts += other.starts } else { starts += other.starts.lazy.map { $0 + UInt64(base) } }
    }
}

extension ReadRows {
    /// - Throws: ``InputError`` if there are more points than can be numbered.
    func requireNumberable(in source: String) throws(InputError) { try RowTally.require(acceptedCount, in: source) }
}
