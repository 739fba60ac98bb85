import PyramidTiles
import Testing

@testable import PyramidBuild

struct ClusterContentOptionsTests {
    @Test func `names of values must differ, those of columns need not`() {
        func problem(_ texts: [String], _ change: (inout ClusterContentOptions) -> Void = { _ in }) -> String? {
            var options = ClusterContentOptions(accumulate: texts.compactMap { Accumulation($0) })
            change(&options)
            return options.problem?.description
        }
        #expect(problem(["price:min:lowest", "price:max:highest", "price:mean"]) == nil)
        #expect(problem(["price:min", "price:max"])?.contains("two options add a property \"price\"") == true)
        #expect(problem(["price:min:n", "size:max:n"])?.contains("two options add a property \"n\"") == true)
        #expect(problem(["price:min:kind"]) { $0.countBy = [CategoryCount(name: "kind")] } != nil)
        #expect(problem(["price:min:kind"]) { $0.countBy = [CategoryCount(name: "price")] } == nil)
        #expect(problem(["price:min:members"]) == nil)
        #expect(problem(["price:min:members"]) { $0.memberLimit = 3 } != nil)
        #expect(problem(["n:sum:point_count"])?.contains("every cluster already has a property \"point_") == true)
    }
}
