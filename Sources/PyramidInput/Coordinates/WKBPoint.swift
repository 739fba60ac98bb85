import PyramidTiles

/// A point in hexadecimal digits of well-known binary: the byte order, the type, in PostGIS's EWKB perhaps a coordinate
/// system, then two to four 64-bit floats. Databases and exports of PostGIS and CARTO have it.
///
/// Source: [OGC 06-103r4](https://www.ogc.org/standards/sfa/), part 8;
/// [PostGIS](https://postgis.net/docs/using_postgis_dbmanagement.html#EWKB_EWKT).
struct WKBPoint {
    /// In microdegrees, at most ``DecimalDegrees/beyondRange`` from zero; `nil` for an empty point, which has NaN.
    let coordinates: (longitude: Int, latitude: Int)?
    let srid: Int

    /// The bytes of the order and the type, of a coordinate system, and of a coordinate.
    private static let (headBytes, sridBytes, coordinateBytes) = (5, 4, 8)

    /// `nil` if the text isn't a point in WKB. `0x` or `\x` may be before it.
    init?(_ text: Span<UInt8>) {
        var cursor = TextCursor(text.indices)
        _ = cursor.take("0x", in: text) || cursor.take("\\x", in: text)
        cursor.skipBlanks(text)
        var position = cursor.position
        var bytes: [UInt8] = []
        while position + 1 < text.count, let high = WKBPoint.digit(text[position]),
            let low = WKBPoint.digit(text[position + 1])
        {
            bytes.append(high << 4 | low)
            position += 2
        }
        cursor = TextCursor(position..<text.count)
        guard cursor.isAtEnd(in: text), bytes.count >= WKBPoint.headBytes, bytes[0] <= 1 else { return nil }
        func number(at start: Int, byteCount: Int) -> UInt64 {
            let number = bytes[start..<start + byteCount].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return bytes[0] == 1 ? number.byteSwapped >> UInt64(64 - 8 * byteCount) : number
        }
        // Z and M are flags in EWKB, and thousands in ISO's WKB.
        let type = number(at: 1, byteCount: 4)
        let thousands = (type & 0x1fff_ffff) / 1_000
        guard type & 0x1fff_ffff == 1_000 * thousands + 1, thousands <= 3 else { return nil }
        let dimensions =
            2 + (type & 0x8000_0000 != 0 || thousands & 1 != 0 ? 1 : 0)
            + (type & 0x4000_0000 != 0 || thousands & 2 != 0 ? 1 : 0)
        let hasSRID = type & 0x2000_0000 != 0
        let start = WKBPoint.headBytes + (hasSRID ? WKBPoint.sridBytes : 0)
        guard bytes.count == start + dimensions * WKBPoint.coordinateBytes else { return nil }
        srid = hasSRID ? Int(number(at: WKBPoint.headBytes, byteCount: WKBPoint.sridBytes)) : 4326
        let ordinates = [0, 1].map {
            Double(bitPattern: number(at: start + $0 * WKBPoint.coordinateBytes, byteCount: WKBPoint.coordinateBytes))
        }
        if ordinates.contains(where: \.isNaN) {
            coordinates = nil
            return
        }
        guard let longitude = DecimalDegrees.microdegrees(ordinates[0]),
            let latitude = DecimalDegrees.microdegrees(ordinates[1])
        else { return nil }
        coordinates = (longitude, latitude)
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init) }
}
