import PyramidTiles

/// A place at which two JSON texts differ.
package struct JSONDifference: Equatable {
    /// Such as `features[0].properties.name`; empty for the whole text.
    package let path: String
    /// The JSON at the path, shortened; `nil` if there is none.
    package let found, expected: String?

    package init(path: String, found: String?, expected: String?) {
        (self.path, self.found, self.expected) = (path, found, expected)
    }
}

/// Finds where two JSON texts differ, in the order of the expected one.
package struct JSONComparison {
    private let found, expected: [UInt8]
    private let limit: Int
    private let isIgnored: (String) -> Bool
    private var differences: [JSONDifference] = []

    /// The differences, at most `limit`. They can be empty even if the texts differ, in white space alone.
    /// - Parameter isIgnored: whether a path, and all in it, is left out.
    /// - Throws: `JSONFault` if a text isn't JSON.
    package static func differences(
        of found: [UInt8], from expected: [UInt8], limit: Int,
        ignoring isIgnored: @escaping (String) -> Bool = { _ in false }
    ) throws(JSONFault) -> [JSONDifference] {
        var comparison = JSONComparison(found: found, expected: expected, limit: limit, isIgnored: isIgnored)
        var (foundScanner, expectedScanner) = (JSONScanner(), JSONScanner())
        try comparison.compare(
            try foundScanner.scanValue(found.span), try expectedScanner.scanValue(expected.span), at: "")
        return comparison.differences
    }

    private init(found: [UInt8], expected: [UInt8], limit: Int, isIgnored: @escaping (String) -> Bool) {
        (self.found, self.expected, self.limit, self.isIgnored) = (found, expected, limit, isIgnored)
    }

    /// Its depth is that of the expected text, whatever was found.
    private mutating func compare(_ one: JSONValue, _ other: JSONValue, at path: String) throws(JSONFault) {
        guard differences.count < limit, !found[one.range].elementsEqual(expected[other.range]), !isIgnored(path)
        else { return }
        if one.kind == .object, other.kind == .object {
            try compareMembers(one, other, at: path)
        } else if one.kind == .array, other.kind == .array {
            try compareElements(one, other, at: path)
        } else {
            add(path, one, other)
        }
    }

    private mutating func compareMembers(_ one: JSONValue, _ other: JSONValue, at path: String) throws(JSONFault) {
        let own = try JSONComparison.members(of: one, in: found)
        let others = try JSONComparison.members(of: other, in: expected)
        let values = Dictionary(own) { first, _ in first }
        let before = differences.count
        for (name, value) in others {
            let path = JSONComparison.path(path, name)
            if let own = values[name] { try compare(own, value, at: path) } else { add(path, nil, value) }
        }
        let names = Set(others.map(\.name))
        for (name, value) in own where !names.contains(name) { add(JSONComparison.path(path, name), value, nil) }
        // The names are the same, but in another order, or repeated.
        let isKept = { [isIgnored] (name: [UInt8]) in !isIgnored(JSONComparison.path(path, name)) }
        if differences.count == before, own.map(\.name).filter(isKept) != others.map(\.name).filter(isKept) {
            add(path, one, other)
        }
    }

    private mutating func compareElements(_ one: JSONValue, _ other: JSONValue, at path: String) throws(JSONFault) {
        let own = try one.elements(in: found.span)
        let others = try other.elements(in: expected.span)
        for index in 0..<max(own.count, others.count) {
            let path = "\(path)[\(index)]"
            guard index < own.count, index < others.count else {
                add(path, own.dropFirst(index).first, others.dropFirst(index).first)
                continue
            }
            try compare(own[index], others[index], at: path)
        }
    }

    private mutating func add(_ path: String, _ one: JSONValue?, _ other: JSONValue?) {
        guard differences.count < limit, !isIgnored(path) else { return }
        differences.append(
            JSONDifference(
                path: path, found: one.map { JSONComparison.text(found[$0.range]) },
                expected: other.map { JSONComparison.text(expected[$0.range]) }))
    }
}

extension JSONComparison {
    private static func members(
        of object: JSONValue, in bytes: [UInt8]
    ) throws(JSONFault) -> [(name: [UInt8], value: JSONValue)] {
        try object.members(in: bytes.span).map { (bytes.span.unescaped($0.name), $0.value) }
    }

    /// Names that could be taken for paths are quoted.
    private static func path(_ path: String, _ name: [UInt8]) -> String {
        let name = String(decoding: name, as: UTF8.self)
        let isPlain = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        guard isPlain else { return "\(path)[\"\(name)\"]" }
        return path.isEmpty ? name : "\(path).\(name)"
    }

    private static let shownBytes = 80

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(shownBytes), as: UTF8.self) + (bytes.count > shownBytes ? "…" : "")
    }
}
