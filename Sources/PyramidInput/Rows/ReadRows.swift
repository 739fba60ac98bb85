import PyramidTiles

/// The rows read from an input or a chunk of it: the accepted ones, and a log of bad rows.
package struct ReadRows: Sendable {
    var accepted = AcceptedRows()
    package var log = BadRowLog()
    /// What is odd about rows that were accepted when they were read.
    var remarks = RowRemarks()
    /// The starts of CSV rows with fewer or more cells than the header, until it is known whether their coordinates are
    /// certain.
    var ragged: [Int] = []
    /// Whether some accepted features have a property name twice.
    package var hasRepeatedNames = false
    /// The number of accepted rows that don't count.
    var uncountedCount = 0
    /// The number of rows that are neither accepted nor in the log: rows outside this part, and rows read only for
    /// their columns.
    var ignoredCount = 0
    /// What the summary says of the columns that are read; `nil` if they are the expected ones.
    package var note: OptionMessage?
    /// The name of a GeoJSON collection with the escapes of JSON; `nil` if it has none.
    var collectionName: String?
    /// What the last GeoJSON collection says of features that it lacks.
    var completeness = StatedCompleteness()
    /// The accepted rows that a ``RowStore`` has taken.
    package var stored = RowTally()
    private var hasRoom = false

    /// The number of accepted rows, here and on disk.
    var acceptedCount: Int { accepted.count + stored.count }

    /// The number of rows that are accepted or in the log.
    package var count: Int { acceptedCount + log.count }

    /// The number of all rows, also the ignored ones.
    var seenCount: Int { count + ignoredCount }

    /// Appends the rows that come next in the same input.
    /// - Parameter ordinal: the number of the last feature before them in its collection.
    package mutating func append(_ next: ReadRows, after ordinal: Int = 0) {
        accepted.append(next.accepted, base: 0)
        log.append(next.log, after: ordinal)
        remarks.append(next.remarks)
        ragged += next.ragged
        hasRepeatedNames = hasRepeatedNames || next.hasRepeatedNames
        uncountedCount += next.uncountedCount
        ignoredCount += next.ignoredCount
    }

    /// Moves the rows to the store if they are too many to keep.
    package mutating func move(to store: (any RowStore)?) throws(InputError) {
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

/// Takes accepted rows while an input is read, if they are too many to keep in memory.
package protocol RowStore: AnyObject {
    /// From this number on, a reader hands its rows over.
    var rowLimit: Int { get }

    /// Takes the next rows of the current input.
    func take(_ rows: consuming AcceptedRows) throws(InputError)
}

/// Figures about accepted rows that are no longer at hand.
package struct RowTally: Sendable {
    package private(set) var count = 0
    /// The number of rows beyond the map's top or bottom edge.
    private(set) var clampedCount = 0
    /// The number of rows at latitude 0, longitude 0.
    private(set) var countAtZero = 0
    package private(set) var hasIDs = false

    init() {}

    /// - Parameter selection: which rows count as clamped; `nil` for all.
    init(of rows: borrowing AcceptedRows, selection: (any RowSelection)? = nil) {
        count = rows.count
        hasIDs = !rows.idHashes.isEmpty
        let edge = Int32(WebMercator.maximumLatitude * 1e6)
        for row in 0..<rows.count {
            let (longitude, latitude) = (rows.longitudes[row], rows.latitudes[row])
            if longitude | latitude == 0 { countAtZero += 1 }
            guard latitude > edge || latitude < -edge else { continue }
            let place = WebMercator.project(
                Coordinate(longitudeMicrodegrees: longitude, latitudeMicrodegrees: latitude))
            if selection.map({ $0.use(of: place) == .counted }) ?? true { clampedCount += 1 }
        }
    }

    package mutating func add(_ other: RowTally) {
        count += other.count
        clampedCount += other.clampedCount
        countAtZero += other.countAtZero
        hasIDs = hasIDs || other.hasIDs
    }

    mutating func remove(_ other: RowTally) {
        count -= other.count
        clampedCount -= other.clampedCount
        countAtZero -= other.countAtZero
    }

    /// - Throws: ``InputError`` if there are more points than can be numbered.
    static func require(_ count: Int, in input: String) throws(InputError) {
        guard count <= InputLimits.points else {
            throw InputError(.badData, in: input, "has more than \(InputLimits.points) points")
        }
    }
}
