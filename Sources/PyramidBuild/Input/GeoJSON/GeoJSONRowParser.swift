import PyramidTiles

/// Reads the features of a sequence or of an array, checks them and collects the accepted ones.
struct GeoJSONRowParser: RowParser {
    let check: GeoJSONRowCheck
    /// Whether the features are elements of an array.
    var isList = false
    /// The container of the features, for messages about broken JSON.
    var container = "FeatureCollection"
    var noColumns: PropertySurvey { PropertySurvey() }

    private let input: InputBytes
    /// The rows to read; `nil` for all.
    private let area: PartArea?
    /// Whether rows are dropped as soon as their columns are known.
    private let readsOnlyColumns: Bool
    /// The last scanned feature.
    private var feature = GeoJSONFeatureScanner()
    /// The last broken text of a sequence.
    private var brokenText = BrokenText()
    /// No token but a string or a number has more bytes, and neither has an escape.
    private static let longestToken = 12
    private var text: [UInt8] = []
    private var number: [UInt8] = []

    init(_ input: InputBytes, options: InputOptions, area: PartArea?, readsOnlyColumns: Bool) {
        self.input = input
        self.area = area
        self.readsOnlyColumns = readsOnlyColumns
        check = GeoJSONRowCheck(idRule: GeoJSONIDRule(options))
    }

    mutating func read(
        until end: Int, of bytes: Span<UInt8>, isAhead: Bool, into collected: inout CollectedRows<PropertySurvey>
    ) throws(InputError) -> Bool {
        var scanner = JSONScanner(at: collected.end, allowsNaN: true)
        while true {
            let first = scanner.nextText(bytes, isList: isList)
            let start = scanner.position
            collected.end = max(collected.end, min(start, end))
            guard start < end else { return false }
            if isList {
                if try readElement(first, &scanner, bytes, isAhead: isAhead, into: &collected) { return true }
            } else {
                if try readText(first, &scanner, bytes, isAhead: isAhead, into: &collected) { return true }
            }
        }
    }

    /// Reads the element of an array that begins at the scanner's position, and the comma or bracket that follows it.
    /// - Returns: whether the array has ended.
    private mutating func readElement(
        _ first: UInt8, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>, isAhead: Bool,
        into collected: inout CollectedRows<PropertySurvey>
    ) throws(InputError) -> Bool {
        let start = scanner.position
        let isFeature = first == UInt8(ascii: "{")
        let isNext: Bool
        var value: JSONValue?
        // The number of the feature before the next comma; 0 within a feature.
        var number = 0
        let count = collected.rows.seenCount - collected.rowsBefore
        do throws(JSONFault) {
            if isFeature {
                try feature.scan(bytes, from: start)
                scanner.position = feature.end
            } else {
                number = count
                value = try scanner.scanValue(bytes)
            }
            number = count + 1
            isNext = try scanner.nextElement(isFirst: false, in: bytes)
        } catch {
            // Ahead of the other rows, it is unknown whether a feature begins here at all.
            if isAhead { return true }
            throw broken(error, after: number, in: bytes)
        }
        // The end of this array, or of one within a feature.
        if isAhead, !isNext { return true }
        if let value {
            addBad(.notAFeature, rowAt: start, found: InputError.quoted(input.elements[value.range]), to: &collected)
        } else {
            add(rowAt: start, in: bytes, to: &collected)
        }
        collected.end = scanner.position
        return !isNext
    }

    /// Reads the feature of a sequence that begins at the scanner's position. A broken one is a bad row, which ends at
    /// the next line or record separator.
    /// - Returns: whether it is a collection or an array of features, or may go on after the known bytes.
    private mutating func readText(
        _ first: UInt8, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>, isAhead: Bool,
        into collected: inout CollectedRows<PropertySurvey>
    ) throws(InputError) -> Bool {
        let start = scanner.position
        if first == UInt8(ascii: "["), scanner.isAtFeatures(bytes) { return true }
        var isScanned = false
        do throws(JSONFault) {
            guard first == UInt8(ascii: "{") else { throw JSONFault(offset: start, expected: "a Feature") }
            if let fault = brokenText.fault(ofTextAt: start) { throw fault }
            isScanned = true
            try feature.scan(bytes, from: start, stopsAtCollection: true)
        } catch {
            // It is a collection, broken before its "type" member.
            let isCollection = isScanned && feature.hasFeatures && feature.type == nil
            // The text may only be cut off.
            if isAhead, isCollection || error.offset + GeoJSONRowParser.longestToken > bytes.count { return true }
            if isCollection { throw broken(error, in: bytes) }
            brokenText.add(error, ofTextAt: start, in: bytes)
            addBad(.invalidJSON, rowAt: start, found: GeoJSONRowCheck.found(error, in: bytes), to: &collected)
            scanner.position = bytes.afterBrokenText(at: start)
            collected.end = scanner.position
            return false
        }
        if feature.isCollection(bytes) { return true }
        scanner.position = feature.end
        add(rowAt: start, in: bytes, to: &collected)
        collected.end = scanner.position
        return false
    }

    /// - Parameter feature: the number of the feature that the fault follows, if it is between two of them.
    func broken(_ fault: JSONFault, after feature: Int = 0, in bytes: Span<UInt8>) -> InputError {
        var lines = LineCounter()
        if let (offset, problem) = FeatureCommas.fault(at: fault.offset, after: feature, in: bytes) {
            return InputError(
                .badData, in: input.name, line: lines.line(at: offset, in: bytes), "\(container) \(problem)")
        }
        return InputError(
            .badData, in: input.name, line: lines.line(at: fault.offset, in: bytes),
            fault.offset < bytes.count
                ? "\(container) has \(GeoJSONRowCheck.found(fault, in: bytes))"
                : "the file ends inside the \(container); is it cut off?")
    }

    /// Adds the last scanned feature.
    private mutating func add(
        rowAt start: Int, in bytes: Span<UInt8>, to collected: inout CollectedRows<PropertySurvey>
    ) {
        let point = area == nil ? nil : worldPoint(bytes)
        let place = area.map { self.place(of: point, in: $0) } ?? PartArea.Place.own
        guard place != .outside else {
            collected.rows.ignoredCount += 1
            return
        }
        guard let fault = append(rowAt: start, in: bytes, at: point, isOwn: place == .own, to: &collected) else {
            return
        }
        guard place == .own else {
            collected.rows.ignoredCount += 1
            return
        }
        let isShown = collected.rows.log.wantsExample(of: fault)
        let found = isShown ? check.found(fault, feature, from: start, in: input) : ""
        count(fault, rowAt: start, found: found, in: &collected)
    }

    /// Counts a row that isn't a feature.
    private func addBad(
        _ problem: RowProblem, rowAt start: Int, found: String, to collected: inout CollectedRows<PropertySurvey>
    ) {
        guard area?.countsRowsWithoutPlace != false else {
            collected.rows.ignoredCount += 1
            return
        }
        count(RowFault(problem: problem), rowAt: start, found: found, in: &collected)
    }

    private func count(
        _ fault: RowFault, rowAt start: Int, found: String, in collected: inout CollectedRows<PropertySurvey>
    ) {
        let ordinal = collected.rows.seenCount - collected.rowsBefore + 1
        collected.rows.log.count(fault, at: start, found: found, ordinal: isList ? ordinal : nil)
    }

    mutating func countDuplicate(rowAt start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog) {
        feature.scanAgain(bytes, from: start)
        let fault = RowFault(problem: .duplicateID)
        log.count(fault, at: start, found: check.found(fault, feature, from: start, in: input))
    }

    mutating func survey(rowAt start: Int, in bytes: Span<UInt8>, into survey: inout RowSurvey<PropertySurvey>) {
        feature.scanAgain(bytes, from: start)
        _ = feature.removeRepeatedNames(bytes)
        // Another program may have changed the names.
        guard survey.columns.number(feature.properties, in: bytes) else { return }
        survey.add(RowDigest(bytes.extracting(start..<feature.end).bytes))
        survey.columns.add(feature.properties)
    }

    mutating func id(ofRowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        feature.scanAgain(bytes, from: start)
        if check.idRule.propertyName != nil { _ = feature.removeRepeatedNames(bytes) }
        guard let id = check.idRule.id(of: feature, in: bytes) else { return [] }
        check.idRule.identity(id, in: bytes, into: &text)
        return text
    }

    /// Where a feature is in relation to `area`.
    private func place(of point: WorldPoint?, in area: PartArea) -> PartArea.Place {
        point.map(area.place) ?? (area.countsRowsWithoutPlace ? .own : .outside)
    }

    /// Where the last scanned feature is, even if it has other faults; `nil` if it has no usable place.
    private func worldPoint(_ bytes: Span<UInt8>) -> WorldPoint? {
        let place = check.place(of: feature, in: bytes)
        guard place.fault == nil, feature.isPoint(bytes) else { return nil }
        return WebMercator.project(
            Coordinate(longitudeMicrodegrees: place.longitude, latitudeMicrodegrees: place.latitude))
    }

    /// Appends the last scanned feature if it is sound; otherwise returns its fault.
    /// - Parameters:
    ///   - point: its place, if only the rows of a part are read.
    ///   - isOwn: whether the row counts.
    private mutating func append(
        rowAt start: Int, in bytes: Span<UInt8>, at point: WorldPoint?, isOwn: Bool,
        to collected: inout CollectedRows<PropertySurvey>
    ) -> RowFault? {
        // A row that is too long or too deep is not checked further.
        let digest = RowDigest(bytes.extracting(start..<feature.end).bytes)
        if let fault = check.formFault(feature, digest, from: start, in: bytes) { return fault }
        var removed: (repeated: JSONText?, nested: JSONText?)
        if !collected.survey.columns.number(feature.properties, in: bytes) || feature.hasNestedRepeatedName(bytes) {
            removed = feature.removeRepeatedNames(bytes)
            _ = collected.survey.columns.number(feature.properties, in: bytes)
        }
        if let fault = check.geometryFault(feature, in: bytes) { return fault }
        let place = check.place(of: feature, in: bytes)
        if let fault = place.fault { return fault }
        if let fault = check.idFault(feature, in: bytes) { return fault }
        var idHash: UInt64?
        if let id = check.idRule.id(of: feature, in: bytes) {
            check.idRule.identity(id, in: bytes, into: &text)
            idHash = RowDigest.hash(ofID: text, &number)
        }
        collected.survey.add(digest, isOwn: isOwn, node: point.flatMap { area?.digestNode(of: $0) })
        collected.survey.columns.add(feature.properties)
        if readsOnlyColumns {
            collected.rows.ignoredCount += 1
        } else {
            collected.rows.accepted.append(
                start: start, longitude: place.longitude, latitude: place.latitude, idHash: idHash)
            if !isOwn { collected.rows.haloCount += 1 }
        }
        if removed.repeated != nil || removed.nested != nil { collected.rows.hasRepeatedNames = true }
        guard isOwn else { return nil }
        func shown(_ name: Range<Int>?) -> String { name.map { InputError.quoted(bytes.extracting($0)) } ?? "a member" }
        collected.rows.remarks.add(place, rowAt: start)
        if let id = check.idRule.id(of: feature, in: bytes), id.kind == .number, id.range.count > 15,
            !DecimalLiteral.isSafe(bytes, in: id.range)
        {
            collected.rows.remarks.add(.largeID, rowAt: start)
        }
        if feature.hasRepeatedProperty || removed.repeated != nil {
            collected.rows.remarks.add(.repeatedName, rowAt: start, example: shown(removed.repeated?.range))
        }
        if let unusable = feature.unusable ?? removed.nested?.range {
            collected.rows.remarks.add(.unusableValue, rowAt: start, example: shown(unusable))
        }
        return nil
    }
}

extension JSONScanner {
    /// The separator before each text of a sequence (RFC 8142, RFC 7464).
    static let recordSeparator: UInt8 = 0x1e

    /// Whether the array at the scanner's position is empty or begins with an object.
    func isAtFeatures(_ bytes: Span<UInt8>) -> Bool {
        var scanner = JSONScanner(at: position + 1)
        let first = scanner.next(bytes)
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "]")
    }

    /// Skips all separators of features, and returns the next byte without consuming it; 0 at the end.
    /// - Parameter isList: whether the features are elements of an array, which has no record separators. A sequence
    ///   may also have byte order marks, which files that were joined began with.
    mutating func nextText(_ bytes: Span<UInt8>, isList: Bool) -> UInt8 {
        var byte = next(bytes)
        while !isList {
            let afterMark = bytes.afterByteOrderMark(at: position)
            guard byte == JSONScanner.recordSeparator || afterMark > position else { break }
            position = max(afterMark, position + 1)
            byte = next(bytes)
        }
        return byte
    }
}

extension Span<UInt8> {
    /// The end of a broken text of a sequence: the next line end or record separator.
    fileprivate func afterBrokenText(at start: Int) -> Int {
        var position = start
        while position < count, self[position] != UInt8(ascii: "\n"), self[position] != UInt8(ascii: "\r"),
            position == start || self[position] != JSONScanner.recordSeparator
        {
            position += 1
        }
        return position
    }
}

/// A broken text of a sequence, whose lines are tried as texts of their own: those that its fault leaves open are broken
/// by the same fault, and needn't be read up to there once more. So the time is linear.
private struct BrokenText: Sendable {
    private var range = 0..<0
    private var expected = ""
    /// The positions of its braces that are open at the fault, ascending.
    private var openBraces: [Int] = []

    mutating func add(_ fault: JSONFault, ofTextAt start: Int, in bytes: Span<UInt8>) {
        guard !range.contains(start), start < fault.offset else { return }
        // A collection is not a text like others, and must be seen.
        let text = bytes.extracting(start..<fault.offset)
        guard !text.contains("\"features\""), !text.contains("FeatureCollection") else { return }
        (range, expected) = (start..<fault.offset, fault.expected)
        openBraces = []
        var open: [Int] = []
        var isInText = false
        var position = start
        while position < fault.offset {
            switch bytes[position] {
            case UInt8(ascii: "\\") where isInText: position += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: open.append(position)
            case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText: _ = open.popLast()
            default: break
            }
            position += 1
        }
        openBraces = open.filter { bytes[$0] == UInt8(ascii: "{") }
    }

    /// The fault of a text within this one; `nil` if it has none or isn't within.
    func fault(ofTextAt start: Int) -> JSONFault? {
        guard range.contains(start) else { return nil }
        let index = openBraces.partitioningIndex { $0 >= start }
        let isOpen = index < openBraces.count && openBraces[index] == start
        return isOpen ? JSONFault(offset: range.upperBound, expected: expected) : nil
    }
}

extension Span<UInt8> {
    fileprivate func contains(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count >= length else { return false }
        return (0...count - length).contains { isEqual($0..<$0 + length, word) }
    }
}

/// What is wrong with the commas between the features of a list.
enum FeatureCommas {
    /// The fault, and where the comma is or should be.
    /// - Parameters:
    ///   - offset: the byte that doesn't fit there, between two features.
    ///   - feature: the number of the feature before it.
    /// - Returns: `nil` if the fault is another one.
    static func fault(
        at offset: Int, after feature: Int, in bytes: Span<UInt8>
    ) -> (offset: Int, problem: OptionMessage)? {
        guard offset < bytes.count, feature > 0 else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            return (offset, "has no comma between features \(feature) and \(feature + 1); put one before this one")
        case UInt8(ascii: "]"):
            let comma = (0..<offset).last { bytes[$0] == UInt8(ascii: ",") } ?? offset
            return (comma, "has a comma after feature \(feature), the last one; remove it")
        case UInt8(ascii: ","):
            return (offset, "has two commas after feature \(feature), expected one; remove the other")
        default: return nil
        }
    }
}
