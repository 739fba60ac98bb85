/// The coordinates of an input's accepted rows, in its order, and hashes of their ids.
package struct AcceptedRows: Sendable {
    package private(set) var longitudes: [Int32] = []
    package private(set) var latitudes: [Int32] = []
    /// The offset of each row in the input, in bytes.
    package private(set) var starts: [UInt64] = []
    /// By row; 0 for a row without an id. Empty until a row has an id.
    private(set) var idHashes: [UInt64] = []

    package var count: Int { starts.count }

    /// - Parameters:
    ///   - longitude: microdegrees in -180,000,000 ... 180,000,000.
    ///   - idHash: a hash of the id's text; `nil` if there is no id.
    @inline(__always)
    package mutating func append(start: Int, longitude: Int32, latitude: Int32, idHash: UInt64? = nil) {
        if idHash != nil || !idHashes.isEmpty {
            while idHashes.count < count { idHashes.append(0) }
            idHashes.append(idHash.map { max($0, 1) } ?? 0)
        }
        longitudes.append(longitude == 180_000_000 ? -180_000_000 : longitude)
        latitudes.append(latitude)
        starts.append(UInt64(start))
    }

    /// Reserves room for about this many rows; untouched room costs no memory.
    mutating func reserveRoom(_ count: Int) {
        longitudes.reserveCapacity(count)
        latitudes.reserveCapacity(count)
        starts.reserveCapacity(count)
        if !idHashes.isEmpty { idHashes.reserveCapacity(count) }
    }

    package init() {}

    /// Rows without ids.
    package init(longitudes: [Int32], latitudes: [Int32], starts: [UInt64]) {
        (self.longitudes, self.latitudes, self.starts) = (longitudes, latitudes, starts)
    }

    /// Removes rows, and the ids of the others.
    package mutating func removeAll(where isDropped: (_ start: UInt64) -> Bool) {
        var kept = AcceptedRows()
        for row in starts.indices where !isDropped(starts[row]) {
            kept.append(start: Int(starts[row]), longitude: longitudes[row], latitude: latitudes[row])
        }
        self = kept
    }

    /// Appends the next rows of the same input (`base` 0) or the rows of another one; `base` is the offset of that
    /// input's bytes among all inputs laid end to end.
    package mutating func append(_ other: consuming AcceptedRows, base: Int) {
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
