import PyramidTiles

/// Reads the features of a sequence or of an array, checks them and collects the accepted ones.
package struct GeoJSONRowParser: RowParser {
    package let check: GeoJSONRowCheck
    /// Whether the features are elements of an array.
    var isList = false
    /// The container of the features, for messages about broken JSON.
    var container = "FeatureCollection"
    package var noColumns: PropertySurvey { PropertySurvey() }

    private let input: InputBytes
    /// In lower case: the properties that options compare.
    private let compared: Set<String>
    /// The rows to read; `nil` for all.
    private let selection: (any RowSelection)?
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

    init(_ input: InputBytes, options: InputOptions, selection: (any RowSelection)?, readsOnlyColumns: Bool) {
        self.input = input
        self.selection = selection
        self.readsOnlyColumns = readsOnlyColumns
        compared = Set(options.comparedColumns.map { $0.lowercased() })
        check = GeoJSONRowCheck(idRule: GeoJSONIDRule(options))
    }

    package mutating func read(
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
        do throws(JSONFault) {
            if isFeature {
                try feature.scan(bytes, from: start)
                scanner.position = feature.end
            } else {
                value = try scanner.scanValue(bytes)
            }
            isNext = try scanner.nextElement(isFirst: false, in: bytes)
        } catch {
            // Ahead of the other rows, it is unknown whether a feature begins here at all.
            if isAhead { return true }
            throw broken(error, in: bytes)
        }
        // The end of this array, or of one within a feature.
        if isAhead, !isNext { return true }
        if try hidesFeatures(value, rowAt: start, in: bytes, isAhead: isAhead) { return true }
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
            let lineEnd = bytes.lineEnd(from: start)
            let separator = (start..<lineEnd).dropFirst().first { bytes[$0] == JSONScanner.recordSeparator }
            scanner.position = separator ?? lineEnd
            collected.end = scanner.position
            return false
        }
        if feature.isCollection(bytes) { return true }
        if try hidesFeatures(nil, rowAt: start, in: bytes, isAhead: isAhead) { return true }
        scanner.position = feature.end
        add(rowAt: start, in: bytes, to: &collected)
        collected.end = scanner.position
        return false
    }

    /// Whether a row that isn't a feature has features within it, which would be skipped as a single row.
    /// - Parameter value: the row; `nil` for the last scanned feature.
    /// - Throws: if it has, unless the row is read ahead of the others: then it may be part of a feature.
    private func hidesFeatures(
        _ value: JSONValue?, rowAt start: Int, in bytes: Span<UInt8>, isAhead: Bool
    ) throws(InputError) -> Bool {
        guard value != nil || !feature.isFeature(bytes),
            (value ?? JSONValue(kind: .object, range: start..<feature.end)).hasFeatures(bytes)
        else { return false }
        if isAhead { return true }
        let command = input.command(
            "jq -c 'def f: if IN(.type?; \"Feature\", \"Point\") then . else .[]? | f end; f' FILE")
        throw InputError(
            .badData, in: input.name, line: input.line(at: start),
            "features stand within another row; take them out: \(.buildFromOutput(of: command))")
    }

    func broken(_ fault: JSONFault, in bytes: Span<UInt8>) -> InputError {
        InputError(
            .badData, in: input.name, line: input.line(at: fault.offset),
            fault.offset < bytes.count
                ? "\(container) has \(GeoJSONRowCheck.found(fault, in: bytes))"
                : "the file ends inside the \(container); is it cut off?")
    }

    /// Adds the last scanned feature.
    private mutating func add(
        rowAt start: Int, in bytes: Span<UInt8>, to collected: inout CollectedRows<PropertySurvey>
    ) {
        let place = check.place(of: feature, in: bytes)
        var point: WorldPoint?
        if selection != nil, place.fault == nil, feature.isPoint(bytes) {
            point = WebMercator.project(
                Coordinate(longitudeMicrodegrees: place.longitude, latitudeMicrodegrees: place.latitude))
        }
        let use = selection.map { point.map($0.use) ?? ($0.countsRowsWithoutPlace ? .counted : .leftOut) } ?? .counted
        let fault =
            use == .leftOut
            ? nil : append(rowAt: start, in: bytes, place, point, isCounted: use == .counted, to: &collected)
        if use == .leftOut || use == .uncounted && fault != nil { collected.rows.ignoredCount += 1 }
        guard let fault, use == .counted else { return }
        count(fault, rowAt: start, found: check.found(fault, feature, from: start, in: input), in: &collected)
    }

    /// Counts a row that isn't a feature.
    private func addBad(
        _ problem: RowProblem, rowAt start: Int, found: String, to collected: inout CollectedRows<PropertySurvey>
    ) {
        guard selection?.countsRowsWithoutPlace != false else {
            collected.rows.ignoredCount += 1
            return
        }
        count(RowFault(problem: problem), rowAt: start, found: found, in: &collected)
    }

    private func count(
        _ fault: RowFault, rowAt start: Int, found: @autoclosure () -> String,
        in collected: inout CollectedRows<PropertySurvey>
    ) {
        let ordinal = collected.rows.seenCount - collected.rowsBefore + 1
        collected.rows.log.count(fault, at: start, ordinal: isList ? ordinal : nil, found: found())
    }

    package mutating func countDuplicate(rowAt start: Int, in bytes: Span<UInt8>, into log: inout BadRowLog) {
        feature.scanAgain(bytes, from: start)
        let fault = RowFault(problem: .duplicateID)
        log.count(fault, at: start, found: check.found(fault, feature, from: start, in: input))
    }

    package mutating func survey(rowAt start: Int, in bytes: Span<UInt8>, into survey: inout RowSurvey<PropertySurvey>)
    {
        feature.scanAgain(bytes, from: start)
        _ = feature.removeRepeatedNames(bytes)
        // Another program may have changed the names.
        guard survey.columns.number(feature.properties, in: bytes) else { return }
        survey.add(RowDigest(bytes.extracting(start..<feature.end).bytes))
        survey.columns.add(feature.properties, in: bytes)
    }

    package mutating func id(ofRowAt start: Int, in bytes: Span<UInt8>) -> [UInt8] {
        feature.scanAgain(bytes, from: start)
        if check.idRule.propertyName != nil { _ = feature.removeRepeatedNames(bytes) }
        guard let id = check.idRule.id(of: feature, in: bytes) else { return [] }
        check.idRule.identity(id, in: bytes, into: &text)
        return text
    }

    /// Appends the last scanned feature if it is sound; otherwise returns its fault.
    /// - Parameters:
    ///   - point: its place on the map, if rows are selected by it.
    ///   - isCounted: whether the row counts.
    private mutating func append(
        rowAt start: Int, in bytes: Span<UInt8>, _ place: PlaceReading, _ point: WorldPoint?, isCounted: Bool,
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
        if let fault = place.fault { return fault }
        if let fault = check.idFault(feature, in: bytes) { return fault }
        let id = check.idRule.id(of: feature, in: bytes)
        var idHash: UInt64?
        if let id {
            check.idRule.identity(id, in: bytes, into: &text)
            idHash = RowDigest.hash(ofID: text, &number)
        }
        collected.survey.add(digest, isCounted: isCounted, node: point.flatMap { selection?.digestNode(of: $0) })
        collected.survey.columns.add(feature.properties, in: bytes)
        if readsOnlyColumns {
            collected.rows.ignoredCount += 1
        } else {
            collected.rows.accepted.append(
                start: start, longitude: place.longitude, latitude: place.latitude, idHash: idHash)
            if !isCounted { collected.rows.uncountedCount += 1 }
        }
        if removed.repeated != nil || removed.nested != nil { collected.rows.hasRepeatedNames = true }
        guard isCounted else { return nil }
        func shown(_ name: Range<Int>?) -> String { name.map { InputError.quoted(bytes.extracting($0)) } ?? "a member" }
        collected.rows.remarks.add(place, rowAt: start)
        if feature.longitude?.kind == .text || feature.latitude?.kind == .text {
            collected.rows.remarks.add(.textCoordinate, rowAt: start)
        }
        for property in compared.isEmpty ? [] : feature.properties where property.value.kind == .text {
            let range = property.value.text.range
            guard bytes.trimmingBlanks(range) != range,
                compared.contains(String(decoding: property.name.range.map { bytes[$0] }, as: UTF8.self).lowercased())
            else { continue }
            collected.rows.remarks.add(.blanks, rowAt: start, example: shown(range))
        }
        if let id, id.kind == .number, id.range.count > 15, !DecimalLiteral.isSafe(bytes, in: id.range) {
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
    ///   may also have byte order marks, which files that were joined began with, and commas, as if it were an array.
    mutating func nextText(_ bytes: Span<UInt8>, isList: Bool) -> UInt8 {
        var byte = next(bytes)
        while !isList {
            let afterMark = bytes.afterByteOrderMark(at: position)
            guard byte == JSONScanner.recordSeparator || byte == UInt8(ascii: ",") || afterMark > position else {
                break
            }
            position = max(afterMark, position + 1)
            byte = next(bytes)
        }
        return byte
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
        guard !text.contains("\"features\""), !text.contains("featurecollection") else { return }
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
