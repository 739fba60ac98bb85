import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

/// Which texts are numbers, and one text for all spellings of a number.
struct CanonicalNumberTests {
    private func isSafe(_ text: String) -> Bool {
        // Bytes around the text must not matter.
        return ["9", "9.e-9999999", "\u{ff}........"].allSatisfy { isSafe(text, before: $0) }
    }

    private func isSafe(_ text: String, before rest: String) -> Bool {
        let bytes = Array("9\(text)\(rest)".utf8)
        return DecimalLiteral.isSafe(bytes.span, in: 1..<text.utf8.count + 1)
    }

    private func canonical(_ text: String) -> String {
        let bytes = Array("9\(text)9".utf8)
        var result = Array("before".utf8)
        let range = 1..<bytes.count - 1
        let isChanged = CanonicalNumber.write(bytes.span, range, into: &result)
        return String(decoding: isChanged ? result : Array(bytes[range]), as: UTF8.self)
    }

    @Test(arguments: [
        "0", "7", "-7", "1200", "24.0", "-0.50", "880.0", "12.50", "-0", "0.0", "-0.0", "1e5", "1E5", "1e-400",
        "0e999999999",
        "2.5e+3", "9007199254740991", "9007199254740992", "-9007199254740992", "9007199254740992.000",
        "9.007199254740992e15",
        "90071992547409920e-1", "0.12345678901234567", "123456789.12345678", "1.00000000000000000000000",
        "0.00000000000000000000000012345678901234567", "9007199254740993.5", "1e-5", "12345678901234567e-20",
    ])
    func `a number of JSON that all readers get is a number`(text: String) {
        #expect(isSafe(text))
    }

    @Test(arguments: [
        "", "-", "+5", "007", "00", "-01", ".5", "5.", "-.5", " 5", "5 ", "1,5", "1.2.3", "1e", "1e+", "e5", "--1",
        "0x1F",
        "NaN", "nan", "Infinity", "-inf", "1_000", "5e3.2", "1.2a3", "true", "٣", "1e999", "-1e999", "1e400", "1e16",
        "1e300",
        "9007199254740993", "-9007199254740993", "9007199254740993.0", "9.007199254740993e15", "9007199254740992e1",
        "12345678901234567890", "123456789012345678", "0.123456789012345678", "1.00000000000000001e5",
        "1234567890.12345678", "100000000000000000000",
    ])
    func `anything else is text`(text: String) {
        for rest in ["9", "9.e-9999999", "\u{ff}........"] { #expect(!isSafe(text, before: rest)) }
    }

    /// The rule over the characters: no arithmetic but that of digits written out.
    private func isSafeByTheBook(_ text: String) throws -> Bool {
        let grammar = try NSRegularExpression(pattern: #"\A(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?\z"#)
        let all = NSRange(text.startIndex..., in: text)
        guard let match = grammar.firstMatch(in: text, range: all) else { return false }
        let part = { (index: Int) in Range(match.range(at: index), in: text).map { String(text[$0]) } ?? "" }
        let (whole, fraction) = (part(2), part(3))
        let exponent = Int(part(4).replacing("+", with: "")) ?? 0
        let digits = (whole + fraction).drop { $0 == "0" }.reversed().drop { $0 == "0" }
        guard digits.count <= 17, try #require(Double(text)).isFinite else { return false }
        // Written out without an exponent, with zeros to spare at both ends.
        let zeros = String(repeating: "0", count: 400)
        let written = zeros + whole + fraction + zeros
        let point = 400 + whole.count + exponent
        let places = (before: written.prefix(point).drop { $0 == "0" }, behind: written.dropFirst(point))
        guard places.behind.allSatisfy({ $0 == "0" }) else { return true }
        let limit = "9007199254740992"
        return places.before.count < limit.count || places.before.count == limit.count && places.before <= limit
    }

    @Test func `numbers are what the rule says, by its letters`() throws {
        var random = SeededRandom(seed: 51)
        var counts = [true: 0, false: 0]
        for _ in 0..<20_000 {
            let text = CanonicalNumberTests.literal(&random)
            let expected = try isSafeByTheBook(text)
            counts[expected, default: 0] += 1
            #expect(isSafe(text) == expected, "\(text)")
        }
        #expect(counts.values.allSatisfy { $0 > 4_000 })
    }

    /// Something like a number, often at the edge of being one.
    private static func literal(_ random: inout SeededRandom) -> String {
        let edges = [
            "9007199254740992", "9007199254740993", "9007199254740991", "12345678901234567", "0", "00", "1", "", "24",
        ]
        func digits(_ count: Int) -> String { (0..<count).map { _ in "\(random.next(below: 10))" }.joined() }
        var text = ["", "", "", "-", "-", "+", " "][random.next(below: 7)]
        text += random.next(below: 3) == 0 ? edges[random.next(below: edges.count)] : digits(1 + random.next(below: 20))
        if random.next(below: 2) == 0 {
            text += "." + (random.next(below: 4) == 0 ? "000" : digits(random.next(below: 6)))
        }
        if random.next(below: 4) == 0 {
            text += ["e", "E", "e+", "e-", "E-"][random.next(below: 5)] + digits(1 + random.next(below: 2))
        }
        return text
    }

    @Test(arguments: [
        ("24", "24"), ("24.0", "24"), ("2.4e1", "24"), ("240E-1", "24"), ("+24", "24"), ("0024", "24"),
        (" 24\t", " 24\t"),
        ("-0", "0"), ("-0.00", "0"), ("0e9", "0"), ("-0.50", "-0.5"), (".5", "0.5"), ("5.", "5"), ("1e5", "100000"),
        ("-1.50e3", "-1500"), ("1e-6", "0.000001"), ("1e-12", "0.000000000001"), ("1e-13", "1e-13"),
        ("-12.5e-14", "-1.25e-13"),
        ("1e20", "100000000000000000000"), ("1e21", "1e21"), ("123e20", "1.23e22"),
        ("12345678901234567890", "12345678901234567890"),
        ("123.45678901234567", "123.45678901234567"), ("abc", "abc"), ("", ""), ("1x", "1x"), ("1e", "1e"),
    ])
    func `all spellings of a number have one text`(text: String, expected: String) {
        #expect(canonical(text) == expected)
        #expect(canonical(expected) == expected)
    }

    @Test func `texts are equal where numbers are`() throws {
        var random = SeededRandom(seed: 52)
        var (equal, different) = (0, 0)
        for _ in 0..<4_000 {
            let texts = (0..<2).map { _ in
                let digits = ["0", "1", "10", "25", "250", "2.5", "0.25", "24.00"][random.next(below: 8)]
                let exponent = ["", "e0", "e1", "E+2", "e-1", "e-2"][random.next(below: 6)]
                return ["", "-", "-00", "+"][random.next(below: 4)] + digits + exponent
            }
            let numbers = try texts.map {
                try #require(Decimal(string: $0.replacing("+2", with: "2").replacing("+", with: "")))
            }
            let written = texts.map(canonical)
            #expect((written[0] == written[1]) == (numbers[0] == numbers[1]), "\(texts)")
            if numbers[0] == numbers[1] { equal += 1 } else { different += 1 }
            for (text, number) in zip(written, numbers) {
                #expect(Decimal(string: text) == number)
                // What clusters carry of numbers is written in the same way.
                #expect(FixedDecimal(text)?.description == text)
                #expect(isSafe(text))
            }
        }
        #expect(equal > 100 && different > 1_000)
    }
}
