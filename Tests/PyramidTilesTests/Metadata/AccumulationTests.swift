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

    @Test func `names of values must differ, those of columns need not`() {
        func problem(_ texts: [String], _ change: (inout ClusterContentOptions) -> Void = { _ in }) -> String? {
            var options = ClusterContentOptions(accumulate: texts.compactMap { Accumulation($0) })
            change(&options)
            return options.problem?.description
        }
        #expect(problem(["price:min:lowest", "price:max:highest", "price:mean"]) == nil)
        #expect(problem(["price:min", "price:max"])?.contains("two values named \"price\"") == true)
        #expect(problem(["price:min:n", "size:max:n"])?.contains("two values named \"n\"") == true)
        #expect(problem(["price:min:kind"]) { $0.countBy = [CategoryCount(name: "kind")] } != nil)
        #expect(problem(["price:min:kind"]) { $0.countBy = [CategoryCount(name: "price")] } == nil)
        #expect(problem(["price:min:scale"]) == nil)
        #expect(problem(["price:min:scale"]) { $0.hasScale = true } != nil)
        #expect(problem(["price:min:leaf_pages"]) { $0.hasLeaves = true } != nil)
        #expect(problem(["n:sum:point_count"])?.contains("every cluster has a value named \"point_count\"") == true)
    }
}
