/// Finds objects in which a name comes twice.
enum RepeatedNames {
    /// - Parameter value: was scanned, and is not deeper than ``InputLimits/nestedBrackets``.
    static func areIn(_ value: JSONValue, _ bytes: Span<UInt8>) -> Bool {
        var scanner = JSONScanner()
        scanner.position = value.range.lowerBound
        do throws(JSONFault) {
            return try areInNext(&scanner, bytes)
        } catch {
            preconditionFailure("a value that was scanned is not JSON")
        }
    }

    private static func areInNext(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        let first = scanner.next(bytes)
        var isFirst = true
        if first == UInt8(ascii: "{") {
            scanner.position += 1
            var names: Set<[UInt8]> = []
            while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
                isFirst = false
                var text: [UInt8] = []
                bytes.unescape(name, into: &text)
                guard names.insert(text).inserted, try !areInNext(&scanner, bytes) else { return true }
            }
        } else if first == UInt8(ascii: "[") {
            scanner.position += 1
            while try scanner.nextElement(isFirst: isFirst, in: bytes) {
                isFirst = false
                if try areInNext(&scanner, bytes) { return true }
            }
        } else {
            _ = try scanner.scanValue(bytes)
        }
        return false
    }
}
