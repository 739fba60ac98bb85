import PyramidTiles

/// Where a feature's id is: in the property named by the options, or else in its "id" member.
struct GeoJSONIDRule: Sendable {
    /// The name without escapes; compared byte by byte.
    let propertyName: [UInt8]?

    init(_ options: InputOptions) { propertyName = options.idColumn.map { Array($0.utf8) } }

    /// The id; `nil` if there is none, or if it is null or an empty string.
    func id(of feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> JSONValue? {
        let id: JSONValue?
        if let propertyName {
            id = feature.properties.first { bytes.isEqual($0.name, propertyName) }?.value
        } else {
            id = feature.id
        }
        guard let id, id.kind != .null, !(id.kind == .text && id.range.count == 2) else { return nil }
        return id
    }

    /// Writes an id so that equal ids have equal bytes: the text of a string, or the canonical text of a number. A
    /// number equals the string of its digits.
    func identity(_ id: JSONValue, in bytes: Span<UInt8>, into text: inout [UInt8]) {
        guard id.kind == .number else {
            bytes.unescape(id.text, into: &text)
            return
        }
        guard !CanonicalNumber.write(bytes, id.range, into: &text) else { return }
        text.removeAll(keepingCapacity: true)
        for position in id.range { text.append(bytes[position]) }
    }
}
