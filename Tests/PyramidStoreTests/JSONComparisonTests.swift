import PyramidStore
import PyramidTiles
import Testing

@Suite struct JSONComparisonTests {
    private func differences(_ found: String, _ expected: String, limit: Int = 9) throws -> [String] {
        try JSONComparison.differences(of: Array(found.utf8), from: Array(expected.utf8), limit: limit) {
            $0.hasPrefix("ignored")
        }.map { "\($0.path): \($0.found ?? "-") \($0.expected ?? "-")" }
    }

    @Test(arguments: [
        (#"{"a": [1, {"b": "x"}]}"#, #"{"a":[1,{"b":"x"}]}"#, []),
        (#"{"a":[1,{"b":"x"}]}"#, #"{"a":[2,{"b":"y"}]}"#, ["a[0]: 1 2", #"a[1].b: "x" "y""#]),
        (#"{"a":1.0}"#, #"{"a":1}"#, ["a: 1.0 1"]), (#"{"a":"\u0041"}"#, #"{"a":"A"}"#, [#"a: "\u0041" "A""#]),
        (#"{"a":1,"c":3}"#, #"{"b":2,"a":1}"#, ["b: - 2", "c: 3 -"]), ("[1]", "[1,[2],3]", ["[1]: - [2]", "[2]: - 3"]),
        ("[1,2]", "[1]", ["[1]: 2 -"]), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, [#": {"a":1,"b":2} {"b":2,"a":1}"#]),
        (#"{"a":1,"a":1}"#, #"{"a":1}"#, [#": {"a":1,"a":1} {"a":1}"#]), (#"{"a b":1}"#, "{}", [#"["a b"]: 1 -"#]),
        (#"{"ignored":1,"b":{"ignored":1}}"#, #"{"ignored":2,"b":{"ignored":2}}"#, ["b.ignored: 1 2"]),
        ("{}", "[]", [": {} []"]), (#"{"é":1}"#, "{\"e\u{301}\":1}", ["e\u{301}: - 1", "é: 1 -"]),
    ])
    func `what differs is named with both values`(found: String, expected: String, differences: [String]) throws {
        #expect(try self.differences(found, expected) == differences)
    }

    @Test func `no more differences are named than wanted, and long values are shortened`() throws {
        #expect(try differences("[1,2,3]", "[4,5,6]", limit: 2) == ["[0]: 1 4", "[1]: 2 5"])
        let long = "\"\(String(repeating: "a", count: 200))\""
        #expect(try differences(long, "1") == [": \(long.prefix(80))… 1"])
    }

    @Test func `nesting that nobody expected is no recursion`() throws {
        let deep = String(repeating: "[", count: 1 << 20) + String(repeating: "]", count: 1 << 20)
        #expect(try differences(deep, "[[1]]") == ["[0][0]: \(String(repeating: "[", count: 80))… 1"])
        #expect(throws: JSONFault.self) { try differences("[", "[]") }
    }
}
