/// Where bytes stop being JSON, and what was expected there.
struct JSONFault: Error {
    var offset: Int
    var expected: StaticString
}

/// Where a string stands in the input, its quotes left out.
struct JSONText: Sendable {
    var start: Int
    var end: Int
    var hasEscapes: Bool

    var range: Range<Int> { start..<end }
}

extension JSONText {
    /// Bytes that stand for themselves.
    init(_ range: Range<Int>) { self.init(start: range.lowerBound, end: range.upperBound, hasEscapes: false) }
}

/// Where a value stands in the input.
struct JSONValue: Sendable {
    enum Kind: Sendable {
        case text, number, boolean, null, object, array
    }

    var kind: Kind
    /// A string's quotes are in it.
    var range: Range<Int>
    /// Of a string only.
    var hasEscapes = false

    /// A string without its quotes.
    var text: JSONText { JSONText(start: range.lowerBound + 1, end: range.upperBound - 1, hasEscapes: hasEscapes) }
}

/// Finds the values of JSON text (RFC 8259) in one pass, strictly by the grammar and without recursion, so that no depth
/// can exhaust the stack. What the grammar allows and a reader of the tiles might not is noted: see the flags.
///
/// It is not the reader of tiles in PyramidTiles, because a loop over bytes across modules is slow, and because that one
/// refuses what must be stepped over here.
struct JSONScanner: Sendable {
    var position = 0
    /// How many brackets are open around the values that are scanned.
    var depth = 0
    /// The most brackets that were open at once; set it back where a record begins.
    var deepest = 0
    /// A number was met that is too large for a 64-bit float.
    var hasHugeNumber = false
    /// An escape was met that is half of a surrogate pair, which stands for no character.
    var hasLoneSurrogate = false
    private var containers: [UInt8] = []

    /// Steps over white space, and returns the byte that follows without taking it; 0 at the end, which is never JSON.
    @inline(__always)
    mutating func next(_ bytes: Span<UInt8>) -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
            position += 1
        }
        return 0
    }

    mutating func expect(_ byte: UInt8, _ expected: StaticString, in bytes: Span<UInt8>) throws(JSONFault) {
        guard next(bytes) == byte else { throw JSONFault(offset: position, expected: expected) }
        position += 1
    }

    /// The next name of an object whose brace is taken, with its colon; `nil` where the object ends.
    mutating func nextName(isFirst: Bool, in bytes: Span<UInt8>) throws(JSONFault) -> JSONText? {
        let byte = next(bytes)
        if byte == UInt8(ascii: "}") {
            position += 1
            return nil
        }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the object", in: bytes) }
        guard next(bytes) == UInt8(ascii: "\"") else { throw JSONFault(offset: position, expected: "a name in quotes") }
        let name = try scanText(bytes)
        try expect(UInt8(ascii: ":"), "a colon", in: bytes)
        return name
    }

    /// Whether another element follows in an array whose bracket is taken; takes the comma or the closing bracket.
    mutating func nextElement(isFirst: Bool, in bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        if next(bytes) == UInt8(ascii: "]") {
            position += 1
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the array", in: bytes) }
        return true
    }

    /// Steps over a value of any kind.
    mutating func scanValue(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let byte = next(bytes)
        let start = position
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return try scanScalar(byte, bytes) }
        try skipContainer(bytes)
        return JSONValue(kind: byte == UInt8(ascii: "{") ? .object : .array, range: start..<position)
    }

    private mutating func skipContainer(_ bytes: Span<UInt8>) throws(JSONFault) {
        containers.removeAll(keepingCapacity: true)
        try open(bytes)
        var isFirst = true
        while let container = containers.last {
            let byte = next(bytes)
            // The closing brackets are two after the opening ones.
            if byte == container + 2 {
                containers.removeLast()
                position += 1
                isFirst = false
                continue
            }
            let isObject = container == UInt8(ascii: "{")
            if !isFirst {
                try expect(
                    UInt8(ascii: ","),
                    isObject ? "a comma or the end of the object" : "a comma or the end of the array",
                    in: bytes)
            }
            if isObject {
                guard next(bytes) == UInt8(ascii: "\"") else {
                    throw JSONFault(offset: position, expected: "a name in quotes")
                }
                _ = try scanText(bytes)
                try expect(UInt8(ascii: ":"), "a colon", in: bytes)
            }
            let first = next(bytes)
            isFirst = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            if isFirst { try open(bytes) } else { _ = try scanScalar(first, bytes) }
        }
    }

    private mutating func open(_ bytes: Span<UInt8>) throws(JSONFault) {
        // A row with more of them is too long anyway, and memory must not grow with the input.
        guard containers.count < InputLimits.rowBytes else {
            throw JSONFault(offset: position, expected: "fewer brackets in each other")
        }
        containers.append(bytes[position])
        position += 1
        deepest = max(deepest, depth + containers.count)
    }
}
