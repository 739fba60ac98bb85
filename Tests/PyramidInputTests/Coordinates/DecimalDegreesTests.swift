import Foundation
import TestSupport
import Testing

@testable import PyramidInput

struct DecimalDegreesTests {
    /// Whatever follows the text makes no difference.
    private func microdegrees(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let value = DecimalDegrees.microdegrees(bytes.span, 0..<bytes.count)
        for more in ["00000000", "99999999", ",1.5e3,-7\n"] {
            let longer = bytes + Array(more.utf8)
            let valueInside = DecimalDegrees.microdegrees(longer.span, 0..<bytes.count)
            #expect(valueInside == value, "\(text)")
        }
        return value
    }

    /// Rounds by Foundation's decimal arithmetic, which is exact for up to 38 digits.
    private func oracle(_ text: String) -> Int? {
        guard var exact = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else { return nil }
        exact *= 1_000_000
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, 0, .plain)
        return NSDecimalNumber(decimal: rounded).intValue
    }

    @Test func `decimals round to the nearest microdegree, halves away from zero`() {
        var random = SeededRandom(seed: 20)
        var compared = 0
        for _ in 0..<20_000 {
            let whole = random.next(below: 181)
            let decimals = (0..<random.next(below: 14)).map { _ in
                // Rounding goes wrong at fives and nines.
                ["0", "5", "9", "\(random.next(below: 10))"][random.next(below: 4)]
            }.joined()
            let sign = ["", "-"][random.next(below: 2)]
            let exponent = random.next(below: 3) == 0 ? "e\(random.next(below: 9) - 6)" : ""
            let text = "\(sign)\(whole).\(decimals.isEmpty ? "0" : decimals)\(exponent)"
            guard let expected = oracle(text), abs(expected) <= 180_000_000 else { continue }
            #expect(microdegrees(text) == expected, "\(text)")
            compared += 1
        }
        #expect(compared > 10_000)
    }

    @Test func `halves are told from what is just below in sixty digits`() {
        let nines = String(repeating: "9", count: 60)
        #expect(microdegrees("-73.0000004\(nines)") == -73_000_000)
        #expect(microdegrees("-73.0000005") == -73_000_001)
        #expect(microdegrees("12.9999994\(nines)") == 12_999_999)
        #expect(microdegrees("12.\(nines)") == 13_000_000)
    }

    @Test func `what is no digit is none among few decimals either`() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<4 {
                var bytes = Array("-7.1234,5,,,,,".utf8)
                bytes[3 + place] = byte
                let value = DecimalDegrees.microdegrees(bytes.span, 0..<7)
                let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                let isExponent = byte | 0x20 == UInt8(ascii: "e") && place < 3
                #expect((value != nil) == (isDigit || isExponent), "\(byte) at \(place)")
                bytes.removeLast(bytes.count - 7)
                let valueAtEnd = DecimalDegrees.microdegrees(bytes.span, 0..<7)
                #expect(value == valueAtEnd)
            }
        }
    }

    @Test func `an exponent moves the point over any number of digits`() {
        let zeros = String(repeating: "0", count: 100)
        #expect(microdegrees("0.\(zeros)512345675e102") == 51_234_568)
        #expect(microdegrees("-512345674\(zeros)e-107") == -51_234_567)
        #expect(microdegrees("5e-7") == 1)
        #expect(microdegrees("4.9e-7") == 0)
        #expect(microdegrees("95e-8") == 1)
        #expect(microdegrees("9e-8") == 0)
    }

    @Test func `what is far beyond any coordinate stays beyond`() {
        for text in ["1000", "1e400", "99999999999999999999999999", "0.001e6", "1e1000000000000"] {
            #expect((microdegrees(text) ?? 0) >= 999_999_999, "\(text)")
            #expect((microdegrees("-" + text) ?? 0) <= -999_999_999, "\(text)")
        }
    }

    private func microdegrees(_ text: String, _ axis: Axis) -> Int? {
        let bytes = Array(text.utf8)
        let value = DecimalDegrees.microdegrees(bytes.span, bytes.indices, axis: axis)
        for more in ["7", "°", "W", "'59"] {
            let longer = Array((more + text + more).utf8)
            let start = more.utf8.count
            let valueInside = DecimalDegrees.microdegrees(longer.span, start..<start + bytes.count, axis: axis)
            #expect(valueInside == value, "\(text)")
        }
        return value
    }

    @Test(arguments: [
        "-73.9680556", "-73,9680556", "\u{2212}73.9680556", "\u{a0}-73.9680556\u{202f}", "-73.9680556°", "73.9680556 W",
        "73.9680556°W", "73,9680556 ° w", "W73.9680556", "w 73.9680556º", "73.9680556\u{a0}°\u{a0}W", "+73.9680556 W",
        "73.9680556 deg W", "73.9680556 degrees W", "-7396.80556e-2", "73°58'5.00016\"W", "73° 58' 5.00016\" W",
        "-73°58'5.00016\"", "73°58′5.00016″W", "73°58’5,00016”W", "73º58'5.00016''W", "73°58′5.00016′′ W",
        "73 58 5.00016 W", "W 73 58 5.00016", "073 58 05.00016w", "73:58:5.00016W", "-73:58:5.00016", "73°58 5.00016 W",
        "73° 58.083336' W", "W73°58.083336", "73 58.083336 W", "-73:58,083336", "73 58' 5.00016\" W",
        "-73 58' 5.00016\"",
        "73 deg 58' 5.00016\" W", "\u{2212}73\u{2009}°\u{2009}58\u{2009}′\u{2009}5.00016\u{2009}″",
        "73°58'05.00016'' W",
    ])
    func `a longitude is read in every notation`(text: String) {
        #expect(microdegrees(text, .longitude) == -73_968_056)
    }

    @Test(arguments: [
        "", " ", "°", "N", "'", "1 2", "1 2 3", "45 30 36", "1°2°", "48°75'", "48°08'60\"", "48°8'5\"3\"", "48.5°30'",
        "48°8.5'30\"",
        "48°-8'", "48°14\"", "48°100'", "8'5\"", "1:2:3:4", ":5", "48:", "48::5", "48 : ", "48°8e0'", "--48", "- 48",
        "-48 N", "N -48",
        "\u{2212}48°8'N", "N 48 N", "48 N N", "48 NE", "48 North", "48 É", "48 X", "48 E", "48°8'W", "48 O", "1.234,5",
        "1,234,5",
        "48.1 N, 11.5", "48.1 11.5 N", "1\u{a0}000", "48d8m5s", "4 8.5", "°48", "48°°", "48''", "48 \u{200b}N",
        "48 8 N 5",
    ])
    func `what is no latitude, or not clearly one, stays unreadable`(text: String) {
        #expect(microdegrees(text, .latitude) == nil)
    }

    @Test func `degrees, minutes and seconds are exact to the nearest microdegree, halves away from zero`() {
        var random = SeededRandom(seed: 43)
        var halves = 0
        for round in 0..<20_000 {
            let (degrees, minutes, seconds) = (random.next(below: 181), random.next(below: 60), random.next(below: 60))
            // Every half has at most four decimals of seconds, or five of minutes.
            let places = random.next(below: 10)
            let decimals = (0..<places).map { _ in ["0", "5", "2", "\(random.next(below: 10))"][random.next(below: 4)] }
                .joined()
            let fraction = decimals.isEmpty ? "" : ".\(decimals)"
            var unit: Int128 = 1
            for _ in 0..<places { unit *= 10 }
            let (text, numerator, denominator): (String, Int128, Int128) =
                round % 3 == 0
                ? ("\(degrees)°\(minutes)\(fraction)'", Int128(degrees * 60 + minutes) * unit, 60 * unit)
                : (
                    "\(degrees) \(minutes)' \(seconds)\(fraction)\"",
                    Int128((degrees * 60 + minutes) * 60 + seconds) * unit, 3_600 * unit
                )
            let exact = (numerator + (Int128(decimals) ?? 0)) * 1_000_000
            let expected = Int((2 * exact + denominator) / (2 * denominator))
            if 2 * exact % denominator == 0, exact % denominator != 0 { halves += 1 }
            let sign = ["", "-"][random.next(below: 2)]
            #expect(microdegrees(sign + text, .longitude) == (sign.isEmpty ? expected : -expected), "\(text)")
            #expect(microdegrees(text + "S", .latitude) == -expected, "\(text)")
        }
        #expect(halves > 100)
        let nines = String(repeating: "9", count: 60)
        #expect(microdegrees("7°0'0.0018\"", .latitude) == 7_000_001)
        #expect(microdegrees("7°0'0.0017\(nines)\"", .latitude) == 7_000_000)
        #expect(microdegrees("7°59'59.\(nines)\" S", .latitude) == -8_000_000)
        #expect(microdegrees("99999°59'", .latitude) == DecimalDegrees.beyondRange)
    }

    @Test func `a hint says why a coordinate is refused`() {
        func hint(_ text: String, _ axis: Axis) -> String? {
            let bytes = Array(text.utf8)
            return DecimalDegrees.hint(bytes.span, bytes.indices, axis: axis)
        }
        #expect(hint("11° 34' 30\" O", .longitude)?.contains("east in German and west in other languages") == true)
        #expect(hint("11,5 o", .longitude)?.contains("write E or W") == true)
        #expect(hint("-11.5 W", .longitude) == "it has both a minus sign and a direction")
        #expect(hint("11.5 W", .latitude) == "E and W are for longitudes")
        #expect(hint("48.1 N", .longitude) == "N and S are for latitudes")
        for text in ["11.5 W", "", "11.5", "Ost", "O", "11.5 NO"] { #expect(hint(text, .longitude) == nil, "\(text)") }
    }

    @Test func `blanks of any kind and words for nothing are a missing coordinate`() {
        for (text, isMissing) in [
            ("", true), (" \u{a0}\u{202f}\u{2009}", true), ("\u{a0}1", false), ("-", true), ("--", false),
            (" #n/a ", true), ("(null , NONE)", true), ("(null", false), ("null,null,null", false),
        ] {
            let bytes = Array(text.utf8)
            #expect(DecimalDegrees.isMissing(bytes.span, bytes.indices) == isMissing)
        }
    }

    @Test func `a binary fraction rounds by its exact value`() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<20_000 {
            let degrees = Double(random.next(below: 1 << 50)) / Double(1 << (41 + random.next(below: 9))) - 200
            // Exact for a multiple of 2⁻⁵² of less than 1024.
            let scaled = Int128(degrees * 0x1p52) * 1_000_000
            let half: Int128 = 1 << 51
            let expected = scaled < 0 ? -((-scaled + half) >> 52) : (scaled + half) >> 52
            #expect(DecimalDegrees.microdegrees(degrees) == Int(expected), "\(degrees)")
        }
        // Halves of a microdegree that a binary fraction holds exactly.
        #expect(DecimalDegrees.microdegrees(0.0078125) == 7_813)
        #expect(DecimalDegrees.microdegrees(-73.0078125) == -73_007_813)
        #expect(DecimalDegrees.microdegrees((73.0078125).nextDown) == 73_007_812)
        #expect(DecimalDegrees.microdegrees(1e-300) == 0)
        #expect(DecimalDegrees.microdegrees(-0.0) == 0)
        #expect(DecimalDegrees.microdegrees(-1e300) == -DecimalDegrees.beyondRange)
        #expect(DecimalDegrees.microdegrees(.nan) == nil)
        #expect(DecimalDegrees.microdegrees(.infinity) == nil)
    }
}
