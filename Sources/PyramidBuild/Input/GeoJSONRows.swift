/// The rows of a GeoJSON input: judges features, and keeps what the accepted ones come to.
struct GeoJSONRows {
    let input: InputBytes
    var accepted = AcceptedRows()
    private(set) var readCount = 0
    private(set) var log = BadRowLog()
    private(set) var survey = GeoJSONRowSurvey()
    /// Of the row that was scanned last.
    var feature = GeoJSONFeatureScanner()
    /// The number of the feature in its collection, 1 for the first; `nil` outside of one.
    var ordinal: Int?
    let check: GeoJSONRowCheck

    private let isStrict: Bool
    private var text: [UInt8] = []

    /// Rows whose mean length foretells the number of points.
    private static let rowsToMeasure = 1 << 10

    init(_ input: InputBytes, options: InputOptions) {
        self.input = input
        isStrict = options.isStrict
        check = GeoJSONRowCheck(idRule: GeoJSONIDRule(options))
    }

    /// Takes in the feature that was scanned last.
    mutating func add(rowAt start: Int, in bytes: Span<UInt8>) throws(InputError) {
        readCount += 1
        if let fault = take(rowAt: start, in: bytes) {
            let found = log.wantsExample(of: fault) ? check.found(fault, feature, from: start, in: input) : ""
            try skip(fault, rowAt: start, in: bytes, found: found)
        }
        if readCount == GeoJSONRows.rowsToMeasure {
            let rowBytes = max(feature.end / GeoJSONRows.rowsToMeasure, 1)
            // A twentieth more than foretold costs nothing until it is touched.
            let expected = bytes.count / rowBytes / 20 * 21
            accepted.reserveRoom(min(expected, InputLimits.points), withIDs: !accepted.idHashes.isEmpty)
        }
        guard accepted.count <= InputLimits.points else {
            throw InputError(.badData, in: input.name, "has more than \(InputLimits.points) points")
        }
        guard survey.names.count <= InputLimits.columns else {
            throw InputError(.badData, in: input.name, "has more than \(InputLimits.columns) different property names")
        }
    }

    /// Counts a row that is no feature.
    mutating func addBad(
        _ problem: RowProblem, rowAt start: Int, in bytes: Span<UInt8>, found: String
    ) throws(InputError) {
        readCount += 1
        try skip(RowFault(problem: problem), rowAt: start, in: bytes, found: found)
    }

    mutating func skipDuplicates(_ dropped: [Int]) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        for row in dropped {
            let start = Int(accepted.starts[row])
            scanAgain(start, bytes)
            let fault = RowFault(problem: .duplicateID)
            let found = check.found(fault, feature, from: start, in: input)
            try skip(fault, rowAt: start, in: bytes, found: found)
        }
        accepted.remove(dropped)
        survey = GeoJSONRowSurvey()
        for start in accepted.starts {
            scanAgain(Int(start), bytes)
            _ = survey.number(feature.properties, in: bytes)
            survey.add(RowDigest(bytes.extracting(Int(start)..<feature.end).bytes), feature.properties)
        }
    }

    mutating func id(ofRowAt start: Int) -> [UInt8] {
        let elements = input.elements
        scanAgain(start, elements.span)
        guard let id = check.idRule.id(of: feature, in: elements.span) else { return [] }
        check.idRule.identity(id, in: elements.span, into: &text)
        return text
    }

    private mutating func take(rowAt start: Int, in bytes: Span<UInt8>) -> RowFault? {
        // A row that is too long or too deep is not looked into.
        let digest = RowDigest(bytes.extracting(start..<feature.end).bytes)
        if let fault = check.formFault(feature, digest, from: start, in: bytes) { return fault }
        guard survey.number(feature.properties, in: bytes) else { return RowFault(problem: .repeatedName) }
        if let fault = check.geometryFault(feature, in: bytes) { return fault }
        var fault: RowFault?
        let longitude = check.microdegrees(feature.longitude, .longitude, in: bytes, &fault)
        if let fault { return fault }
        let latitude = check.microdegrees(feature.latitude, .latitude, in: bytes, &fault)
        if var fault {
            fault.isSwapped = check.isSwapped(feature, in: bytes)
            return fault
        }
        if let fault = check.idFault(feature, in: bytes) { return fault }
        var idHash: UInt64?
        if let id = check.idRule.id(of: feature, in: bytes) {
            check.idRule.identity(id, in: bytes, into: &text)
            idHash = RowDigest(text.span.bytes).hash
        }
        accepted.append(start: start, longitude: longitude, latitude: latitude, idHash: idHash)
        survey.add(digest, feature.properties)
        return nil
    }

    /// Counts a bad row.
    private mutating func skip(
        _ fault: RowFault, rowAt start: Int, in bytes: Span<UInt8>, found: String
    ) throws(InputError) {
        log.count(fault, at: start, found: found, subject: ordinal.map { "feature \($0)" })
        if isStrict { try log.requireNone(in: input) }
    }

    /// Scans a row that was accepted.
    private mutating func scanAgain(_ start: Int, _ bytes: Span<UInt8>) {
        do throws(JSONFault) {
            try feature.scan(bytes, from: start)
        } catch {
            preconditionFailure("a row that was accepted is not JSON")
        }
    }
}
