import PyramidTiles
import Testing

struct MisspellingTests {
    @Test(arguments: [
        ("biuld", "build"), ("buld", "build"), ("bild", "build"), ("bbuild", "build"), ("BUILD", "build"),
        ("verfy", "verify"), ("idd", "id"), ("di", "id"), ("nmae", "name"), ("pouplatoin", "population"),
    ])
    func `a name that is nearly right finds what was meant`(name: String, meant: String) {
        #expect(Misspelling.nearest(to: name, among: ["population", "name", "id", "build", "verify"]) == meant)
    }

    @Test(arguments: ["", "i", "xyz", "builders", "population_density", "ba", String(repeating: "build", count: 1000)])
    func `a name that is something else finds nothing`(name: String) {
        #expect(Misspelling.nearest(to: name, among: ["population", "build", "verify"]) == nil)
    }

    @Test func `the nearest name comes first and of equally near ones the first`() {
        #expect(Misspelling.nearest(to: "prices", among: ["prize", "price"]) == "price")
        #expect(Misspelling.nearest(to: "lan", among: ["lat", "lon"]) == "lat")
    }
}
