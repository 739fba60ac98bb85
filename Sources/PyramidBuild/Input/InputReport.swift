import PyramidTiles

/// What reading an input came to. `rowsRead` is always `rowsAccepted` plus the sum of `rowsSkipped`.
public struct InputReport: Equatable, Sendable {
    /// A column whose name could not be kept.
    public struct RenamedColumn: Equatable, Sendable {
        public let from: String
        public let to: String
    }

    /// Rows after the headers of CSV, where empty lines are none; features of GeoJSON.
    public internal(set) var rowsRead = 0
    public internal(set) var rowsAccepted = 0
    /// How many of the accepted lie beyond the map's upper or lower edge and are drawn on it.
    public internal(set) var rowsClamped = 0
    /// By reason; a reason that never came up is left out.
    public internal(set) var rowsSkipped: [RowProblem: Int] = [:]
    /// The first few bad rows of every reason, input by input in the order of their lines.
    public internal(set) var examples: [InputError] = []
    public internal(set) var renamedColumns: [RenamedColumn] = []
    /// Sentences for the user.
    public internal(set) var warnings: [OptionMessage] = []
    /// Of the headers and the accepted rows, whatever the order of the rows and of the inputs, the line ends and names.
    public internal(set) var digest: UInt64 = 0
}
