/// Lays JSON out on lines for people to read, every value as it stands.
public enum JSONIndenter {
    /// What is nested deeper is not indented any further.
    private static let deepestIndent = 32

    /// - Parameter json: valid JSON. An object or array without another one inside it stays on one line.
    /// - Returns: the same with two spaces for each level, and a line end after the last.
    public static func indented(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        var index = 0
        var open: [Bool] = []

        func breakLine() {
            output.append(UInt8(ascii: "\n"))
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(open.count, deepestIndent)))
        }

        while index < json.count {
            let byte = json[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = endOfString(in: json, from: index)
                output.append(contentsOf: json[index..<end])
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                open.append(holdsNested(json, from: index))
                if open.last == true { breakLine() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.popLast() == true { breakLine() }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                if open.last == true { breakLine() } else { output.append(UInt8(ascii: " ")) }
            case UInt8(ascii: ":"):
                output.append(contentsOf: [byte, UInt8(ascii: " ")])
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                break
            default:
                output.append(byte)
            }
            index += 1
        }
        output.append(UInt8(ascii: "\n"))
        return output
    }

    /// Whether an object or array holds another one.
    private static func holdsNested(_ json: [UInt8], from start: Int) -> Bool {
        var index = start + 1
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): return true
            case UInt8(ascii: "}"), UInt8(ascii: "]"): return false
            case UInt8(ascii: "\""): index = endOfString(in: json, from: index)
            default: index += 1
            }
        }
        return false
    }

    /// The index after the closing quote.
    private static func endOfString(in json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.count)
    }
}
