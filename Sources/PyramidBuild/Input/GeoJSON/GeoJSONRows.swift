import PyramidTiles

/// Checks the features of a GeoJSON input and collects the accepted rows.
struct GeoJSONRows: Sendable {
    let input: InputBytes
    var rows = ReadRows()
    private(set) var survey = GeoJSONRowSurvey()
    /// The last scanned feature.
    var feature = GeoJSONFeatureScanner()
    /// The number of the feature in its collection, counted from 1; `nil` outside a collection.
    var ordinal: Int?
    let check: GeoJSONRowCheck

    private let options: InputOptions
    /// The rows to read; `nil` for all.
    private let area: PartArea?
    /// Whether rows are dropped as soon as their columns are known.
    private let readsOnlyColumns: Bool
    private var text: [UInt8] = []
    private var number: [UInt8] = []

    init(_ input: InputBytes, options: InputOptions, area: PartArea?, readsOnlyColumns: Bool) {
        self.input = input
        self.options = options
        self.area = area
        self.readsOnlyColumns = readsOnlyColumns
        check = GeoJSONRowCheck(idRule: GeoJSONIDRule(options))
    }

    /// An empty value for another chunk of the same input.
    func withoutRows() -> GeoJSONRows {
        GeoJSONRows(input, options: options, area: area, readsOnlyColumns: readsOnlyColumns)
    }

    /// Adds the last scanned feature.
    mutating func add(rowAt start: Int, in bytes: Span<UInt8>) throws(InputError) {
        let point = area == nil ? nil : worldPoint(bytes)
        let place = area.map { self.place(of: point, in: $0) } ?? PartArea.Place.own
        guard place != .outside else {
            rows.ignoredCount += 1
            return
        }
        if let fault = append(rowAt: start, in: bytes, at: point, isOwn: place == .own) {
            guard place == .own else {
                rows.ignoredCount += 1
                return
            }
            let found = rows.log.wantsExample(of: fault) ? check.found(fault, feature, from: start, in: input) : ""
            try skip(fault, rowAt: start, found: found)
        }
        try rows.requireNumberable(in: input.name)
        guard survey.names.count <= InputLimits.columns else {
            throw InputError(.badData, in: input.name, "has more than \(InputLimits.columns) different property names")
        }
    }

    /// Counts a row that isn't a feature.
    mutating func addBad(_ problem: RowProblem, rowAt start: Int, found: String) throws(InputError) {
        guard area?.countsRowsWithoutPlace != false else {
            rows.ignoredCount += 1
            return
        }
        try skip(RowFault(problem: problem), rowAt: start, found: found)
    }

    /// Whether these rows can be appended without exceeding a limit.
    func hasRoom(for next: GeoJSONRows) -> Bool {
        rows.acceptedCount + next.rows.accepted.count <= InputLimits.points
            && survey.names.count + next.survey.names.count <= InputLimits.columns
    }

    /// Appends the rows that come next.
    /// - Parameter ordinal: the number of the last feature before them in its collection.
    mutating func append(_ next: GeoJSONRows, after ordinal: Int) {
        rows.append(next.rows, after: ordinal)
        survey.append(next.survey)
    }

    mutating func countDuplicate(rowAt start: Int) throws(InputError) {
        let elements = input.elements
        feature.scanAgain(elements.span, from: start)
        let fault = RowFault(problem: .duplicateID)
        let found = check.found(fault, feature, from: start, in: input)
        try skip(fault, rowAt: start, found: found)
    }

    mutating func beginSurvey() { survey = GeoJSONRowSurvey() }

    mutating func survey(rowAt start: Int) {
        let elements = input.elements
        let bytes = elements.span
        feature.scanAgain(bytes, from: start)
        // Another program may have changed the names.
        guard survey.number(feature.properties, in: bytes) else { return }
        survey.add(RowDigest(bytes.extracting(start..<feature.end).bytes), feature.properties)
    }

    mutating func id(ofRowAt start: Int) -> [UInt8] {
        let elements = input.elements
        feature.scanAgain(elements.span, from: start)
        guard let id = check.idRule.id(of: feature, in: elements.span) else { return [] }
        check.idRule.identity(id, in: elements.span, into: &text)
        return text
    }

    /// Where a feature is in relation to `area`.
    private func place(of point: WorldPoint?, in area: PartArea) -> PartArea.Place {
        point.map(area.place) ?? (area.countsRowsWithoutPlace ? .own : .outside)
    }

    /// Where the last scanned feature is, even if it has other faults; `nil` if it has no usable place.
    private func worldPoint(_ bytes: Span<UInt8>) -> WorldPoint? {
        var fault: RowFault?
        let longitude = check.microdegrees(feature.longitude, .longitude, in: bytes, &fault)
        let latitude = check.microdegrees(feature.latitude, .latitude, in: bytes, &fault)
        guard fault == nil, feature.isPoint(bytes) else { return nil }
        return WebMercator.project(Coordinate(longitudeMicrodegrees: longitude, latitudeMicrodegrees: latitude))
    }

    /// Appends the last scanned feature if it is sound; otherwise returns its fault.
    /// - Parameters:
    ///   - point: its place, if only the rows of a part are read.
    ///   - isOwn: whether the row counts.
    private mutating func append(
        rowAt start: Int, in bytes: Span<UInt8>, at point: WorldPoint?, isOwn: Bool
    ) -> RowFault? {
        // A row that is too long or too deep is not checked further.
        let digest = RowDigest(bytes.extracting(start..<feature.end).bytes)
        if let fault = check.formFault(feature, digest, from: start, in: bytes) { return fault }
        guard survey.number(feature.properties, in: bytes) else { return RowFault(problem: .repeatedName) }
        if let fault = check.geometryFault(feature, in: bytes) { return fault }
        var fault: RowFault?
        let longitude = check.microdegrees(feature.longitude, .longitude, in: bytes, &fault)
        let latitude = fault == nil ? check.microdegrees(feature.latitude, .latitude, in: bytes, &fault) : 0
        if let fault {
            guard fault.problem == .coordinateOutOfRange else { return fault }
            return check.outOfRange(fault.axis, feature, in: bytes)
        }
        if let fault = check.idFault(feature, in: bytes) { return fault }
        var idHash: UInt64?
        if let id = check.idRule.id(of: feature, in: bytes) {
            check.idRule.identity(id, in: bytes, into: &text)
            idHash = RowDigest.hash(ofID: text, &number)
        }
        survey.add(digest, feature.properties, isOwn: isOwn, node: point.flatMap { area?.digestNode(of: $0) })
        if readsOnlyColumns {
            rows.ignoredCount += 1
        } else {
            rows.accepted.append(start: start, longitude: longitude, latitude: latitude, idHash: idHash)
            if !isOwn { rows.haloCount += 1 }
        }
        return nil
    }

    /// Counts a bad row.
    private mutating func skip(_ fault: RowFault, rowAt start: Int, found: String) throws(InputError) {
        rows.log.count(fault, at: start, found: found, ordinal: ordinal)
        if options.isStrict { try rows.log.requireNone(in: input) }
    }
}
