import PyramidTiles

/// Advice for an input with many rows that are bad in the same way.
struct InputAdvice {
    private let reader: any PointReader
    private var log: BadRowLog { reader.rows.log }
    private var isGeoJSON: Bool { reader.syntax == .geoJSON }

    init(for reader: any PointReader) { self.reader = reader }

    var warnings: [OptionMessage] {
        [coordinates, encoding, geometries, objects].compactMap { $0 }
    }

    /// Whether more than half of all rows have this problem.
    private func affectsMostRows(_ problem: RowProblem) -> Bool {
        log.counts[problem, default: 0] * 2 > reader.rows.count
    }

    private var coordinates: OptionMessage? {
        if log.swappedCount * 2 > reader.rows.count {
            let remedy: OptionMessage =
                isGeoJSON
                ? "GeoJSON has the longitude first"
                : pointColumn == nil
                    ? "name the columns with \(.latitudeColumn) and \(.longitudeColumn)"
                    : "expected \(PointText.expected)"
            return
                "most latitudes are out of range but would be in range if swapped with the longitudes: \(remedy)"
        }
        guard affectsMostRows(.coordinateOutOfRange) else { return nil }
        guard log.farCount * 2 > reader.rows.count else {
            return "most coordinates are out of range: are they degrees (WGS 84)?"
        }
        return "most coordinates are far too large for degrees, so they are probably metres; convert them, where CODE "
            + "is the EPSG code of their system: \(.buildFromOutput(of: conversion))"
    }

    /// The command that converts coordinates in metres to degrees.
    private var conversion: String {
        let systems = "-s_srs EPSG:CODE -t_srs EPSG:4326 /vsistdout/ \(reader.input.shellWord)"
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
        guard let count = log.counts[.invalidUTF8], !isGeoJSON else { return nil }
        let rows = "\(NumberText.counted(count, "row")) \(count == 1 ? "is" : "are")"
        return "\(rows) not valid UTF-8; \(reader.input.latin1Advice)"
    }

    private var geometries: OptionMessage? {
        guard affectsMostRows(.notAPoint) else { return nil }
        // A collection's name has JSON escapes, and the command would need quotes of SQL within quotes of the shell.
        let name = reader.collectionName ?? reader.input.tableName
        let table = ShellWord.isPlain(name) ? name : "TABLE"
        let command =
            "ogr2ogr -f GeoJSONSeq /vsistdout/ \(reader.input.shellWord) -dialect SQLite "
            + "-sql 'SELECT ST_PointOnSurface(geometry), * FROM \"\(table)\"'"
        return "most geometries are not points; to make a point of each: \(.buildFromOutput(of: command))"
    }

    private var objects: OptionMessage? {
        guard affectsMostRows(.notAFeature) else { return nil }
        let found = Set(log.examples.filter { $0.fault.problem == .notAFeature }.map(\.found))
        if found == ["\"Topology\""] {
            let command = "ogr2ogr -f GeoJSONSeq /vsistdout/ \(reader.input.shellWord)"
            return "this is TopoJSON; convert it: \(.buildFromOutput(of: command))"
        }
        guard found == [RowFault.foundNoType] else { return nil }
        let command = "duckdb -c \"COPY (FROM read_json('\(reader.input.shellWord)')) TO '/dev/stdout' (FORMAT csv)\""
        return "this is JSON without features; if its objects are rows, convert them: \(.buildFromOutput(of: command))"
    }
}

extension InputBytes {
    /// Advice for text that isn't UTF-8.
    var latin1Advice: OptionMessage {
        "if the text is Windows-1252 (Latin-1), convert it: "
            + "\(.buildFromOutput(of: "iconv -f windows-1252 -t utf-8 \(shellWord)"))"
    }

    /// GDAL's name for the file's table: the file's name without its last extension.
    fileprivate var tableName: String {
        let parts = (name.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
        return (parts.count > 1 ? parts.dropLast() : parts).joined(separator: ".")
    }
}
