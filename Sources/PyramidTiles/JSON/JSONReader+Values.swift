/// Whole values.
extension JSONReader {
    /// Reads a value of any kind.
    /// - Parameter isKept: `false` only checks it, and returns null.
    package mutating func readValue(isKept: Bool, depth: Int = 0) throws(TileDecodingError) -> PropertyValue {
        guard depth < JSONReader.depthLimit else {
            throw error(expected: "values at most \(JSONReader.depthLimit) deep")
        }
        switch peek() {
        case UInt8(ascii: "\""):
            let text = try readText()
            return isKept ? .string(string(text)) : .null
        case UInt8(ascii: "{"):
            return try readObject(isKept: isKept, depth: depth)
        case UInt8(ascii: "["):
            return try readArray(isKept: isKept, depth: depth)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            let number = try readNumber()
            return isKept ? .number(try double(number)) : .null
        default:
            if takeLiteral("true") { return .bool(true) }
            if takeLiteral("false") { return .bool(false) }
            if takeLiteral("null") { return .null }
            throw error(expected: "a value")
        }
    }

    /// The nearest double.
    package func double(_ number: Number) throws(TileDecodingError) -> Double {
        let text = String(decoding: bytes[number.range], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw error(at: number.range.lowerBound, expected: "a number that a double can hold")
        }
        return value
    }

    private mutating func readObject(isKept: Bool, depth: Int) throws(TileDecodingError) -> PropertyValue {
        try expect(UInt8(ascii: "{"), "an object")
        var values: [String: PropertyValue] = [:]
        var keys = JSONKeySet()
        var isFirst = true
        while let key = try nextKey(isFirst: isFirst) {
            guard keys.insert(key, of: self) else {
                throw error(at: key.range.lowerBound - 1, expected: "a key that is not there yet")
            }
            let value = try readValue(isKept: isKept, depth: depth + 1)
            if isKept { values[string(key)] = value }
            isFirst = false
        }
        return isKept ? .object(values) : .null
    }

    private mutating func readArray(isKept: Bool, depth: Int) throws(TileDecodingError) -> PropertyValue {
        try expect(UInt8(ascii: "["), "an array")
        var values: [PropertyValue] = []
        var isFirst = true
        while try nextElement(isFirst: isFirst) {
            let value = try readValue(isKept: isKept, depth: depth + 1)
            if isKept { values.append(value) }
            isFirst = false
        }
        return isKept ? .array(values) : .null
    }
}
