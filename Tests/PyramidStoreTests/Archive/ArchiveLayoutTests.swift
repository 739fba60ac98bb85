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

    @Test(arguments: [.max, 100])
    func `many bodies of one size and checksum are told apart in a few readings of each`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        let memory = ListMemory(budgetBytes: budgetBytes, folder: folder.path)
        let count = 2000
        var random = SeededRandom(seed: 7)
        let bodies = (0..<count).map { _ in ArchiveLayoutTests.body(random.next(below: count)) }
        var contents = ArchiveContents(memory)
        var checksums: Set<UInt32> = []
        var starts = [0: 0]
        var start = 0
        for (number, body) in bodies.enumerated() {
            let crc32 = Gzip.crc32(body)
            try contents.append(
                UInt64(2 * number), StoredFile(byteCount: body.count, crc32: crc32, bodyByteCount: 1, bodyCRC32: 0))
            checksums.insert(crc32)
            starts[start] = number
            start += body.count
        }
        #expect(checksums.count == 1)
        var readings = 0
        let layout = try ArchiveLayout(&contents, memory) { range throws(OutputError) in
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
