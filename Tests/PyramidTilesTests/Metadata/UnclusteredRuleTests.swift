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

    @Test func `numbers and booleans are meant by their values, texts by their bytes`() throws {
        let rule = try #require(UnclusteredRule("a=24.0"))
        #expect(rule.forNumbers == UnclusteredRule(column: "a", value: "24"))
        #expect(rule.holds(Array("24.0".utf8)) && !rule.holds(Array("24".utf8)))
        #expect(try #require(UnclusteredRule("a=True")).forBooleans == UnclusteredRule("a=true"))
        for text in ["a", "a=", "a=x"] {
            let rule = try #require(UnclusteredRule(text))
            #expect(rule.forNumbers == rule && rule.forBooleans == rule)
        }
    }
}
