import PyramidTiles

/// A column that may or may not contain a part of a coordinate.
struct DoubtfulColumn {
    let axis: Axis
    let column: Int
    let part: ColumnNames.Part
    /// The first cell of a column whose name suggests directions, if none of the cells is one.
    var noDirection: String?

    /// Asks the user about the columns, and offers the options for each answer.
    /// - Parameters:
    ///   - columns: the columns of the coordinates, without the doubtful ones.
    ///   - names: of all columns.
    static func question(
        _ doubts: [DoubtfulColumn], beside columns: CoordinateColumns, among names: [String]
    ) -> OptionMessage {
        let unknown = doubts.filter { $0.noDirection != nil }
        let asked = unknown.isEmpty ? doubts : unknown
        var (together, alone): (OptionMessage, OptionMessage) = ("", "")
        let axes = [Axis.latitude, .longitude].filter { axis in asked.contains { $0.axis == axis } }
        for axis in axes {
            let angle = columns[axis].columns.map { names[$0] }
            let all = angle + asked.filter { $0.axis == axis }.map { names[$0.column] }
            // A comma at the end makes a column stand alone.
            let certain = angle.joined(separator: ",") + (angle.count == 1 ? "," : "")
            together = "\(together) \(axis.option) \(ShellWord.quoted(all.joined(separator: ",")))"
            alone = "\(alone) \(axis.option) \(ShellWord.quoted(certain))"
        }
        let parts = [ColumnNames.Part.minutes, .seconds, .direction].filter { part in asked.contains { $0.part == part }
        }
        let question =
            "\(InputError.list(asked.map { names[$0.column] })) may have the \(parts.map(\.rawValue).joined(separator: " and ")) of "
            + InputError.list(axes.map { names[columns[$0].degrees] })
        guard !unknown.isEmpty else { return "\(question): use\(together) if so, otherwise\(alone)" }
        let expected = unknown.map { $0.axis == .latitude ? "N or S" : "E or W" }.joined(separator: " and ")
        let found = InputError.list(unknown.compactMap(\.noDirection))
        return "\(question): write \(expected) there instead of \(found); to read the coordinates without, use\(alone)"
    }
}
