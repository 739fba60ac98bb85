import PyramidTiles

/// How GeoJSON features are written again: the properties in their own order, null left out, every value as canonical
/// JSON (`Span.appendCanonicalJSON(_:to:)`).
struct GeoJSONRecordFormat: Sendable {
    let idRule: GeoJSONIDRule
    let columns: TableColumns
    /// By the table's column.
    private let isWritten: [Bool]

    /// - Parameter input: the columns of the features' input.
    init(idRule: GeoJSONIDRule, columns: TableColumns) {
        self.idRule = idRule
        self.columns = columns
        isWritten = columns.columns.indices.map { column in
            let isID = idRule.propertyName.map { columns.columns[column].name.utf8.elementsEqual($0) } ?? false
            return columns.isWritten(column, isPlace: isID)
        }
    }

    /// The text of a property of the feature at `start`: of a string its characters, of others their JSON, empty where it
    /// is missing or null; valid during the call.
    func withText(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, from start: Int, scratch: inout GeoJSONRecordScratch,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let span = bytes.assumingMemoryBound(to: UInt8.self).span
        guard let value = value(ofColumn: column, in: span, from: start, scratch: &scratch) else {
            body(UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        if value.kind == .text {
            scratch.withText(value.text, in: bytes, body)
        } else {
            scratch.withJSON(value, in: bytes, body)
        }
    }

    /// Writes one property of the feature at `start`, or nothing where it is missing or null.
    func appendProperty(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, from start: Int, to encoder: inout GeoJSONTileEncoder,
        scratch: inout GeoJSONRecordScratch
    ) {
        let span = bytes.assumingMemoryBound(to: UInt8.self).span
        guard let value = value(ofColumn: column, in: span, from: start, scratch: &scratch) else { return }
        scratch.withJSON(value, in: bytes) {
            encoder.append(quotedName: columns.columns[column].quotedName, json: $0)
        }
    }

    /// Begins a point feature with the properties of the feature at `start`.
    func append(
        _ bytes: UnsafeRawBufferPointer, from start: Int, at coordinate: Coordinate,
        to encoder: inout GeoJSONTileEncoder, scratch: inout GeoJSONRecordScratch
    ) {
        let span = bytes.assumingMemoryBound(to: UInt8.self).span
        scratch.scan(span, from: start)
        if let id = idRule.id(of: scratch.feature, in: span) {
            let isNumber = id.kind == .number
            scratch.withText(isNumber ? JSONText(id.range) : id.text, in: bytes) { text in
                encoder.beginPoint(at: coordinate, id: (text, isNumber))
            }
        } else {
            encoder.beginPoint(at: coordinate)
        }
        for index in scratch.feature.properties.indices {
            let property = scratch.feature.properties[index]
            guard property.value.kind != .null else { continue }
            let column = scratch.column(of: property.name, at: index, in: span, columns)
            guard isWritten[column] else { continue }
            scratch.withJSON(property.value, in: bytes) {
                encoder.append(quotedName: columns.columns[column].quotedName, json: $0)
            }
        }
    }

    private func value(
        ofColumn column: Int, in bytes: Span<UInt8>, from start: Int, scratch: inout GeoJSONRecordScratch
    ) -> JSONValue? {
        scratch.scan(bytes, from: start)
        let properties = scratch.feature.properties
        for index in properties.indices
        where scratch.column(of: properties[index].name, at: index, in: bytes, columns) == column {
            return properties[index].value.kind == .null ? nil : properties[index].value
        }
        return nil
    }
}
