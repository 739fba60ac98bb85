/// A bad row: what is wrong with it, and with which coordinate if it is one.
struct RowFault {
    var problem: RowProblem
    var axis = Axis.latitude
    /// Latitude and longitude are in each other's range, and one of them is not in its own.
    var isSwapped = false
}

/// Counts bad rows by reason and keeps the first few of each to show.
struct BadRowLog {
    /// Examples to keep of each reason.
    static let examplesPerReason = 3

    private let source: String
    private(set) var counts: [RowProblem: Int] = [:]
    private(set) var examples: [(problem: RowProblem, error: InputError)] = []
    /// How many coordinates would be in range if they were swapped.
    private(set) var swappedCount = 0
    private var lines = LineCounter()

    init(source: String) { self.source = source }

    /// Whether the next such row will be among the first of its reason.
    func wantsExample(of fault: RowFault) -> Bool {
        counts[fault.problem, default: 0] < BadRowLog.examplesPerReason
    }

    /// Counts a row; the rows come in the order of the input.
    /// - Returns: whether the row is among the first of its reason, which is to be followed by
    ///   ``addExample(_:at:in:found:)``.
    mutating func count(_ fault: RowFault) -> Bool {
        counts[fault.problem, default: 0] += 1
        if fault.isSwapped { swappedCount += 1 }
        return counts[fault.problem, default: 0] <= BadRowLog.examplesPerReason
    }

    /// Keeps the row that was counted last.
    /// - Parameters:
    ///   - found: what there is to show.
    ///   - subject: what the row is called, where its line doesn't tell.
    mutating func addExample(
        _ fault: RowFault, at rowStart: Int, in bytes: Span<UInt8>, found: String, subject: String? = nil
    ) -> InputError {
        let line = lines.line(at: rowStart, in: bytes)
        let sentence = BadRowLog.sentence(fault, found: found)
        let example = InputError(
            .badData, in: source, line: line, subject.map { "\($0): \(sentence)" } ?? sentence)
        examples.append((fault.problem, example))
        return example
    }

    /// Begins again at the first line, for a second pass over the input.
    mutating func rewind() { lines = LineCounter() }

    private static func sentence(_ fault: RowFault, found: String) -> String {
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
