import PyramidTiles

/// Reads the points of GeoJSON (RFC 7946): a FeatureCollection, an array of Features, a Feature on each line, Features
/// after record separators (RFC 8142), or any sequence of these. A feature is a row.
///
/// Only the arrays of accepted rows are stored, so other objects in the input need no memory. If a feature in a
/// collection is broken JSON, the build fails, because the start of the next one can't be found. In a sequence a broken
/// feature is a bad row, and the next one begins at the next line or separator.
package struct GeoJSONPointReader: PointReader {
    package static let isGeoJSON = true

    package var reader: RowReader<GeoJSONRowParser>

    package init(
        _ input: InputBytes, options: InputOptions, selection: (any RowSelection)? = nil, readsOnlyColumns: Bool = false
    ) {
        reader = RowReader(
            input, GeoJSONRowParser(input, options: options, selection: selection, readsOnlyColumns: readsOnlyColumns),
            from: input.elements.span.afterByteOrderMark())
    }

    /// Whether the bytes look like GeoJSON: after white space comes an object, a record separator, or an array that is
    /// empty or begins with an object.
    static func recognises(_ input: InputBytes) -> Bool {
        let elements = input.elements
        let bytes = elements.span
        var scanner = JSONScanner(at: bytes.afterByteOrderMark())
        let first = scanner.next(bytes)
        return first == UInt8(ascii: "{") || first == JSONScanner.recordSeparator
            || first == UInt8(ascii: "[") && scanner.isAtFeatures(bytes)
    }

    package var columns: InputColumns {
        let columns = reader.collected.survey.columns.columns
        let id = reader.parser.check.idRule.propertyName.flatMap { name in
            columns.firstIndex { $0.name.utf8.elementsEqual(name) }
        }
        return InputColumns(
            names: columns.map(\.name), kinds: columns.map(\.kinds), idColumn: id, isOrdered: false)
    }

    package mutating func read(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) {
        let elements = input.elements
        let bytes = elements.span
        while true {
            try reader.readRows(cutting, store: store, progress: progress)
            guard reader.collected.end < bytes.count else { break }
            if bytes[reader.collected.end] == UInt8(ascii: "[") {
                reader.parser.container = "array of features"
                try readFeatures(at: reader.collected.end, in: bytes, cutting, store, progress)
                reader.parser.container = "FeatureCollection"
            } else {
                try readCollection(at: reader.collected.end, in: bytes, cutting, store, progress)
            }
        }
        progress(bytes.count)
    }

    /// Reads the FeatureCollection that begins at `start`.
    private mutating func readCollection(
        at start: Int, in bytes: Span<UInt8>, _ cutting: InputCutting, _ store: (any RowStore)?,
        _ progress: (Int) -> Void
    ) throws(InputError) {
        var scanner = JSONScanner(at: start + 1, allowsNaN: true)
        var isFirst = true
        var hasFeatures = false
        rows.completeness = StatedCompleteness()
        while let name = try requiringJSON(try scanner.nextName(isFirst: isFirst, in: bytes), in: bytes) {
            isFirst = false
            if bytes.isEqual(name, "features") {
                guard !hasFeatures else {
                    throw reader.parser.broken(
                        JSONFault(offset: name.range.lowerBound - 1, expected: "\"features\" only once"), in: bytes)
                }
                hasFeatures = true
                try readFeatures(at: scanner.position, in: bytes, cutting, store, progress)
                scanner.position = reader.collected.end
            } else {
                let value = try requiringJSON(try scanner.scanValue(bytes), in: bytes)
                if bytes.isEqual(name, "crs") { try input.requireWGS84(value, in: bytes) }
                rows.completeness.add(name, value, in: bytes)
                if bytes.isEqual(name, "name"), value.kind == .text {
                    rows.collectionName = String(decoding: value.text.range.map { bytes[$0] }, as: UTF8.self)
                }
            }
        }
        guard hasFeatures else {
            throw reader.parser.broken(
                JSONFault(offset: scanner.position - 1, expected: "features before the end"), in: bytes)
        }
        reader.collected.end = scanner.position
    }

    /// Reads the array of features that begins at `start`.
    private mutating func readFeatures(
        at start: Int, in bytes: Span<UInt8>, _ cutting: InputCutting, _ store: (any RowStore)?,
        _ progress: (Int) -> Void
    ) throws(InputError) {
        var scanner = JSONScanner(at: start)
        try requiringJSON(try scanner.expect(UInt8(ascii: "["), "an array of features", in: bytes), in: bytes)
        let isEmpty = try !requiringJSON(try scanner.nextElement(isFirst: true, in: bytes), in: bytes)
        reader.collected.end = scanner.position
        guard !isEmpty else { return }
        reader.parser.isList = true
        defer { reader.parser.isList = false }
        reader.collected.rowsBefore = rows.seenCount
        guard try reader.readRows(cutting, store: store, progress: progress) else {
            throw reader.parser.broken(JSONFault(offset: bytes.count, expected: "the end of the array"), in: bytes)
        }
    }

    /// Reads a piece of a collection; a fault ends the build.
    private func requiringJSON<Piece>(
        _ piece: @autoclosure () throws(JSONFault) -> Piece, in bytes: Span<UInt8>
    ) throws(InputError) -> Piece {
        do throws(JSONFault) { return try piece() } catch { throw reader.parser.broken(error, in: bytes) }
    }
}

extension InputBytes {
    /// Checks a collection's `crs`, a member of GeoJSON before RFC 7946:
    /// `{"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}`. It may be null, or name no system.
    /// - Throws: ``InputError`` unless the system is WGS 84, the only one GeoJSON allows.
    fileprivate func requireWGS84(_ crs: JSONValue, in bytes: Span<UInt8>) throws(InputError) {
        func member(_ name: StaticString, of object: JSONValue?) -> JSONValue? {
            (try? object?.members(in: bytes))?.first { bytes.isEqual($0.name, name) }?.value
        }
        guard let found = member("name", of: member("properties", of: crs)), found.kind == .text else { return }
        let name = found.text.range.map { bytes[$0] }
        let letters = String(decoding: name, as: UTF8.self).uppercased().filter { $0 != " " }
        // In names such as "urn:ogc:def:crs:EPSG::4326" and "http://www.opengis.net/def/crs/OGC/1.3/CRS84".
        let last = letters.split { $0 == ":" || $0 == "/" || $0 == "#" }.last ?? ""
        guard !["CRS84", "CRS84H", "4326", "4979", "WGS84"].contains(last) else { return }
        let conversion = command("ogr2ogr -f GeoJSONSeq /vsistdout/ FILE")
        throw InputError(
            .badData, in: self.name,
            "crs is \(InputError.quoted(name)), expected WGS 84; convert it: \(.buildFromOutput(of: conversion))")
    }
}
