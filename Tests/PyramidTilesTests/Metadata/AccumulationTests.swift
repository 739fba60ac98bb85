import Foundation
import Testing

@testable import PyramidTiles

struct AccumulationTests {
    @Test(arguments: [
        ("price:max", Accumulation(name: "price", operation: .max)),
        ("price:max:highest_price", Accumulation(name: "price", operation: .max, output: "highest_price")),
        ("a:b:max", Accumulation(name: "a:b", operation: .max)),
        ("a:b:max:top", Accumulation(name: "a:b", operation: .max, output: "top")),
        // The last part is a name wherever an operation is before it.
        ("price:max:sum", Accumulation(name: "price", operation: .max, output: "sum")),
        ("price:max:sum:total", Accumulation(name: "price:max", operation: .sum, output: "total")),
        ("max:max", Accumulation(name: "max", operation: .max)),
        ("max:min:max", Accumulation(name: "max", operation: .min)),
        ("::sum", Accumulation(name: ":", operation: .sum)),
    ])
    func `a text is a column, an operation, and perhaps a name`(text: String, expected: Accumulation) {
        #expect(Accumulation(text) == expected)
    }

    @Test(arguments: [
        "", "price", "price:", "price:median", ":max", "max", "price:max:", ":max:x", "price:x:y", "price:max:a:b",
    ])
    func `a text without a column or an operation is refused`(text: String) {
        #expect(Accumulation(text) == nil)
    }

    @Test func `a name is in the manifest only where it isn't the column's`() throws {
        let both = [
            Accumulation(name: "a", operation: .sum, output: "b"),
            Accumulation(name: "a", operation: .sum, output: "a"),
        ]
        #expect(both.map(\.property) == ["b", "a"])
        let bytes = try MetadataJSON.encode(both)
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: String]])
        #expect(
            objects == [["name": "a", "operation": "sum", "output": "b"], ["name": "a", "operation": "sum"]])
        #expect(try MetadataJSON.decode([Accumulation].self, from: bytes) == both)
    }
}
