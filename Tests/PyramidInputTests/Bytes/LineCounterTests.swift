import TestSupport
import Testing

@testable import PyramidInput

struct LineCounterTests {
    @Test func `line feeds, carriage returns and both end a line`() {
        var random = SeededRandom(seed: 5)
        for kinds in [["\n", "x"], ["\r\n", "x"], ["\n", "\r", "\r\n", "x", "é", "\u{8}", "\u{b}", "\u{c}"]] {
            for _ in 0..<300 {
                let text = (0..<40).map { _ in kinds[random.next(below: kinds.count)] }.joined()
                let bytes = Array(text.utf8)
                var expected: [Int] = []
                var line = 1
                for (index, byte) in bytes.enumerated() {
                    expected.append(line)
                    let isPair = byte == 0x0d && index + 1 < bytes.count && bytes[index + 1] == 0x0a
                    if byte == 0x0a || byte == 0x0d && !isPair { line += 1 }
                }
                var counter = LineCounter()
                var offset = 0
                while offset < bytes.count {
                    let line = counter.line(at: offset, in: bytes.span)
                    #expect(line == expected[offset])
                    offset += 1 + random.next(below: 30)
                }
            }
        }
    }
}
