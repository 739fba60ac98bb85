import PyramidTiles

/// Which rows of the input to read, where not all are needed.
package protocol RowSelection: Sendable {
    func use(of place: WorldPoint) -> RowUse
    /// Whether rows without a place count.
    var countsRowsWithoutPlace: Bool { get }
    /// The cell in whose sum (``CellDigests``) a row is included; `nil` for none.
    /// - Parameter place: that of a row that is read.
    func digestNode(of place: WorldPoint) -> UInt64?
}

/// What becomes of a row.
package enum RowUse: Sendable {
    /// It is read, and counts.
    case counted
    /// It is read, because it affects others, but isn't counted.
    case uncounted
    case leftOut
}
