import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

@Suite struct FixedDecimalTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("12.50", "12.5"), ("1e3", "1000"), ("-2.5E-3", "-0.0025"),
        ("0.0000000000005", "0.000000000001"), ("0.00000000000049", "0"),
        ("-0.0000000000005", "-0.000000000001"), ("999999999999999.999999999999", "999999999999999.999999999999"),
        ("3.14159265358979323846", "3.14159265359"), ("0e999999999999", "0"), ("1e-999999999999", "0"),
    ])
    func `a number is read exactly to 12 decimals`(text: String, expected: String) {
        #expect(FixedDecimal(text)?.description == expected)
    }

    @Test(arguments: [
        "", " ", "-", ".", "1,5", "0x10", "nan", "inf", "1e", "1e+", "e5", "1 2", "1.2.3", "1000000000000000", "1e15",
        "1e400", "12e14", "--1", "1e1.5",
        // Numbers to other programs, but not in JSON, and so texts in CSV columns.
        ".5", "-.5", "5.", "5.e1", "+49", "007", "-00", "00.5", " 1", "1 ", "7\t", "\u{a0}1",
    ])
    func `any other text is no number`(text: String) {
        #expect(FixedDecimal(text) == nil)
    }

    @Test func `sums and quotients are those of exact decimals`() throws {
        var generator = SeededRandom(seed: 9)
        for _ in 0..<2_000 {
            let texts = (0..<5).map { _ in
                "\(Int.random(in: -99_999_999...99_999_999, using: &generator)).\(Int.random(in: 0...999_999, using: &generator))"
            }
            let sum = try texts.map { try #require(FixedDecimal($0)) }.reduce(.zero, +)
            let expected = try texts.map { try #require(Decimal(string: $0)) }.reduce(0, +)
            #expect(Decimal(string: sum.description) == expected)
            let mean = try #require(Decimal(string: sum.divided(by: 7).description))
            #expect(abs(mean * 7 - expected) <= Decimal(string: "0.0000000000036") ?? 0)
        }
    }
}
