import PyramidTiles

/// Both coordinates of a point in one CSV cell:
///
/// - a pair, latitude first by default, in parentheses or not, each coordinate in any notation of ``AngleText``:
///   `48.1, 11.5`, `48,1 11,5`, `48°08'N, 11°34'E`; also in the last line of an address;
/// - a JSON array, longitude first by default, perhaps with an altitude: `[11.5, 48.1]`;
/// - a GeoJSON geometry: `{"type": "Point", "coordinates": [11.5, 48.1]}`, or an object: `{"lat": 48.1, "lng": 11.5}`;
/// - WKT: `POINT (11.5 48.1)`, also with PostGIS's prefix: `SRID=4326;POINT(11.5 48.1)`;
/// - WKB or EWKB in hexadecimal digits (``WKBPoint``).
struct PointText {
    /// In microdegrees, at most ``DecimalDegrees/beyondRange`` from zero.
    let longitude, latitude: Int
    /// The order of the two in the text.
    let order: PointOrder
    /// Whether the notation leaves no other order: WKT, WKB, GeoJSON, and pairs with directions.
    let hasFixedOrder: Bool

    static let expected = "\"latitude, longitude\" or \"POINT (longitude latitude)\""

    enum Reading {
        case point(PointText)
        /// No point: an empty text, or `POINT EMPTY`, `null`, `[]`, `(,)` and the like.
        case missing
        /// A point in another coordinate system than WGS 84 (EPSG:4326).
        case foreign(srid: Int)
        /// A pair with the direction O.
        case unclearDirection
        case unreadable
    }

    init(longitude: Int, latitude: Int, order: PointOrder = .longitudeFirst, hasFixedOrder: Bool = true) {
        (self.longitude, self.latitude, self.order) = (longitude, latitude, order)
        self.hasFixedOrder = hasFixedOrder
    }

    /// `nil` if the text isn't a point.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>, order: PointOrder? = nil) {
        guard case .point(let point) = PointText.read(bytes, range, order: order) else { return nil }
        self = point
    }

    /// Why a text isn't a point although it looks like one, as a clause for a message.
    static func hint(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
        switch read(bytes, range, order: nil) {
        case .foreign(srid: 0):
            "its SRID is 0, expected 4326: if it is in degrees, state it with ST_SetSRID(geom, 4326)"
        case .foreign(let srid): "its SRID is \(srid), expected 4326: transform it with ST_Transform(geom, 4326)"
        case .unclearDirection: AngleText.hintAtO
        case .point, .missing, .unreadable: nil
        }
    }

    /// Reads a cell, whose doubled quotes are single ones already.
    /// - Parameter order: of pairs and arrays; `nil` for their default. Directions overrule it.
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, order: PointOrder?) -> Reading {
        let text = bytes.extracting(range)
        var cursor = TextCursor(text.indices)
        if let reading = marked(cursor, in: text) ?? pair(cursor, in: text, order) { return reading }
        if DecimalDegrees.isMissing(text, text.indices) { return .missing }
        guard let end = pairAfterAddress(in: text) else { return .unreadable }
        cursor = TextCursor(end)
        return pair(cursor, in: text, order) ?? (DecimalDegrees.isMissing(text, end) ? .missing : .unreadable)
    }

    /// Reads the notations that their first bytes tell apart; `nil` for any other.
    private static func marked(_ cursor: TextCursor, in text: Span<UInt8>) -> Reading? {
        var cursor = cursor
        cursor.skipBlanks(text)
        guard cursor.position < text.count else { return .missing }
        switch text[cursor.position] {
        case UInt8(ascii: "{"): return object(text)
        case UInt8(ascii: "0"), UInt8(ascii: "\\"):
            return WKBPoint(text).map { point in
                if point.srid != 4326 { return .foreign(srid: point.srid) }
                return point.coordinates.map { .point(PointText(longitude: $0.longitude, latitude: $0.latitude)) }
                    ?? .missing
            }
        case UInt8(ascii: "P"), UInt8(ascii: "p"), UInt8(ascii: "S"), UInt8(ascii: "s"):
            return wellKnownText(&cursor, in: text)
        default: return nil
        }
    }

    private static func wellKnownText(_ cursor: inout TextCursor, in text: Span<UInt8>) -> Reading? {
        var srid = 4326
        if cursor.takeWord("SRID", in: text) {
            guard cursor.take("=", in: text), let number = cursor.takeNumber(in: text, isPlain: true), number.isInteger,
                number.whole.count <= 9, cursor.take(";", in: text)
            else { return .unreadable }
            srid = text.number(ofDigits: number.whole)
        }
        guard cursor.takeWord("POINT", in: text) else { return nil }
        // "Z", "M" or "ZM".
        _ = cursor.takeWord("Z", in: text)
        _ = cursor.takeWord("M", in: text)
        if cursor.takeWord("EMPTY", in: text) {
            return cursor.isAtEnd(in: text) ? srid == 4326 ? .missing : .foreign(srid: srid) : .unreadable
        }
        // Otherwise it may be an address.
        guard cursor.take("(", in: text), let longitude = cursor.takeNumber(in: text), cursor.takeBlanks(in: text),
            let latitude = cursor.takeNumber(in: text)
        else { return nil }
        // An altitude, a measure, or both.
        while cursor.takeBlanks(in: text), cursor.takeNumber(in: text) != nil {}
        guard cursor.take(")", in: text), cursor.isAtEnd(in: text) else { return .unreadable }
        guard srid == 4326 else { return .foreign(srid: srid) }
        return .point(
            PointText(
                longitude: DecimalDegrees.microdegrees(longitude, text),
                latitude: DecimalDegrees.microdegrees(latitude, text)))
    }

    /// The pair in parentheses at the end of an address; `nil` if the text ends otherwise.
    private static func pairAfterAddress(in text: Span<UInt8>) -> Range<Int>? {
        func isSpace(_ position: Int) -> Bool { text[position] <= UInt8(ascii: " ") }
        guard let last = text.indices.last(where: { !isSpace($0) }),
            let bracket = text.indices.last(where: { text[$0] == UInt8(ascii: "(") }),
            bracket > 0, isSpace(bracket - 1)
        else { return nil }
        // `POINT (1, 2)` is no address.
        let word = (0..<bracket).reversed().drop(while: isSpace).prefix { !isSpace($0) }.reversed().prefix(20)
        let isGeometry = String(decoding: word.map { text[$0] }, as: UTF8.self).lowercased().contains("point")
        return isGeometry ? nil : bracket..<last + 1
    }
}

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
