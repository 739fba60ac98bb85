import PyramidTiles
import Testing

struct NumberTextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (-4321, "-4,321"), (100_020, "100,020"), (1_521_388, "1,521,388"),
    ])
    func `digits are in groups of three`(number: Int, text: String) {
        #expect(NumberText.grouped(number) == text)
    }

    @Test func `only one is singular`() {
        #expect([0, 1, 2, 1001].map { NumberText.counted($0, "row") } == ["0 rows", "1 row", "2 rows", "1,001 rows"])
    }
}
