import TestSupport
import Testing

@testable import PyramidBuild

struct CanonicalNumberTests {
    private func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return CanonicalNumber.matches(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        "0", "7", "-7", "10", "1200", "0.5", "-0.5", "12.25", "100.01", "123456789012345", "-1234567.12345678",
        "0.000001", "0.00000123456789012345", "0.123456789012345",
    ])
    func `a number that JSON gives back unchanged is canonical`(text: String) {
        #expect(matches(text))
    }

    @Test(arguments: [
        "", "-", "-0", "007", "00", "-01", "+7", "1.", ".5", "1.0", "12.50", "0.0", "-0.0", "1e5", "1E5", " 1", "1 ",
        "1,5",
        "1.2.3", "1234567890123456", "12345678.12345678", "0.0000001", "0.00000012", "0x10", "NaN", "Infinity", "1_000",
        "0.1234567890123456", "1.2a3", "--1",
    ])
    func `anything else is text`(text: String) {
        #expect(!matches(text))
    }

    @Test func `a canonical number is what a shortest float prints`() {
        var random = SeededRandom(seed: 3)
        var seen = 0
        for _ in 0..<20_000 {
            let digits = (0..<1 + random.next(below: 9)).map { _ in "\(random.next(below: 10))" }.joined()
            let decimals = ["", ".\(random.next(below: 10_000))"][random.next(below: 2)]
            let text = ["", "-"][random.next(below: 2)] + digits + decimals
            guard let value = Double(text) else { continue }
            let printed = value == value.rounded() && value != 0 ? "\(Int(value))" : "\(value)"
            let isCanonical = printed == text || text == "0"
            // For small numbers, Swift switches to an exponent earlier than JavaScript does.
            guard abs(value) >= 1e-3 || value == 0 else { continue }
            seen += 1
            #expect(matches(text) == (isCanonical && text != "0.0" && text != "-0.0"), "\(text)")
        }
        #expect(seen > 10_000)
    }
}
