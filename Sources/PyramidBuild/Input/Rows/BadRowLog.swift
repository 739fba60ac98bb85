import PyramidTiles

/// A bad row: what is wrong with it, and with which coordinate if it is one.
struct RowFault: Sendable {
    var problem: RowProblem
    var axis = Axis.latitude
    /// Latitude and longitude are in each other's range, and one of them is not in its own.
    var isSwapped = false
}

/// Counts bad rows by reason and keeps the first few of each to show.
struct BadRowLog: Sendable {
    /// A bad row that is shown.
    struct Example: Sendable {
        let fault: RowFault
        let rowStart: Int
        /// What there is to show.
        let found: String
        /// The number of the feature in its collection, 1 for the first; `nil` outside of one.
        var ordinal: Int?
    }

    /// Examples to keep of each reason.
    static let examplesPerReason = 3

    private(set) var count = 0
    private(set) var counts: [RowProblem: Int] = [:]
    /// In the order in which they were counted.
    private(set) var examples: [Example] = []
    /// How many coordinates would be in range if they were swapped.
    private(set) var swappedCount = 0

    /// Whether the next such row will be among the first of its reason.
    func wantsExample(of fault: RowFault) -> Bool {
        counts[fault.problem, default: 0] < BadRowLog.examplesPerReason
    }

    /// Counts a row; the rows come in the order of the input.
    /// - Parameters:
    ///   - found: what there is to show of a row that is among the first of its reason.
    ///   - ordinal: the number of the feature in its collection.
    mutating func count(_ fault: RowFault, at rowStart: Int, found: String, ordinal: Int? = nil) {
        if wantsExample(of: fault) {
            examples.append(Example(fault: fault, rowStart: rowStart, found: found, ordinal: ordinal))
        }
        count += 1
        counts[fault.problem, default: 0] += 1
        if fault.isSwapped { swappedCount += 1 }
    }

    /// Counts the rows of the next part of the input.
    /// - Parameter ordinal: the number of the feature before that part.
    mutating func append(_ next: BadRowLog, after ordinal: Int = 0) {
        for var example in next.examples {
            let shown = examples.count { $0.fault.problem == example.fault.problem }
            guard shown < BadRowLog.examplesPerReason else { continue }
            example.ordinal = example.ordinal.map { $0 + ordinal }
            examples.append(example)
        }
        count += next.count
        counts.merge(next.counts) { $0 + $1 }
        swappedCount += next.swappedCount
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

    /// - Throws: the first bad row, if there is one.
    func requireNone(in input: InputBytes) throws(InputError) {
        if let (_, error) = errors(in: input).first { throw error }
    }

    private static func sentence(_ fault: RowFault, found: String) -> OptionMessage {
        switch fault.problem {
        case .unterminatedQuote: "a quote opens a field and none closes it"
        case .textAfterQuote: "text follows a closing quote, expected a delimiter or the end of the row"
        case .tooLong: "row has \(found) bytes, expected at most \(InputLimits.rowBytes)"
        case .raggedRow: "row has \(found)"
        case .nulByte: "row has a NUL byte, expected text"
        case .invalidUTF8: found.isEmpty ? "row is not valid UTF-8" : "row has \(found)"
        case .invalidJSON: "row has \(found)"
        case .tooDeep: "feature has \(found) brackets in each other, expected at most \(InputLimits.nestedBrackets)"
        case .notAFeature: "row is \(found), expected a Feature"
        case .repeatedName: "feature has an object with a repeated name, expected each name once"
        case .unreadableProperties: "properties are \(found), expected an object or null"
        case .hugeNumber: "feature has a number that is too large for a 64-bit float"
        case .missingGeometry: "geometry is missing, expected a Point"
        case .notAPoint: "geometry is \(found), expected a Point"
        case .missingCoordinate: "\(fault.axis.rawValue) is missing, expected \(fault.axis.expected)"
        case .unreadableCoordinate, .coordinateOutOfRange:
            "\(fault.axis.rawValue) is \(found), expected \(fault.axis.expected)"
        case .unreadableID: "id is \(found), expected a string or a number"
        case .missingID: "id is missing, expected one in every row"
        case .duplicateID: "id is \(found), which another row has too"
        }
    }
}
