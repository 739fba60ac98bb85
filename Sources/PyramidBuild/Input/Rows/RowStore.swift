import PyramidTiles

/// Takes accepted rows while an input is read, if they are too many to keep in memory.
protocol RowStore: AnyObject {
    /// From this number on, a reader hands its rows over.
    var rowLimit: Int { get }

    /// Takes the next rows of the current input.
    func take(_ rows: consuming AcceptedRows) throws(InputError)
}

/// Figures about accepted rows that are no longer at hand.
struct RowTally: Sendable {
    private(set) var count = 0
    /// The number of rows beyond the map's top or bottom edge.
    private(set) var clampedCount = 0
    /// The number of rows at latitude 0, longitude 0.
    private(set) var countAtZero = 0
    /// The number of rows with negative longitudes over -180, where 180 ends up too.
    private(set) var countAtWest = 0
    private(set) var hasIDs = false

    init() {}

    /// - Parameter area: the area of a part, of which only its own rows count as clamped; `nil` if all rows count.
    init(of rows: borrowing AcceptedRows, in area: PartArea? = nil) {
        count = rows.count
        hasIDs = !rows.idHashes.isEmpty
        for row in 0..<rows.count {
            let (longitude, latitude) = (rows.longitudes[row], rows.latitudes[row])
            if longitude | latitude == 0 { countAtZero += 1 }
            if longitude < 0, longitude > -180_000_000 { countAtWest += 1 }
            guard RowTally.isClamped(latitude) else { continue }
            let place = area?.place(
                of: Coordinate(longitudeMicrodegrees: longitude, latitudeMicrodegrees: latitude))
            if place == nil || place == .own { clampedCount += 1 }
        }
    }

    private static let edge = Int32(WebMercator.maximumLatitude * 1e6)

    private static func isClamped(_ latitude: Int32) -> Bool { latitude > edge || latitude < -edge }

    mutating func add(_ other: RowTally) {
        count += other.count
        clampedCount += other.clampedCount
        countAtZero += other.countAtZero
        countAtWest += other.countAtWest
        hasIDs = hasIDs || other.hasIDs
    }

    mutating func remove(_ other: RowTally) {
        count -= other.count
        clampedCount -= other.clampedCount
        countAtZero -= other.countAtZero
        countAtWest -= other.countAtWest
    }

    /// - Throws: ``InputError`` if there are more points than can be numbered.
    static func require(_ count: Int, in input: String) throws(InputError) {
        guard count <= InputLimits.points else {
            throw InputError(.badData, in: input, "has more than \(InputLimits.points) points")
        }
    }
}
