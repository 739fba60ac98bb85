import PyramidTiles

/// Which value of a feature is its id: the property that was asked for, else the feature's own.
struct GeoJSONIDRule: Sendable {
    /// As it stands in the input, unescaped; matched byte by byte.
    let propertyName: [UInt8]?

    init(_ options: InputOptions) { propertyName = options.idColumn.map { Array($0.utf8) } }

    /// The id; `nil` where there is none, and for null and the empty string.
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

    /// What is the same for ids that are: of a string its text, of a number the shortest digits. A number and the string
    /// of its digits are the same too.
    func identity(_ id: JSONValue, in bytes: Span<UInt8>, into text: inout [UInt8]) {
        guard id.kind == .number else {
            bytes.unescape(id.text, into: &text)
            return
        }
        text.removeAll(keepingCapacity: true)
        var isInteger = true
        for index in id.range {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") { isInteger = false }
            text.append(byte)
        }
        guard !isInteger, let value = Double(String(decoding: text, as: UTF8.self)) else { return }
        text = Array((Int(exactly: value).map { String($0) } ?? String(value)).utf8)
    }
}
