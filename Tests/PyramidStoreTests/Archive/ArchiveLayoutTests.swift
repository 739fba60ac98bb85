import PyramidTiles
import TestSupport
import Testing

@testable import PyramidStore

struct ArchiveLayoutTests {
    /// A text that ends with its own checksum, so that all texts of a length have the same checksum.
    private static func body(_ number: Int) -> [UInt8] {
        let text = Array("tile \(1_000_000 + number)".utf8)
        let crc32 = Gzip.crc32(text)
        return text + (0..<4).map { UInt8(truncatingIfNeeded: crc32 >> UInt32(8 * $0)) }
    }

    @Test func `many bodies of one size and checksum are told apart in a few readings of each`() throws {
        let count = 2000
        var random = SeededRandom(seed: 7)
        let bodies = (0..<count).map { _ in ArchiveLayoutTests.body(random.next(below: count)) }
        var contents = ArchiveContents()
        var starts = [0: 0]
        var start = 0
        for (number, body) in bodies.enumerated() {
            contents.tiles.append(ArchiveContents.Tile(id: UInt64(2 * number), value: UInt64(number)))
            contents.bodies.append(ArchiveContents.Body(byteCount: UInt32(body.count), crc32: Gzip.crc32(body)))
            starts[start] = number
            start += body.count
        }
        #expect(Set(contents.bodies.map(\.crc32)).count == 1)
        var readings = 0
        let layout = try ArchiveLayout(contents) { range throws(OutputError) in
            readings += 1
            return starts[range.lowerBound].map { bodies[$0] } ?? []
        }
        #expect(readings <= 3 * count)
        // Each body once, where it came first.
        let first = bodies.indices.filter { !bodies[..<$0].contains(bodies[$0]) }
        #expect(layout.order.map(Int.init) == first)
        #expect(layout.tileDataByteCount == first.reduce(0) { $0 + bodies[$1].count })
    }
}
