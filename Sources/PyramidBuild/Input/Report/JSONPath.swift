import PyramidTiles

/// Where features are within an object that isn't GeoJSON, and what it says if it is the answer to a request that failed.
struct JSONPath {
    /// The path of a FeatureCollection or of an array of Features, as jq writes it; `nil` if there is none.
    private(set) var path: String?
    /// The member that states an error, for a message.
    private(set) var error: String?

    /// Deeper objects are not looked at.
    private static let depth = 6

    init(ofObjectAt start: Int, in bytes: Span<UInt8>) {
        var scanner = JSONScanner(at: start, allowsNaN: true)
        guard let value = try? scanner.scanValue(bytes) else { return }
        path = JSONPath.path(of: value, in: bytes, depth: 0)
        for (name, value) in (try? value.members(in: bytes)) ?? []
        where ["error", "errors", "message", "exception"].contains(where: { bytes.isEqual(name, $0) })
            && value.kind != .null
        {
            error = error ?? InputError.quoted(bytes.extracting(value.kind == .text ? value.text.range : value.range))
        }
    }

    /// Empty for the value itself.
    private static func path(of value: JSONValue, in bytes: Span<UInt8>, depth: Int) -> String? {
        guard depth <= JSONPath.depth else { return nil }
        if value.kind == .array {
            guard let first = (try? value.elements(in: bytes))?.first else { return nil }
            return isOfType("Feature", first, in: bytes)
                ? "" : path(of: first, in: bytes, depth: depth + 1).map { "[]\($0)" }
        }
        guard value.kind == .object else { return nil }
        if isOfType("FeatureCollection", value, in: bytes) { return "" }
        for (name, member) in (try? value.members(in: bytes)) ?? [] {
            guard let rest = path(of: member, in: bytes, depth: depth + 1) else { continue }
            let key = String(decoding: name.range.map { bytes[$0] }, as: UTF8.self)
            let isPlain = key.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
            guard isPlain || !key.contains("'") else { return nil }
            return ".\(isPlain ? key : "\"\(key)\"")\(rest)"
        }
        return nil
    }

    private static func isOfType(_ type: StaticString, _ value: JSONValue, in bytes: Span<UInt8>) -> Bool {
        (try? value.members(in: bytes))?.contains {
            bytes.isEqual($0.name, "type") && $0.value.kind == .text && bytes.isEqual($0.value.text, type)
        } ?? false
    }
}
