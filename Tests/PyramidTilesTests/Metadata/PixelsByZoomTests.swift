import Testing

@testable import PyramidTiles

@Suite struct PixelsByZoomTests {
    @Test func `one number is for all zooms`() throws {
        let pixels = try #require(PixelsByZoom("40"))
        #expect((0...23).allSatisfy { pixels[$0] == 40 })
        #expect(pixels.description == "40")
        #expect(pixels == 40)
    }

    @Test func `every range has its number`() throws {
        let pixels = try #require(PixelsByZoom("0-8:60,9-9:7,10-:40"))
        #expect((0...8).allSatisfy { pixels[$0] == 60 })
        #expect(pixels[9] == 7)
        #expect((10...23).allSatisfy { pixels[$0] == 40 })
        #expect(pixels.values == [60, 7, 40])
        #expect(PixelsByZoom(pixels.description) == pixels)
    }

    @Test(arguments: [
        "", "x", "40px", "0-8:60", "1-:40", "0-8:60,10-:40", "0-8:60,8-:40", "0-:40,9-:60", "0-8,9-:40", "0-8:60,",
        "8-0:60,1-:40", "0-8:60:3,9-:40", "0:60", "-8:60,9-:40", "0-99:3,100-:4",
    ])
    func `ranges that leave a zoom out or name one twice are refused`(text: String) {
        #expect(PixelsByZoom(text) == nil)
    }
}
