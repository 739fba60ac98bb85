import PyramidTiles
import Testing

@testable import PyramidStore

struct SealedGzipTests {
    @Test func `every flipped bit of sealed data shows`() throws {
        let content = Array(String(repeating: "a tileset in a file, ", count: 12).utf8)
        var sealed = SealedGzip.compress(content)
        #expect(SealedGzip.isSound(sealed))
        #expect(try Gzip.decompress(sealed, limitBytes: 1000) == content)
        for bit in 0..<sealed.count * 8 {
            sealed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!SealedGzip.isSound(sealed), "bit \(bit)")
            sealed[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }
}
