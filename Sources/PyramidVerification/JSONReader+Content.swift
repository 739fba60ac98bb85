import PyramidTiles

/// Values of properties as a verifier looks at them.
extension JSONReader {
    /// A string without its quotes and escapes, or any other value as it stands.
    func text(of range: Range<Int>) -> String { String(decoding: textBytes(of: range), as: UTF8.self) }

    func textBytes(of range: Range<Int>) -> [UInt8] {
        var reader = JSONReader(bytes, at: range.lowerBound)
        if bytes[range.lowerBound] == UInt8(ascii: "\""), let text = try? reader.readText() { return unescaped(text) }
        return Array(bytes[range])
    }

    /// How many elements an array has; `nil` for any other value.
    func elementCount(in range: Range<Int>) -> Int? {
        var reader = JSONReader(bytes, at: range.lowerBound)
        var count = 0
        do {
            try reader.expect(UInt8(ascii: "["), "an array")
            while try reader.nextElement(isFirst: count == 0) {
                _ = try reader.readValue(isKept: false)
                count += 1
            }
            return count
        } catch {
            return nil
        }
    }

    /// The members of an object of counts; `nil` for any other value.
    func counts(in range: Range<Int>) -> [(name: String, count: Int)]? {
        var reader = JSONReader(bytes, at: range.lowerBound)
        var counts: [(name: String, count: Int)] = []
        do {
            try reader.expect(UInt8(ascii: "{"), "an object of counts")
            while let key = try reader.nextKey(isFirst: counts.isEmpty) {
                counts.append((string(key), try reader.readInteger(in: 1...Int(UInt32.max), "a count")))
            }
            return counts
        } catch {
            return nil
        }
    }
}
