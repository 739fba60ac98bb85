/// Formats JSON for people to read, without changing values.
public enum JSONIndenter {
    /// The level from which on the indent stays the same.
    private static let deepestIndent = 32

    /// - Parameter json: valid JSON.
    /// - Returns: the same JSON, indented by two spaces per level, with a line end after the last line. An object or
    ///   array that contains no other stays on one line.
    public static func indented(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        let slice = json[...]
        let bytes = slice.span
        var scanner = JSONScanner()
        var open: [Bool] = []

        func breakLine() {
            output.append(UInt8(ascii: "\n"))
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(open.count, deepestIndent)))
        }

        while case let byte = scanner.next(bytes), scanner.position < bytes.count {
            if byte == UInt8(ascii: "\"") {
                let start = scanner.position
                scanner.skipText(bytes)
                output += json[start..<scanner.position]
                continue
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), open.popLast() == true { breakLine() }
            output.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(holdsNested(bytes, from: scanner.position))
                if open.last == true { breakLine() }
            case UInt8(ascii: ","): if open.last == true { breakLine() } else { output.append(UInt8(ascii: " ")) }
            case UInt8(ascii: ":"): output.append(UInt8(ascii: " "))
            default: break
            }
            scanner.position += 1
        }
        output.append(UInt8(ascii: "\n"))
        return output
    }

    /// Whether an object or array contains another one.
    private static func holdsNested(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var scanner = JSONScanner(at: start + 1)
        while case let byte = scanner.next(bytes), scanner.position < bytes.count {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): return true
            case UInt8(ascii: "}"), UInt8(ascii: "]"): return false
            case UInt8(ascii: "\""): scanner.skipText(bytes)
            default: scanner.position += 1
            }
        }
        return false
    }
}

extension JSONScanner {
    /// Skips a string, or all remaining bytes if there is no valid string.
    fileprivate mutating func skipText(_ bytes: Span<UInt8>) {
        do throws(JSONFault) { _ = try scanText(bytes) } catch { position = bytes.count }
    }
}
