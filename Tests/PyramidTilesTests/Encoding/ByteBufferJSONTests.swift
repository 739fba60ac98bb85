import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

struct ByteBufferJSONTests {
    private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
        // A small buffer, so that it has to grow.
        var buffer = ByteBuffer(capacity: 1)
        write(&buffer)
        return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `integers are written in decimal digits`() {
        var random = SeededRandom(seed: 9)
        let edges = [0, 1, -1, 9, 10, -10, 99, 100, 4_503_599_627_370_495, .max, .min, .min + 1]
        let values = (0..<1_000).map { round in Int.random(in: .min ... .max, using: &random) >> (round % 64) }
        for value in edges + values {
            #expect(ByteBufferJSONTests.text { $0.append(integer: value) } == value.description)
        }
    }

    @Test(
        arguments: [
            (0, "0"), (-1, "-0.000001"), (1, "0.000001"), (-10, "-0.00001"), (-500_000, "-0.5"), (1_000_000, "1"),
            (180_000_000, "180"), (-180_000_000, "-180"), (179_999_999, "179.999999"), (-90_000_000, "-90"),
            (-122_419_400, "-122.4194"), (10_000_001, "10.000001"), (100_100, "0.1001"), (-1_000_010, "-1.00001"),
            (Int32.min, "-2147.483648"), (Int32.max, "2147.483647"),
        ] as [(Int32, String)])
    func `microdegrees are written as degrees without trailing zeros`(value: Int32, text: String) {
        #expect(ByteBufferJSONTests.text { $0.append(microdegrees: value) } == text)
    }

    @Test func `microdegrees are what decimal arithmetic makes of them`() {
        var random = SeededRandom(seed: 10)
        for round in 0..<3_000 {
            var value = Int32.random(in: -180_000_000...180_000_000, using: &random)
            // Values with one to six zeros at the end, too.
            for _ in 0..<(round % 7) { value = value / 10 }
            for _ in 0..<(round % 7) { value = value * 10 }
            let degrees = Decimal(value) / 1_000_000
            #expect(ByteBufferJSONTests.text { $0.append(microdegrees: value) } == "\(degrees)")
        }
    }

    @Test(
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("\"", #""\"""#), (#"\"#, #""\\""#), (#"C:\new"#, #""C:\\new""#),
            ("a\tb\nc\rd", #""a\tb\nc\rd""#), ("\u{0}", #""\u0000""#), ("\u{8}\u{c}", #""\u0008\u000c""#),
            ("\u{1f}", #""\u001f""#), ("\u{7f}", "\"\u{7f}\""), ("a/b", #""a/b""#), ("</script>", #""</script>""#),
            ("Nukuʻalofa", #""Nukuʻalofa""#), ("🗺", #""🗺""#), ("\u{2028}", "\"\u{2028}\""),
        ] as [(String, String)])
    func `text is escaped where JSON demands it and nowhere else`(text: String, quoted: String) {
        #expect(ByteBufferJSONTests.text { $0.append(quoted: text) } == quoted)
    }

    @Test func `quoted text reads back as it was`() throws {
        var random = SeededRandom(seed: 11)
        let ranges: [ClosedRange<UInt32>] = [0...0x1f, 0x20...0x7f, 0x80...0x7ff, 0x800...0xd7ff, 0x1_0000...0x10_ffff]
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let range = ranges[.random(in: 0..<ranges.count, using: &random)]
                let scalar = try #require(Unicode.Scalar(UInt32.random(in: range, using: &random)))
                text.unicodeScalars.append(scalar)
                if Bool.random(using: &random) { text += "\"\\" }
            }
            let json = ByteBufferJSONTests.text { $0.append(quoted: text) }
            let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
            let read = try #require(value as? String)
            // Scalar by scalar: Swift takes different spellings of a character for equal.
            #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test func `a buffer keeps its bytes while it grows, and forgets them when told`() {
        var buffer = ByteBuffer(capacity: 3)
        var expected: [UInt8] = []
        for value in 0..<2_000 {
            buffer.append(UInt8(truncatingIfNeeded: value))
            buffer.append([1, 2, 3].map { UInt8(truncatingIfNeeded: value * $0) })
            buffer.append("no")
            expected.append(UInt8(truncatingIfNeeded: value))
            expected += [1, 2, 3].map { UInt8(truncatingIfNeeded: value * $0) } + Array("no".utf8)
        }
        #expect(buffer.withUnsafeBytes { Array($0) } == expected)
        #expect(buffer.count == expected.count)
        buffer.removeAll()
        #expect(buffer.count == 0)
        buffer.append("yes")
        #expect(buffer.withUnsafeBytes { Array($0) } == Array("yes".utf8))
    }
}
