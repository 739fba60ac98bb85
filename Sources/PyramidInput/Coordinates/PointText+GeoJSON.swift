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
        let object = try scanner.scanValue(text)
        _ = scanner.next(text)
        guard scanner.position == text.count else { return .unreadable }
        var isPoint = false
        var coordinates: JSONValue?
        var angles: [Axis: Int] = [:]
        for (name, value) in try object.members(in: text) {
            if text.isEqual(name, "type") {
                isPoint = value.kind == .text && text.isEqual(value.text, "Point")
            } else if text.isEqual(name, "coordinates") {
                coordinates = value
            } else if let column = CoordinateName(String(decoding: name.range.map { text[$0] }, as: UTF8.self)),
                column.isPlain, column.prefix.isEmpty, column.word == .degrees
            {
                let range = value.kind == .text ? value.text.range : value.range
                guard angles[column.axis] == nil else { return .unreadable }
                angles[column.axis] = DecimalDegrees.microdegrees(text, text.trimmingBlanks(range), axis: column.axis)
            }
        }
        if isPoint, let coordinates { return try point(inArray: coordinates, text) }
        guard let longitude = angles[.longitude], let latitude = angles[.latitude] else { return .unreadable }
        return .point(PointText(longitude: longitude, latitude: latitude))
    }

    /// - Returns: ``Reading/missing`` for an empty array, and for null.
    private static func point(inArray array: JSONValue, _ text: Span<UInt8>) throws(JSONFault) -> Reading {
        let elements = try array.elements(in: text)
        if array.kind == .null || array.kind == .array && elements.isEmpty { return .missing }
        let numbers = elements.map { DecimalDegrees.microdegrees(text, $0.range) }
        guard numbers.count > 1, !numbers.contains(nil), let longitude = numbers[0], let latitude = numbers[1] else {
            return .unreadable
        }
        return .point(PointText(longitude: longitude, latitude: latitude))
    }
}
