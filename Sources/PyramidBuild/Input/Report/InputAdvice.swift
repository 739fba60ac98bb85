import PyramidTiles

/// Advice for an input with many rows that are bad in the same way.
struct InputAdvice {
    private let reader: any PointReader
    private var log: BadRowLog { reader.rows.log }
    private var isGeoJSON: Bool { reader is GeoJSONPointReader }

    init(for reader: any PointReader) { self.reader = reader }

    var warnings: [OptionMessage] {
        [coordinates, swappedNames, strings, encoding, backslashes, geometries, objects, commas]
            .compactMap { $0 }
    }

    /// Whether more than half of all rows have this problem.
    private func affectsMostRows(_ problem: RowProblem) -> Bool {
        log.counts[problem, default: 0] * 2 > reader.rows.seenCount
    }

    private var coordinates: OptionMessage? {
        if log.swappedCount * 2 > reader.rows.seenCount {
            let remedy: OptionMessage =
                isGeoJSON
                ? "GeoJSON has the longitude first"
                : pointColumn == nil
                    ? "name the columns with \(.latitudeColumn) and \(.longitudeColumn)"
                    : pointRemedy
            return
                "most latitudes are out of range but would be in range if swapped with the longitudes: \(remedy)"
        }
        guard affectsMostRows(.coordinateOutOfRange) else { return decimalCommas }
        guard log.farCount * 2 > reader.rows.seenCount else {
            return "most coordinates are out of range: are they degrees (WGS 84)?"
        }
        let texts = log.examples(of: [.coordinateOutOfRange]).map { String($0.found.dropFirst().dropLast()) }
        if texts.contains(where: { $0.firstMatch(of: /\d[NSEWnsew]\b/) != nil }) {
            return "most coordinates have no signs between degrees and minutes: write 52°34'N instead of 5234N"
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

    /// Rows whose coordinates were each cut at their decimal commas.
    private var decimalCommas: OptionMessage? {
        guard affectsMostRows(.raggedRow), let rule = reader.syntax.rule, rule.delimiter == UInt8(ascii: ","),
            !rule.place.columns.isPoint
        else { return nil }
        let elements = reader.input.elements
        let bytes = elements.span
        var scanner = CSVRowScanner(rule)
        let columns = [rule.place.columns.latitude.degrees, rule.place.columns.longitude.degrees].sorted()
        let areCut = log.examples(of: [.raggedRow]).allSatisfy { example in
            scanner.scan(bytes, from: example.rowStart)
            let cells = scanner.allFields(of: bytes, from: example.rowStart).map { field in
                String(decoding: field.range.map { bytes[$0] }, as: UTF8.self).trimmingBlanks
            }
            return columns.enumerated().allSatisfy { shift, column in
                guard column + shift + 1 < cells.count, let whole = Int(cells[column + shift]) else { return false }
                return abs(whole) <= 180 && cells[column + shift + 1].utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
            }
        }
        return areCut
            ? "the numbers have decimal commas, and commas separate the cells, too: write the file with semicolons, with "
                + "decimal points, or with quotes around such numbers" : nil
    }

    /// Columns named by the options whose names say the opposite.
    private var swappedNames: OptionMessage? {
        let columns = reader.columns.coordinateColumns
        let names = columns.map { reader.columns.names[$0] }
        let axes = zip(names, columns).map { CoordinateName($0, column: $1)?.axis }
        guard axes == [.latitude, .longitude] else { return nil }
        return
            "longitudes are read from \(InputError.list([names[0]])) and latitudes from \(InputError.list([names[1]])); "
            + "\(.longitudeColumn) and \(.latitudeColumn) seem to be swapped"
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

    /// GeoJSON with numbers in quotes.
    private var strings: OptionMessage? {
        let elements = reader.input.elements
        let bytes = elements.span
        let texts = log.examples(of: isGeoJSON ? [.unreadableCoordinate] : []).map { example in
            var feature = GeoJSONFeatureScanner()
            feature.scanAgain(bytes, from: example.rowStart)
            return [feature.longitude, feature.latitude].compactMap { $0?.kind == .text ? $0?.text.range : nil }
        }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
        let problem: OptionMessage = "coordinates are strings, expected numbers"
        // The command leaves other strings, such as those with decimal commas.
        let areNumbers = texts.contains { $0.count == 2 && $0.allSatisfy { bytes.isNumber(bytes.trimmingBlanks($0)) } }
        guard areNumbers else { return problem }
        let number = #""\s*(-?(?:0|[1-9]\d*)(?:\.\d+)?)\s*""#
        let command =
            #"perl -0777 -pe 's/("coordinates"\s*:\s*\[[\s[]*)\#(number)(\s*,\s*)\#(number)/$1$2$3$4/g' FILE"#
        return problem + "; remove their quotes: \(.buildFromOutput(of: reader.input.command(command)))"
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
            return "\(geometries) JSON within a string; to take it out: "
                + "\(.buildFromOutput(of: reader.input.command(command)))"
        }
        // All their points are kept, if every geometry that isn't a point has several of them.
        if found.allSatisfy(["\"MultiPoint\"", "\"GeometryCollection\""].contains) {
            let command = "ogr2ogr -f GeoJSONSeq -explodecollections /vsistdout/ FILE"
            return "\(geometries) several points together; to make a feature of each point: "
                + "\(.buildFromOutput(of: reader.input.command(command)))"
        }
        // A collection's name has JSON escapes, and the command would need quotes of SQL within quotes of the shell.
        let name = reader.collectionName ?? reader.input.tableName
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
            let command = "ogr2ogr -f GeoJSONSeq /vsistdout/ FILE"
            return "this is TopoJSON; convert it: \(.buildFromOutput(of: reader.input.command(command)))"
        }
        guard found == [RowFault.foundNoType] else { return nil }
        let elements = reader.input.elements
        if let example = log.examples(of: [.notAFeature]).first {
            let object = JSONPath(ofObjectAt: example.rowStart, in: elements.span)
            if let path = object.path {
                return "the features are within another object; take them out: "
                    + "\(.buildFromOutput(of: reader.input.command("jq -c '\(path)' FILE")))"
            }
            if let error = object.error, reader.rows.seenCount == 1 {
                return "this is an error answer of a server (\(error)); download the data again"
            }
        }
        let command = "duckdb -c \"COPY (FROM read_json('FILE')) TO '/dev/stdout' (FORMAT csv)\""
        return "this is JSON without features; if its objects are rows, convert them: "
            + "\(.buildFromOutput(of: reader.input.command(command)))"
    }

    /// Features in lines that end with commas, as if they were in an array.
    private var commas: OptionMessage? {
        let faults = log.examples(of: [.invalidJSON])
        guard !faults.isEmpty, faults.allSatisfy({ reader.input.elements[$0.rowStart] == UInt8(ascii: ",") }) else {
            return nil
        }
        let command = "sed 's/},[[:space:]]*$/}/' FILE"
        return "commas follow the features, expected none outside an array; remove them: "
            + "\(.buildFromOutput(of: reader.input.command(command)))"
    }

    /// Quotes that the writer marked with backslashes instead of doubling them, as MySQL does.
    private var backslashes: OptionMessage? {
        let elements = reader.input.elements
        let bytes = elements.span
        let asText = reader.rows.remarks[.quoteAsText]
        let problems: Set<RowProblem> = [
            .unterminatedQuote, .textAfterQuote, .raggedRow, .unreadableCoordinate, .cutOff,
        ]
        let rows = log.examples(of: problems).map(\.rowStart) + (asText.count > 0 ? [asText.firstRow] : [])
        let isFound = rows.contains { HeaderAdvice.hasBackslashedQuote(bytes, $0..<bytes.nextLine(after: $0)) }
        return isFound && !isGeoJSON ? InputAdvice.backslashedQuotes(reader.input) : nil
    }

    /// Advice for an input whose quotes have backslashes.
    static func backslashedQuotes(_ input: InputBytes) -> OptionMessage {
        let command = input.command(#"perl -pe 's/\\(["\\])/$1 eq q(") ? q("") : $1/ge' FILE"#)
        return "the writer seems to escape quotes by backslashes, expected doubled quotes; double them: "
            + "\(.buildFromOutput(of: command))"
    }
}

extension Span<UInt8> {
    fileprivate func isNumber(_ range: Range<Int>) -> Bool {
        DecimalLiteral(self, from: range.lowerBound, to: range.upperBound).map {
            $0.range == range && $0.isJSON(self) && !$0.hasExponent
        } ?? false
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
}
