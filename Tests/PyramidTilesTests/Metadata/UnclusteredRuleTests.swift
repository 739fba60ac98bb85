import Testing

@testable import PyramidTiles

@Suite struct UnclusteredRuleTests {
    @Test func `a rule is a column with or without a value`() {
        #expect(UnclusteredRule("a") == UnclusteredRule(column: "a"))
        #expect(UnclusteredRule("a=") == UnclusteredRule(column: "a", value: ""))
        #expect(UnclusteredRule("a b=c=d") == UnclusteredRule(column: "a b", value: "c=d"))
        #expect(UnclusteredRule("") == nil)
        #expect(UnclusteredRule("=x") == nil)
    }

    @Test(arguments: [
        ("a", "", false), ("a", "0", false), ("a", "No", false), ("a", "FALSE", false), ("a", "1", true),
        ("a", "none", true), ("a=", "", true), ("a=", "1", false), ("a=no", "no", true), ("a=no", "No", false),
        // The same letter in other bytes is another value.
        ("a=\u{e9}", "e\u{301}", false),
    ])
    func `a rule tells which values it means`(rule: String, text: String, holds: Bool) throws {
        #expect(try #require(UnclusteredRule(rule)).holds(Array(text.utf8)) == holds)
    }
}
