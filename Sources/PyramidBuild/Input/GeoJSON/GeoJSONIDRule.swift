import PyramidTiles

/// Which value of a feature is its id: the property named in the options, or else the feature's own id.
struct GeoJSONIDRule: Sendable {
    /// Unescaped; compared byte by byte.
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

    /// Makes equal ids comparable: the text of a string, or the canonical text of a number. A number equals the string of
    /// its digits.
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

/// Compares ids of all inputs.
enum IDText {
    /// A hash of an id's text. All spellings of a number have the same one, as the types of the columns are not known yet.
    static func hash(_ text: Span<UInt8>) -> UInt64 {
        // Most ids that are numbers are canonical, so that this stays empty.
        var number: [UInt8] = []
        guard text.count > 0, mayBeNumber(text[0]), CanonicalNumber.write(text, 0..<text.count, into: &number) else {
            return RowDigest(text.bytes).hash
        }
        return RowDigest(number.span.bytes).hash
    }

    /// Whether a number can begin with the byte, or blanks before one.
    private static func mayBeNumber(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: "9") }
}
