import Foundation
import TestSupport
import Testing

@testable import PyramidBuild

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
}
