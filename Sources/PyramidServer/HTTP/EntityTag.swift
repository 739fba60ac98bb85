import PyramidTiles

/// Identifies the exact bytes of a response, so that a client doesn't fetch them twice.
///
/// Source: [RFC 9110, 8.8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3).
struct EntityTag: Equatable {
    /// With its quotes.
    let text: String

    /// - Parameter isGzip: whether these are the bytes of the gzip coding, which always differ from the plain ones.
    init(_ bytes: [UInt8], isGzip: Bool) {
        text = "\"\(Gzip.crc32(bytes).hexadecimal)-\(String(bytes.count, radix: 16))\(isGzip ? "-gzip" : "")\""
    }

    /// For a file too large to be read twice.
    init(_ file: OpenedFile) {
        text = "\"\(file.version.text)\""
    }

    /// Whether a client that sends this `If-None-Match` has the bytes.
    func matches(_ field: String?) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").map(\.trimmingBlanks).contains {
            $0 == "*" || $0 == text || $0 == "W/\(text)"
        }
    }
}
