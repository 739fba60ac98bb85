import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidStore

struct GzipTests {
    private static let text = Array(
        String(repeating: #"{"type":"Feature","properties":{"city":"São Tomé"}},"#, count: 40).utf8)

    private static func compressed(_ content: [UInt8], level: Int = 6, literalByteLimit: Int = 0) -> [UInt8] {
        var buffer = ByteBuffer()
        let compressor = GzipCompressor(level: level, literalByteLimit: literalByteLimit)
        content.withUnsafeBytes { compressor.compress($0, into: &buffer) }
        return buffer.withUnsafeBytes { Array($0) }
    }

    private static func decompressed(_ bytes: [UInt8], limitBytes: Int = 1 << 24) -> Result<[UInt8], GzipError> {
        Result { () throws(GzipError) in try Gzip.decompress(bytes, limitBytes: limitBytes) }
    }

    /// Contents of all kinds: none, short, repetitive, random, and longer than a step of the inflater.
    private static let contents: [[UInt8]] = {
        var random = SeededRandom(seed: 12)
        return [[], [0], Array("123456789".utf8), text, [UInt8](repeating: 7, count: 1_000_000)]
            + [1, 255, 65_535, 65_536, 65_537, 300_000].map { count in
                (0..<count).map { _ in .random(in: 0...255, using: &random) }
            }
    }()

    @Test(arguments: [
        ("", UInt32(0)), ("123456789", 0xcbf4_3926), ("a", 0xe8b7_be43),
        ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
    ])
    func `a checksum has its published value`(text: String, checksum: UInt32) {
        #expect(Gzip.crc32(Array(text.utf8)) == checksum)
    }

    @Test func `a checksum is written as eight digits`() {
        #expect(UInt32(0).hexadecimal == "00000000")
        #expect(UInt32(0x00ab_cdef).hexadecimal == "00abcdef")
        #expect(UInt32.max.hexadecimal == "ffffffff")
    }

    @Test(arguments: Gzip.levels)
    func `content survives at every level`(level: Int) {
        for content in GzipTests.contents {
            #expect(GzipTests.decompressed(GzipTests.compressed(content, level: level)) == .success(content))
        }
    }

    @Test(arguments: [0, 1, 192, 400_000])
    func `content up to a limit is written byte by byte, and longer content is not`(limit: Int) {
        for content in GzipTests.contents + (1...40).map({ Array(GzipTests.text.prefix($0)) }) {
            let bytes = GzipTests.compressed(content, literalByteLimit: limit)
            #expect(GzipTests.decompressed(bytes) == .success(content))
            if content.count > limit {
                #expect(bytes == GzipTests.compressed(content))
            } else if limit > 0 {
                let bitCount = 3 + content.reduce(0) { $0 + ($1 < 144 ? 8 : 9) } + 7
                #expect(bytes.count == 10 + (bitCount + 7) / 8 + 8)
            }
        }
    }

    @Test func `a stream written byte by byte is read as zlib reads it, whole or damaged`() throws {
        var random = SeededRandom(seed: 58)
        for count in [0, 1, 2, 7, 60, 191] {
            let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = GzipTests.compressed(content, literalByteLimit: 192)
            let flipped = bytes.indices.flatMap { index in
                (0..<8).map { bit in
                    var damaged = bytes
                    damaged[index] ^= 1 << UInt8(bit)
                    return damaged
                }
            }
            for stream in [bytes, bytes + [0], bytes + bytes] + flipped + bytes.indices.map({ Array(bytes[..<$0]) }) {
                let expected = GzipTests.inflated(stream)
                #expect((try? GzipTests.decompressed(stream).get()) == expected, "\(count) bytes: \(stream)")
                if count > 0 { #expect((try? GzipTests.decompressed(stream, limitBytes: count - 1).get()) == nil) }
            }
            #expect(GzipTests.inflated(bytes) == content)
        }
    }

    /// The content of the only member of a stream, by zlib alone; `nil` if that isn't all of the stream.
    private static func inflated(_ stream: [UInt8]) -> [UInt8]? {
        guard let inflater = try? GzipInflater() else { return nil }
        var content: [UInt8] = []
        let rest = stream.withUnsafeBytes { try? inflater.inflate($0, appendingTo: &content).count }
        return inflater.isAtMemberEnd && rest == 0 ? content : nil
    }

    @Test func `short files of different content of one length have different checksums`() {
        var random = SeededRandom(seed: 31)
        let contents = (0..<1000).map { _ in (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let checksums = contents.map { Gzip.crc32(GzipTests.compressed($0, literalByteLimit: 192)) }
        #expect(Set(checksums).count == contents.count)
    }

    @Test func `what changes the bytes is in the compressor's name`() {
        let names = [(6, 0), (5, 0), (6, 192), (6, 193)].map { GzipCompressor.name(level: $0, literalByteLimit: $1) }
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: Gzip.levels)
    func `header and trailer are the same everywhere`(level: Int) {
        let bytes = GzipTests.compressed(GzipTests.text, level: level)
        // RFC 1952: magic, deflate, no flags, time 0, no extra flags, unknown operating system.
        #expect(bytes.prefix(10) == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
        let checksum = Gzip.crc32(GzipTests.text)
        let count = UInt32(GzipTests.text.count)
        let trailer = [checksum, count].flatMap { value in (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        #expect(bytes.suffix(8) == trailer[...])
    }

    @Test func `a compressor makes the same bytes whatever it compressed before`() {
        let compressor = GzipCompressor(level: 6)
        var buffer = ByteBuffer(capacity: 1)
        for content in GzipTests.contents + GzipTests.contents.reversed() {
            buffer.removeAll()
            content.withUnsafeBytes { compressor.compress($0, into: &buffer) }
            #expect(buffer.withUnsafeBytes { Array($0) } == GzipTests.compressed(content))
        }
    }

    @Test func `a stream is appended to what the buffer holds`() {
        var buffer = ByteBuffer(capacity: 1)
        buffer.append("before")
        let compressor = GzipCompressor(level: 6)
        GzipTests.text.withUnsafeBytes { compressor.compress($0, into: &buffer) }
        let bytes = buffer.withUnsafeBytes { Array($0) }
        #expect(bytes == Array("before".utf8) + GzipTests.compressed(GzipTests.text))
    }

    @Test func `the system's gzip reads the stream`() throws {
        let folder = try TemporaryFolder()
        for (number, content) in GzipTests.contents.enumerated() {
            let file = try folder.file("\(number).gz", Data(GzipTests.compressed(content)))
            #expect(try gzip("-t", file).status == 0)
            let unpacked = try gzip("-dc", file)
            #expect(unpacked.status == 0)
            #expect(unpacked.output.elementsEqual(content))
        }
    }

    @Test func `a stream that ends too early is truncated`() {
        let bytes = GzipTests.compressed(GzipTests.text)
        for count in 0..<bytes.count {
            #expect(GzipTests.decompressed(Array(bytes.prefix(count))) == .failure(.truncated), "\(count) bytes")
        }
    }

    @Test func `a flipped bit is found or changes nothing`() {
        let bytes = GzipTests.compressed(GzipTests.text)
        var unnoticed: Set<Int> = []
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                switch GzipTests.decompressed(damaged) {
                case .success(let content):
                    #expect(content == GzipTests.text)
                    unnoticed.insert(index)
                case .failure: break
                }
            }
        }
        // Flags without effect, time, extra flags and operating system; and the bits that pad the last byte of data.
        #expect(unnoticed.isSubset(of: Set(3..<10).union([bytes.count - 9])))
    }

    @Test func `damage has its name`() {
        let bytes = GzipTests.compressed(GzipTests.text)
        var wrongChecksum = bytes
        wrongChecksum[bytes.count - 8] ^= 1
        var wrongLength = bytes
        wrongLength[bytes.count - 4] ^= 1
        var wrongMethod = bytes
        wrongMethod[2] = 7
        #expect(GzipTests.decompressed(wrongChecksum) == .failure(.corrupt("incorrect data check")))
        #expect(GzipTests.decompressed(wrongLength) == .failure(.corrupt("incorrect length check")))
        #expect(GzipTests.decompressed(wrongMethod) == .failure(.corrupt("unknown compression method")))
        #expect(GzipTests.decompressed(Array("{\"type\":".utf8)) == .failure(.notGzip))
        #expect(GzipTests.decompressed([0x1f, 0x8c] + bytes.dropFirst(2)) == .failure(.notGzip))
        #expect(GzipTests.decompressed(bytes + [0]) == .failure(.trailingBytes))
        #expect(GzipTests.decompressed(bytes + bytes) == .failure(.trailingBytes))
        #expect(GzipTests.decompressed([0] + bytes) == .failure(.notGzip))
    }

    @Test func `inflating stops at the limit`() {
        let count = 50_000_000
        let bomb = GzipTests.compressed([UInt8](repeating: 0, count: count))
        #expect(bomb.count < 100_000)
        #expect(GzipTests.decompressed(bomb, limitBytes: 1_000_000) == .failure(.tooLarge(limitBytes: 1_000_000)))
        let text = GzipTests.compressed(GzipTests.text)
        let limit = GzipTests.text.count
        #expect(GzipTests.decompressed(text, limitBytes: limit) == .success(GzipTests.text))
        #expect(GzipTests.decompressed(text, limitBytes: limit - 1) == .failure(.tooLarge(limitBytes: limit - 1)))
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func `members come one after the other, from pieces of any size`(pieceBytes: Int) throws {
        let parts = [Array("latitude,longitude\n".utf8), [], GzipTests.text]
        let bytes = parts.flatMap { GzipTests.compressed($0) }
        let inflater = try GzipInflater()
        var content: [UInt8] = []
        var memberEnds: [Int] = []
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            try bytes[start..<min(start + pieceBytes, bytes.count)].withUnsafeBytes { piece in
                var rest = piece
                while !rest.isEmpty {
                    // Room for a few bytes only, so that a piece takes several steps.
                    rest = try inflater.inflate(rest, appendingTo: &content, stepBytes: 5)
                    if inflater.isAtMemberEnd { memberEnds.append(content.count) }
                }
            }
        }
        #expect(content == parts.flatMap { $0 })
        #expect(inflater.isAtMemberEnd)
        #expect(memberEnds == [19, 19, 19 + GzipTests.text.count])
    }

    @Test func `inflating stops at the limit, whatever the trailer claims`() throws {
        let bomb = GzipTests.compressed([UInt8](repeating: 7, count: 1_000_000))
        var reader = GzipReader()
        var content: [UInt8] = []
        for claim in [[0, 0, 0, 0], [255, 255, 255, 255], [5, 0, 0, 0]] as [[UInt8]] {
            let bytes = Array(bomb.dropLast(4)) + claim
            #expect(throws: GzipError.tooLarge(limitBytes: 1000)) {
                try reader.read(bytes, into: &content, limitBytes: 1000)
            }
            #expect(content.count <= 2001)
            #expect(throws: GzipError.self) { try reader.read(bytes, into: &content, limitBytes: 2_000_000) }
        }
        // A reader that has met broken streams reads the next one all the same.
        try reader.read(bomb, into: &content, limitBytes: 1_000_000)
        #expect(content.count == 1_000_000)
    }
}
