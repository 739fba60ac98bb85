import PyramidTiles

/// Property values, read from their JSON.
extension JSONReader {
    /// A string without its quotes and escapes, or the JSON of any other value.
    func text(of range: Range<Int>) -> String { String(decoding: textBytes(of: range), as: UTF8.self) }

    func textBytes(of range: Range<Int>) -> [UInt8] {
        var reader = JSONReader(bytes, at: range.lowerBound)
        if bytes[range.lowerBound] == UInt8(ascii: "\""), let text = try? reader.readText() { return unescaped(text) }
        return Array(bytes[range])
    }

    /// The same, with one spelling for equal numbers, so that values can be compared.
    func canonicalBytes(of range: Range<Int>) -> [UInt8] {
        var number: [UInt8] = []
        let isNumber = bytes[range.lowerBound] != UInt8(ascii: "\"")
        let elements = bytes.assumingMemoryBound(to: UInt8.self)
        return isNumber && CanonicalNumber.write(elements.span, range, into: &number) ? number : textBytes(of: range)
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

    /// The names and counts in an object whose values are counts; `nil` for any other value.
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

extension [UInt8] {
    /// The canonical text of a number once it has been in a vector tile, where numbers that aren't whole numbers of 64 bits become
    /// the nearest double. Any other text stays as it is.
    var throughMVT: [UInt8] {
        guard DecimalLiteral(span, in: indices) != nil else { return self }
        let text = String(decoding: self, as: UTF8.self)
        guard UInt64(text) == nil, Int64(text) == nil, let number = Double(text), number.isFinite else { return self }
        let bytes = Array(number.description.utf8)
        var canonical: [UInt8] = []
        return CanonicalNumber.write(bytes.span, bytes.indices, into: &canonical) ? canonical : bytes
    }
}

extension JSONReader {
    /// A hash of an id by its JSON value: 0 for none. `"1"` and `1` are different ids.
    ///
    /// Among a million ids, the chance that two have the same hash of 64 bits is 1 in 40 million.
    func hash(of id: DecodedFeature.ID?) -> UInt64 {
        switch id {
        case .text(let text) where text.hasEscapes: unescaped(text).withUnsafeBytes { hash($0, seed: textSeed) }
        case .text(let text): hash(UnsafeRawBufferPointer(rebasing: bytes[text.range]), seed: textSeed)
        case .number(let number) where number.isInteger && !number.isNegative:
            hash(UnsafeRawBufferPointer(rebasing: bytes[number.range]), seed: numberSeed)
        // 1.0 and 1e0 equal 1.
        case .number(let number): canonicalBytes(of: number.range).withUnsafeBytes { hash($0, seed: numberSeed) }
        case nil: 0
        }
    }

    /// Seeds that differ above the first byte, which is combined with them.
    private var textSeed: UInt64 { 1 << 32 }
    private var numberSeed: UInt64 { 2 << 32 }

    /// Never 0.
    private func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        max(1, StableHash.hash(bytes, seed: seed))
    }
}
