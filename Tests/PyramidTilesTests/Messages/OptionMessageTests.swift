import Testing

@testable import PyramidTiles

struct OptionMessageTests {
    private let message: OptionMessage = "\(.members) is \(0), expected \(.maxZoom) \"\("k")\""

    @Test func `options are spelled as the reader knows them`() {
        #expect(message.spelled { "<\($0.words)>" } == "<members> is 0, expected <max zoom> \"k\"")
        #expect(message.description == "members is 0, expected max zoom \"k\"")
    }

    @Test func `messages can be put together`() {
        let cure: OptionMessage = "; raise \(.memoryLimit)"
        #expect("too much" + cure == "too much; raise \(.memoryLimit)")
        #expect("too much\(cure)" as OptionMessage == "too much; raise \(.memoryLimit)")
    }

    @Test func `messages are equal if they read the same and name the same options`() {
        let first: OptionMessage = "a" + "b"
        #expect(first == "ab")
        #expect(first != "ac")
        #expect("\(.jobs)" as OptionMessage != "jobs")
    }
}
