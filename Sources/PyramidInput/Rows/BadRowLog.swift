import PyramidTiles

/// The fault of a bad row, and the coordinate at fault if it is one.
package struct RowFault: Sendable {
    package var problem: RowProblem
    var axis = Axis.latitude
    /// Whether the coordinates are out of range but would be in range if swapped.
    var isSwapped = false
    /// Whether a coordinate is so far out of range that it can't be degrees.
    var isFar = false
    /// Whether one column holds both coordinates.
    var isInPoint = false

    /// The text to show for an object without a type in the place of a feature.
    static let foundNoType = "an object without a type"
}

/// Counts bad rows by reason and keeps the first few of each reason as examples.
package struct BadRowLog: Sendable {
    /// A bad row to show to the user.
    struct Example: Sendable {
        let fault: RowFault
        let rowStart: Int
        /// The offending text.
        let found: String
        /// The number of the feature in its collection, counted from 1; `nil` outside a collection.
        var ordinal: Int?
    }

    /// The number of examples to keep for each reason.
    static let examplesPerReason = 3

    package private(set) var count = 0
    package private(set) var counts: [RowProblem: Int] = [:]
    /// In the order in which they were counted.
    private(set) var examples: [Example] = []
    /// The number of rows whose coordinates would be in range if swapped.
    private(set) var swappedCount = 0
    /// The number of rows whose coordinates can't be degrees.
    private(set) var farCount = 0

    /// Counts a row. Call it in the order of the input.
    /// - Parameters:
    ///   - found: the offending text; called if the row becomes an example.
    ///   - ordinal: the number of the feature in its collection.
    package mutating func count(
        _ fault: RowFault, at rowStart: Int, ordinal: Int? = nil, found: @autoclosure () -> String
    ) {
        if counts[fault.problem, default: 0] < BadRowLog.examplesPerReason {
            examples.append(Example(fault: fault, rowStart: rowStart, found: found(), ordinal: ordinal))
        }
        count += 1
        counts[fault.problem, default: 0] += 1
        if fault.isSwapped { swappedCount += 1 }
        if fault.isFar { farCount += 1 }
    }

    /// Appends the rows of the next chunk of the input.
    /// - Parameter ordinal: the number of the last feature before that chunk in its collection.
    package mutating func append(_ next: BadRowLog, after ordinal: Int = 0) {
        for var example in next.examples {
            let shown = examples.count { $0.fault.problem == example.fault.problem }
            guard shown < BadRowLog.examplesPerReason else { continue }
            example.ordinal = example.ordinal.map { $0 + ordinal }
            examples.append(example)
        }
        count += next.count
        counts.merge(next.counts) { $0 + $1 }
        swappedCount += next.swappedCount
        farCount += next.farCount
    }

    /// The examples in the order of their lines.
    func errors(in input: InputBytes) -> [(problem: RowProblem, error: InputError)] {
        let elements = input.elements
        var lines = LineCounter()
        return examples.sorted { $0.rowStart < $1.rowStart }.map { example in
            let line = lines.line(at: example.rowStart, in: elements.span)
            let sentence = BadRowLog.sentence(example.fault, found: example.found)
            return (
                example.fault.problem,
                InputError(
                    .badData, in: input.name, line: line,
                    example.ordinal.map { "feature \($0): \(sentence)" } ?? sentence)
            )
        }
    }

    private static func sentence(_ fault: RowFault, found: String) -> OptionMessage {
        switch fault.problem {
        case .tooLong: "row has \(found) bytes, expected at most \(InputLimits.rowBytes)"
        case .raggedRow: "row has \(found), so its coordinates are uncertain"
        case .cutOff: "the last row has \(found), and no line end; is the file cut off?"
        case .units: "row has the units of the columns"
        case .repeatedHeader: "row is the header again"
        case .nulByte: "row has a NUL byte, expected text"
        case .invalidUTF8: found.isEmpty ? "row is not valid UTF-8" : "row has \(found)"
        case .invalidJSON: found.isEmpty ? "the file ends inside the feature; is it cut off?" : "row has \(found)"
        case .tooDeep: "feature has \(found) nested brackets, expected at most \(InputLimits.nestedBrackets)"
        case .notAFeature: "row is \(found), expected a Feature"
        case .repeatedName: "feature has its type or geometry twice, expected each once"
        case .missingGeometry: "geometry is missing, expected a Point"
        case .notAPoint: "geometry is \(found), expected a Point"
        case .missingCoordinate where fault.isInPoint: "point is missing, expected \(PointText.expected)"
        case .unreadableCoordinate where fault.isInPoint: "point is \(found), expected \(PointText.expected)"
        case .coordinateOutOfRange where fault.isInPoint:
            "point is \(found), expected \(fault.axis.rawValue) in \(fault.axis.expected)"
        case .missingCoordinate: "\(fault.axis.rawValue) is missing, expected \(fault.axis.expected)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            "\(fault.axis.rawValue) is \(found), expected \(fault.axis.expected)"
        case .unreadableID: "id is \(found)"
        case .missingID: "id is missing, expected one in every row"
        case .duplicateID: "id is \(found), which another row has too"
        }
    }
}
