import PyramidTiles

extension PointText {
    /// Reads a GeoJSON geometry, a `Point` with its members in any order, or an object with a latitude and a longitude. The
    /// quotes may be those of Python.
    static func object(_ text: Span<UInt8>) -> Reading {
        if let reading = try? point(inObject: text) { return reading }
        let python = text.indices.map { text[$0] }
        guard !python.contains(UInt8(ascii: "\"")) else { return .unreadable }
        let json = python.map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 }
        return (try? point(inObject: json.span)) ?? .unreadable
    }

    private static func point(inObject text: Span<UInt8>) throws(JSONFault) -> Reading {
        var scanner = JSONScanner()
        try scanner.expect(UInt8(ascii: "{"), "an object", in: text)
        var isPoint = false
        var coordinates: Reading?
        var angles: [Axis: Int] = [:]
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: text) {
            isFirst = false
            if text.isEqual(name, "coordinates") {
                coordinates = try point(inArray: text, &scanner)
                continue
            }
            let value = try scanner.scanValue(text)
            if text.isEqual(name, "type") {
                isPoint = value.kind == .text && text.isEqual(value.text, "Point")
            } else if let column = CoordinateName(
                String(decoding: name.range.map { text[$0] }, as: UTF8.self), column: 0),
                column.part == nil, column.letter == nil, column.power == 0, column.prefix.isEmpty,
                column.word == .degrees
            {
                let range = value.kind == .text ? value.text.range : value.range
                guard angles[column.axis] == nil else { return .unreadable }
                angles[column.axis] = DecimalDegrees.microdegrees(text, text.trimmingBlanks(range), axis: column.axis)
            }
        }
        _ = scanner.next(text)
        guard scanner.position == text.count else { return .unreadable }
        if isPoint, let coordinates { return coordinates }
        guard let longitude = angles[.longitude], let latitude = angles[.latitude] else { return .unreadable }
        return .point(PointText(longitude: longitude, latitude: latitude))
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
