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
        if isEmpty(cursor, in: text) { return .missing }
        guard let end = pairAfterAddress(in: text) else { return .unreadable }
        cursor = TextCursor(end)
        return pair(cursor, in: text, order) ?? (isEmpty(cursor, in: text) ? .missing : .unreadable)
    }

    /// Reads the notations that their first bytes tell apart; `nil` for any other.
    private static func marked(_ cursor: TextCursor, in text: Span<UInt8>) -> Reading? {
        var cursor = cursor
        cursor.skipBlanks(text)
        guard cursor.position < text.count else { return .missing }
        switch text[cursor.position] {
        case UInt8(ascii: "{"): return object(text)
        case UInt8(ascii: "0"), UInt8(ascii: "\\"): return WKBPoint(text).map(reading)
        case UInt8(ascii: "P"), UInt8(ascii: "p"), UInt8(ascii: "S"), UInt8(ascii: "s"):
            return wellKnownText(&cursor, in: text)
        default: return nil
        }
    }

    private static func reading(_ point: WKBPoint) -> Reading {
        if point.srid != 4326 { return .foreign(srid: point.srid) }
        return point.coordinates.map { .point(PointText(longitude: $0.longitude, latitude: $0.latitude)) } ?? .missing
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

    /// Whether nothing stands in the place of a pair, or null.
    private static func isEmpty(_ cursor: TextCursor, in text: Span<UInt8>) -> Bool {
        func takeNull(_ cursor: inout TextCursor) {
            _ =
                cursor.takeWord("NULL", in: text) || cursor.takeWord("NONE", in: text)
                || cursor.takeWord("NAN", in: text)
        }
        var cursor = cursor
        let isRound = cursor.take("(", in: text)
        let isSquare = !isRound && cursor.take("[", in: text)
        takeNull(&cursor)
        if cursor.take(",", in: text) { takeNull(&cursor) }
        guard !isRound || cursor.take(")", in: text), !isSquare || cursor.take("]", in: text) else { return false }
        return cursor.isAtEnd(in: text)
    }

    /// The pair in parentheses at the end of an address; `nil` if the text ends otherwise.
    private static func pairAfterAddress(in text: Span<UInt8>) -> Range<Int>? {
        func isSpace(_ position: Int) -> Bool { text[position] <= UInt8(ascii: " ") }
        guard let last = text.indices.last(where: { !isSpace($0) }),
            let bracket = text.indices.last(where: { text[$0] == UInt8(ascii: "(") }),
            bracket > 0, isSpace(bracket - 1)
        else { return nil }
        // `POINT (1, 2)` is no address.
        let word = (0..<bracket).reversed().drop(while: isSpace).prefix { !isSpace($0) }.map { text[$0] | 0x20 }
        let isGeometry = Array(word.reversed().prefix(20)).containsWord("point")
        return isGeometry ? nil : bracket..<last + 1
    }
}

extension [UInt8] {
    /// - Parameter word: in lower case.
    fileprivate func containsWord(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        return self.count >= count
            && (0...self.count - count).contains { start in
                (0..<count).allSatisfy { self[start + $0] == word.utf8Start[$0] }
            }
    }
}

/// Which coordinate comes first where one cell has both as a pair or an array.
public enum PointOrder: String, Codable, CaseIterable, Sendable {
    case latitudeFirst = "lat-lon"
    case longitudeFirst = "lon-lat"

    /// Splits `name:lon-lat` into the name of the column and its order.
    ///
    /// A column can really have such a name. `fullName(of:)` is that name, which readers prefer if the header has it.
    /// - Returns: the whole text as the name if it doesn't end with an order.
    public static func split(_ text: String) -> (column: String, order: PointOrder?) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let order = PointOrder(rawValue: String(text[text.index(after: colon)...]))
        else { return (text, nil) }
        return (String(text[..<colon]), order)
    }

    /// The text that ``split(_:)`` splits into a column and this order.
    func fullName(of column: String) -> String { "\(column):\(rawValue)" }
}
