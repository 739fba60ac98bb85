import PyramidTiles

/// A column that may have a part of a coordinate, though its name and cells could mean something else.
struct DoubtfulColumn {
    let axis: Axis
    let column: Int
    let part: ColumnNames.Part
    /// The first cell, if the name says that there are directions, and there is none.
    var noDirection: String?

    /// Asks what the columns are.
    /// - Parameters:
    ///   - columns: the certain ones.
    ///   - names: of all columns.
    static func question(
        _ doubts: [DoubtfulColumn], beside columns: CoordinateColumns, among names: [String]
    ) -> OptionMessage {
        let unknown = doubts.filter { $0.noDirection != nil }
        let asked = unknown.isEmpty ? doubts : unknown
        var (together, alone): (OptionMessage, OptionMessage) = ("", "")
        for doubt in asked {
            let angle = columns[doubt.axis].columns.map { names[$0] }.joined(separator: ",")
            let isList = doubt.part == .minutes || angle.contains(",")
            together = "\(together) \(doubt.axis.option) \(ShellWord.quoted("\(angle),\(names[doubt.column])"))"
            alone = "\(alone) \(doubt.axis.option) \(ShellWord.quoted(isList ? angle : "\(angle),"))"
        }
        let part = asked.contains { $0.part == .minutes } ? "minutes" : "directions"
        let question =
            "\(InputError.list(asked.map { names[$0.column] })) may have the \(part) of "
            + InputError.list(asked.map { names[columns[$0.axis].degrees] })
        guard !unknown.isEmpty else { return "\(question): use\(together) if so, otherwise\(alone)" }
        let expected = unknown.map { $0.axis == .latitude ? "N or S" : "E or W" }.joined(separator: " and ")
        let found = InputError.list(unknown.compactMap(\.noDirection))
        return "\(question): write \(expected) there instead of \(found); to read the coordinates without, use\(alone)"
    }
}
