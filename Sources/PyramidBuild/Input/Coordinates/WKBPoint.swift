/// A point in hexadecimal digits of well-known binary: the byte order, the type, in PostGIS's EWKB perhaps a coordinate
/// system, then two to four 64-bit floats. Databases and exports of PostGIS and CARTO have it.
///
/// Source: [OGC 06-103r4](https://www.ogc.org/standards/sfa/), part 8;
/// [PostGIS](https://postgis.net/docs/using_postgis_dbmanagement.html#EWKB_EWKT).
struct WKBPoint {
    /// In microdegrees, at most ``DecimalDegrees/beyondRange`` from zero; `nil` for an empty point, which has NaN.
    let coordinates: (longitude: Int, latitude: Int)?
    let srid: Int

    /// The digits before the first coordinate without a coordinate system, and of a coordinate.
    private static let (headDigits, sridDigits, coordinateDigits) = (10, 8, 16)

    /// `nil` if the text isn't a point in WKB. `0x` or `\x` may be before it.
    init?(_ text: Span<UInt8>) {
        var cursor = TextCursor(text.indices)
        _ = cursor.take("0x", in: text) || cursor.take("\\x", in: text)
        cursor.skipBlanks(text)
        let start = cursor.position
        guard text.count - start >= WKBPoint.headDigits + 2 * WKBPoint.coordinateDigits,
            let order = WKBPoint.number(text, at: start, digits: 2, isLittleEndian: true), order <= 1
        else { return nil }
        func number(at position: Int, digits: Int) -> UInt64? {
            WKBPoint.number(text, at: position, digits: digits, isLittleEndian: order == 1)
        }
        guard let type = number(at: start + 2, digits: 8), let dimensions = WKBPoint.dimensions(type) else {
            return nil
        }
        var next = start + WKBPoint.headDigits
        var srid = 4326
        if type & Flag.srid != 0 {
            guard let number = number(at: next, digits: WKBPoint.sridDigits) else { return nil }
            srid = Int(number)
            next += WKBPoint.sridDigits
        }
        var ordinates: [2 of Double] = [0, 0]
        guard text.count - next >= dimensions * WKBPoint.coordinateDigits else { return nil }
        for index in 0..<dimensions {
            guard let bits = number(at: next, digits: WKBPoint.coordinateDigits) else { return nil }
            if index < 2 { ordinates[index] = Double(bitPattern: bits) }
            next += WKBPoint.coordinateDigits
        }
        cursor = TextCursor(next..<text.count)
        guard cursor.isAtEnd(in: text) else { return nil }
        self.srid = srid
        if ordinates[0].isNaN || ordinates[1].isNaN {
            coordinates = nil
        } else {
            guard let longitude = DecimalDegrees.microdegrees(ordinates[0]),
                let latitude = DecimalDegrees.microdegrees(ordinates[1])
            else { return nil }
            coordinates = (longitude, latitude)
        }
    }

    private enum Flag {
        static let (z, m, srid): (UInt64, UInt64, UInt64) = (0x8000_0000, 0x4000_0000, 0x2000_0000)
    }

    /// The number of coordinates of a point: two, and one for each of Z and M, which EWKB states by flags and ISO by
    /// thousands; `nil` for any other geometry.
    private static func dimensions(_ type: UInt64) -> Int? {
        let thousands = (type & 0x1fff_ffff) / 1_000
        guard type & 0x1fff_ffff == 1_000 * thousands + 1, thousands <= 3 else { return nil }
        let hasZ = type & Flag.z != 0 || thousands & 1 != 0
        let hasM = type & Flag.m != 0 || thousands & 2 != 0
        return 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0)
    }

    private static func number(
        _ text: Span<UInt8>, at start: Int, digits: Int, isLittleEndian: Bool
    ) -> UInt64? {
        guard start + digits <= text.count else { return nil }
        var number: UInt64 = 0
        for index in stride(from: 0, to: digits, by: 2) {
            let position = start + (isLittleEndian ? digits - 2 - index : index)
            guard let high = digit(text[position]), let low = digit(text[position + 1]) else { return nil }
            number = number << 8 | high << 4 | low
        }
        return number
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
