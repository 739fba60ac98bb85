import PyramidTiles

/// Advice for an input with many rows that are bad in the same way.
struct InputAdvice {
    private let reader: any PointReader
    private var log: BadRowLog { reader.rows.log }
    private var isGeoJSON: Bool { type(of: reader).isGeoJSON }

    init(for reader: any PointReader) { self.reader = reader }

    var warnings: [OptionMessage] {
        [coordinates, names, delimiters, encoding, backslashes, geometries, objects].compactMap(\.self)
    }

    private func cured(_ problem: OptionMessage, by command: String) -> OptionMessage {
        "\(problem): \(.buildFromOutput(of: reader.input.command(command)))"
    }

    /// Whether more than half of all rows have this problem.
    private func affectsMostRows(_ problem: RowProblem) -> Bool {
        log.counts[problem, default: 0] * 2 > reader.rows.seenCount
    }

    private var coordinates: OptionMessage? {
        if log.swappedCount * 2 > reader.rows.seenCount {
            let remedy: OptionMessage =
                pointColumn == nil ? "name the columns with \(.latitudeColumn) and \(.longitudeColumn)" : pointRemedy
            return "most latitudes are out of range but would be in range if swapped with the longitudes: "
                + (isGeoJSON ? "GeoJSON has the longitude first" : remedy)
        }
        guard affectsMostRows(.coordinateOutOfRange) else { return decimalCommas }
        guard log.farCount * 2 > reader.rows.seenCount else {
            return "most coordinates are out of range: are they degrees (WGS 84)?"
        }
        let texts = log.examples(of: [.coordinateOutOfRange]).map { String($0.found.dropFirst().dropLast()) }
        if texts.contains(where: {
            $0.firstMatch(of: /\d[NSEW]\b|\b[NS]\d\d[0-5]\d([0-5]\d)?\b|\b[EW]\d{3}[0-5]\d([0-5]\d)?\b/.ignoresCase())
                != nil
        }) {
            return "most coordinates have no signs between degrees and minutes: write 52°34'N instead of 5234N or N5234"
        }
        if texts.allSatisfy({ $0.wholeMatch(of: /-?\d{4,5}\.\d+/) != nil }) {
            return
                "most coordinates look like NMEA's ddmm.mmmm, such as 4807.038 for 48°07.038', which is read beside a column "
                + "with N or S, and E or W: add these columns to \(.latitudeColumn) and \(.longitudeColumn) behind a comma"
        }
        let metres: OptionMessage =
            "convert them, where CODE is the EPSG code of their system: \(.buildFromOutput(of: conversion))"
        guard isGeoJSON || pointColumn != nil || texts.contains(where: { $0.contains { !$0.isNumber && $0 != "-" } })
        else {
            return
                "most coordinates are far too large for degrees; whole numbers can be degrees times 10^5, 10^6 or 10^7: then "
                + "let the names of both columns end in E5, E6 or E7; or they are metres: \(metres)"
        }
        return "most coordinates are far too large for degrees, so they are probably metres; \(metres)"
    }

    /// Columns named by the options whose names say the opposite.
    private var names: OptionMessage? {
        let axes = reader.columns.coordinateColumns.map { CoordinateName(reader.columns.names[$0], column: $0)?.axis }
        return axes == [.latitude, .longitude]
            ? "by their names, \(.longitudeColumn) and \(.latitudeColumn) are swapped" : nil
    }

    /// Rows that have another delimiter than the header.
    private var delimiters: OptionMessage? {
        guard affectsMostRows(.raggedRow), let header = (reader as? CSVPointReader)?.header else { return nil }
        let elements = reader.input.elements
        let bytes = elements.span
        let other = CSVHeaderReading.delimiters.first { delimiter in
            log.examples(of: [.raggedRow]).allSatisfy { example in
                CSVHeaderReading(bytes, at: example.rowStart, delimiter, acrossLines: false).names.count
                    == header.names.count
            }
        }
        guard let other, header.names.count > 1 else { return nil }
        let signs = [header.rule.delimiter, other].map { $0 == UInt8(ascii: "\t") ? "\\t" : String(UnicodeScalar($0)) }
        return cured(
            "the header has \"\(signs[0])\" between its names, and the rows have \"\(signs[1])\"; change the header",
            by: "sed '\(reader.input.line(at: header.start))s/\(signs[0])/\(signs[1])/g' FILE")
    }

    /// Rows whose coordinates were each cut at their decimal commas.
    private var decimalCommas: OptionMessage? {
        guard affectsMostRows(.raggedRow), let rule = reader.syntax.rule, rule.delimiter == UInt8(ascii: ","),
            !rule.place.columns.isPoint
        else { return nil }
        let elements = reader.input.elements
        let bytes = elements.span
        let columns = [rule.place.columns.latitude.degrees, rule.place.columns.longitude.degrees].sorted()
        let areCut = log.examples(of: [.raggedRow]).allSatisfy { example in
            let cells = rule.allFields(ofRowAt: example.rowStart, in: bytes).map { bytes.trimmingBlanks($0.range) }
            // Each is a whole number, with its decimals in the next cell.
            return cells.count == rule.fieldCount + 2
                && [columns[0], columns[0] + 1, columns[1] + 1, columns[1] + 2].allSatisfy {
                    DecimalLiteral(bytes, in: cells[$0])?.isInteger == true
                }
        }
        return areCut
            ? "the numbers have decimal commas, and commas separate the cells, too: write the file with semicolons, with "
                + "decimal points, or with quotes around such numbers" : nil
    }

    /// What helps if most points have their numbers in another order than they are read.
    private var pointRemedy: OptionMessage {
        let texts = log.examples(of: [.coordinateOutOfRange]).map { Array($0.found.utf8.dropFirst().dropLast()) }
        let points = texts.lazy.compactMap { PointText($0.span, $0.indices, order: reader.syntax.rule?.place.order) }
        guard let pointColumn, let point = points.first(where: { !$0.hasFixedOrder }) else {
            return "expected \(PointText.expected)"
        }
        let (first, other) =
            point.order == .latitudeFirst
            ? ("longitude", PointOrder.longitudeFirst) : ("latitude", PointOrder.latitudeFirst)
        let name = ShellWord.quoted(reader.columns.names[pointColumn])
        return "the \(first) seems to stand first; read it with \(.pointColumn) \(name):\(other.rawValue)"
    }

    /// The command that converts coordinates in metres to degrees.
    private var conversion: String {
        let systems = "-s_srs EPSG:CODE -t_srs EPSG:4326 /vsistdout/ \(reader.input.gdalWord)"
        if isGeoJSON { return "ogr2ogr -f GeoJSONSeq \(systems)" }
        let names = reader.columns.coordinateColumns.map { ShellWord.quoted(reader.columns.names[$0]) }
        let columns =
            pointColumn == nil
            ? "-oo X_POSSIBLE_NAMES=\(names[0]) -oo Y_POSSIBLE_NAMES=\(names[1])"
            : "-oo GEOM_POSSIBLE_NAMES=\(names[0])"
        return "ogr2ogr -f CSV -lco GEOMETRY=AS_XY \(columns) -oo KEEP_GEOM_COLUMNS=NO \(systems)"
    }

    private var pointColumn: Int? {
        reader.columns.coordinateColumns.count == 1 ? reader.columns.coordinateColumns[0] : nil
    }

    private var encoding: OptionMessage? {
        guard let count = log.counts[.invalidUTF8] else { return nil }
        let rows = "\(NumberText.counted(count, "row")) \(count == 1 ? "is" : "are")"
        return "\(rows) not valid UTF-8; \(reader.input.latin1Advice)"
    }

    private var geometries: OptionMessage? {
        guard let count = log.counts[.notAPoint] else { return nil }
        let found = log.examples(of: [.notAPoint]).map(\.found)
        let geometries = count == 1 ? "1 geometry is" : "\(NumberText.grouped(count)) geometries are"
        if found.allSatisfy({ $0.hasPrefix("\"{") }) {
            let command =
                "jq -c '(if type == \"array\" then .[] else (.features[]? // .) end) | "
                + ".geometry |= (if type == \"string\" then fromjson else . end)' FILE"
            return cured("\(geometries) JSON within a string; to take it out", by: command)
        }
        if found.allSatisfy({ $0.lowercased() == "\"point\"" }) {
            let command =
                "jq -c '(if type == \"array\" then .[] else (.features[]? // .) end) | "
                + "(.geometry.type | strings) |= sub(\"^point$\"; \"Point\"; \"i\")' FILE"
            return cured("the type must be written \"Point\"; change it", by: command)
        }
        // All their points are kept, if every geometry that isn't a point has several of them.
        if found.allSatisfy(["\"MultiPoint\"", "\"GeometryCollection\""].contains) {
            return cured(
                "\(geometries) several points together; to make a feature of each point",
                by: "ogr2ogr -f GeoJSONSeq -explodecollections /vsistdout/ FILE")
        }
        // A collection's name has JSON escapes, and the command would need quotes of SQL within quotes of the shell.
        let name = reader.rows.collectionName ?? reader.input.tableName
        let table = ShellWord.isPlain(name) ? name : "TABLE"
        let command =
            "ogr2ogr -f GeoJSONSeq /vsistdout/ \(reader.input.gdalWord) -dialect SQLite "
            + "-sql 'SELECT ST_PointOnSurface(geometry), * FROM \"\(table)\"'"
        return
            "\(geometries) \(count == 1 ? "not a point" : "not points"); to make a point of each: \(.buildFromOutput(of: command))"
    }

    private var objects: OptionMessage? {
        guard affectsMostRows(.notAFeature) else { return nil }
        let found = Set(log.examples.filter { $0.fault.problem == .notAFeature }.map(\.found))
        if found == ["\"Topology\""] {
            return cured("this is TopoJSON; convert it", by: "ogr2ogr -f GeoJSONSeq /vsistdout/ FILE")
        }
        guard found == [RowFault.foundNoType] else { return nil }
        if reader.rows.seenCount == 1, let example = log.examples(of: [.notAFeature]).first,
            let error = reader.input.statedError(at: example.rowStart)
        {
            return "this is an error answer of a server (\(error)); download the data again"
        }
        return cured(
            "this is JSON without features; if its objects are rows, convert them",
            by: "duckdb -c \"COPY (FROM read_json('FILE')) TO '/dev/stdout' (FORMAT csv)\"")
    }

    /// Quotes that the writer marked with backslashes instead of doubling them, as MySQL does.
    private var backslashes: OptionMessage? {
        let elements = reader.input.elements
        let bytes = elements.span
        let asText = reader.rows.remarks[.quoteAsText]
        let rows =
            log.examples(of: [.raggedRow, .unreadableCoordinate, .cutOff]).map(\.rowStart)
            + (asText.count > 0 ? [asText.firstRow] : [])
        let isFound = rows.contains { HeaderAdvice.hasBackslashedQuote(bytes, $0..<bytes.nextLine(after: $0)) }
        guard isFound, !isGeoJSON else { return nil }
        return cured(
            "the writer seems to escape quotes by backslashes, expected doubled quotes; double them",
            by: #"perl -pe 's/\\(["\\])/$1 eq q(") ? q("") : $1/ge' FILE"#)
    }
}

extension BadRowLog {
    fileprivate func examples(of problems: Set<RowProblem>) -> [Example] {
        examples.filter { problems.contains($0.fault.problem) }
    }
}

extension InputBytes {
    /// GDAL's name for the file's table: the file's name without its last extension.
    fileprivate var tableName: String {
        let parts = (name.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
        return (parts.count > 1 ? parts.dropLast() : parts).joined(separator: ".")
    }

    /// The text of an object that states an error, such as a server's answer to a failed request.
    fileprivate func statedError(at start: Int) -> String? {
        let elements = elements
        let bytes = elements.span
        var scanner = JSONScanner(at: start, allowsNaN: true)
        let members = (try? scanner.scanValue(bytes).members(in: bytes)) ?? []
        let error = members.first { name, value in
            value.kind != .null
                && ["error", "errors", "message", "exception"].contains { (known: StaticString) in
                    bytes.isEqual(name, known)
                }
        }?.value
        return error.map { InputError.quoted(bytes.extracting($0.kind == .text ? $0.text.range : $0.range)) }
    }
}
