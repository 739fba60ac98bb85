/// Splits an option's value at commas. `\,` is a comma within a value.
enum CommaSeparated {
    static func names(_ text: String) -> [String] { values(text) { $0 } }

    static func values<Value>(_ text: String, _ value: (String) throws -> Value) rethrows -> [Value] {
        try text.replacing("\\,", with: "\0").split(separator: /, */).map {
            try value(String($0.replacing("\0", with: ",")))
        }
    }
}
