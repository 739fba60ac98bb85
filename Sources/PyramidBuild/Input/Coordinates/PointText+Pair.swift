import PyramidTiles

extension PointText {
    /// Reads a pair or an array; `nil` for any other text.
    static func pair(_ cursor: TextCursor, in text: Span<UInt8>, _ order: PointOrder?) -> Reading? {
        pair(cursor, in: text, order, point: UInt8(ascii: "."))
            ?? pair(cursor, in: text, order, point: UInt8(ascii: ","))
    }

    /// - Parameter point: the byte of the decimal point.
    private static func pair(
        _ cursor: TextCursor, in text: Span<UInt8>, _ order: PointOrder?, point: UInt8
    ) -> Reading? {
        var cursor = cursor
        let isArray = cursor.take("[", in: text)
        let isInParentheses = !isArray && cursor.take("(", in: text)
        guard let first = AngleText(&cursor, in: text, point: point) else { return nil }
        let isBlank = cursor.takeBlanks(in: text)
        let mayBeComma = point != UInt8(ascii: ",") || !first.endsInNumber
        let isSeparated =
            mayBeComma && cursor.take(",", in: text) || cursor.take(";", in: text) || cursor.take("/", in: text)
        guard let second = AngleText(&cursor, in: text, point: point),
            isBlank || isSeparated || first.direction != nil && second.direction != nil
        else { return nil }
        if isArray {
            // An altitude.
            if cursor.take(",", in: text), cursor.takeNumber(in: text) == nil { return nil }
            guard cursor.take("]", in: text) else { return nil }
        } else if first.hasFraction, second.hasFraction {
            // An altitude, and after blanks an accuracy. After whole numbers they could be minutes, and four numbers with
            // commas are a box.
            for _ in 0..<(isSeparated ? 1 : 2) {
                let isNext = isSeparated ? cursor.take(",", in: text) : cursor.takeBlanks(in: text)
                guard isNext, cursor.takeNumber(in: text, point: point) != nil else { break }
            }
        }
        guard !isInParentheses || cursor.take(")", in: text), cursor.isAtEnd(in: text) else { return nil }
        return reading(first, second, order ?? (isArray ? .longitudeFirst : .latitudeFirst))
    }

    /// - Parameter order: if the angles have no directions, which decide it.
    private static func reading(_ first: AngleText, _ second: AngleText, _ order: PointOrder) -> Reading {
        if first.direction == .eastOrWest || second.direction == .eastOrWest { return .unclearDirection }
        guard (first.direction == nil) == (second.direction == nil) else { return .unreadable }
        let ownOrder = first.direction.map { $0.axis == .latitude ? PointOrder.latitudeFirst : .longitudeFirst }
        let order = ownOrder ?? order
        let (north, east) = order == .latitudeFirst ? (first, second) : (second, first)
        guard let latitude = north.value(on: .latitude), let longitude = east.value(on: .longitude) else {
            return .unreadable
        }
        return .point(
            PointText(longitude: longitude, latitude: latitude, order: order, hasFixedOrder: ownOrder != nil))
    }
}
