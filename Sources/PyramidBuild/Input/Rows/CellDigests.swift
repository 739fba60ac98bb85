import PyramidTiles

/// The rows of a part that other parts read too, by cell: those in its halo, and its own that can be in the halo of
/// another.
///
/// The join compares them. If they are the same in all parts, the tileset is that of the parts' own rows together, even
/// if the input has changed between the parts.
struct CellDigests: Equatable, Sendable {
    struct Total: Equatable, Sendable {
        var rowCount = 0
        /// The sum of the rows' hashes.
        var digest: UInt64 = 0

        static func += (left: inout Total, right: Total) {
            left.rowCount += right.rowCount
            left.digest &+= right.digest
        }
    }

    /// By ``TileCoordinate/node``.
    private(set) var cells: [UInt64: Total] = [:]

    mutating func add(_ digest: RowDigest, toNode node: UInt64) {
        add(Total(rowCount: 1, digest: digest.hash), toNode: node)
    }

    mutating func append(_ next: CellDigests) {
        if cells.isEmpty { cells = next.cells } else { next.cells.forEach { add($1, toNode: $0) } }
    }

    private mutating func add(_ total: Total, toNode node: UInt64) { cells[node, default: Total()] += total }
}
