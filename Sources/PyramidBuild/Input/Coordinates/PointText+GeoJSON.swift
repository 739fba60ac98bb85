import PyramidTiles

extension PointText {
    /// Reads a GeoJSON geometry, a `Point` with its members in any order.
    static func geometry(_ text: Span<UInt8>) -> Reading { (try? point(inObject: text)) ?? .unreadable }

    private static func point(inObject text: Span<UInt8>) throws(JSONFault) -> Reading {
        var scanner = JSONScanner()
        try scanner.expect(UInt8(ascii: "{"), "an object", in: text)
        var isPoint = false
        var coordinates: Reading?
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: text) {
            isFirst = false
            if text.isEqual(name, "coordinates") {
                coordinates = try point(inArray: text, &scanner)
            } else {
                let value = try scanner.scanValue(text)
                guard text.isEqual(name, "type") else { continue }
                isPoint = value.kind == .text && text.isEqual(value.text, "Point")
            }
        }
        _ = scanner.next(text)
        guard isPoint, let coordinates, scanner.position == text.count else { return .unreadable }
        return coordinates
    }

    /// - Returns: ``Reading/missing`` for an empty array, and for null.
    private static func point(
        inArray text: Span<UInt8>, _ scanner: inout JSONScanner
    ) throws(JSONFault) -> Reading {
        if scanner.next(text) == UInt8(ascii: "n") {
            return try scanner.scanValue(text).kind == .null ? .missing : .unreadable
        }
        try scanner.expect(UInt8(ascii: "["), "an array", in: text)
        var numbers = (0, 0)
        var count = 0
        while try scanner.nextElement(isFirst: count == 0, in: text) {
            _ = scanner.next(text)
            let number = DecimalDegrees.microdegrees(try scanner.scanNumber(text), text)
            if count == 0 { numbers.0 = number } else if count == 1 { numbers.1 = number }
            count += 1
        }
        if count == 0 { return .missing }
        return count == 1 ? .unreadable : .point(PointText(longitude: numbers.0, latitude: numbers.1))
    }
}
