/// The values of an option that lists some, with commas between them. `\,` is a comma in a value.
enum CommaSeparated {
    static func names(_ text: String) -> [String] { values(text) { $0 } }

    static func values<Value>(_ text: String, _ value: (String) throws -> Value) rethrows -> [Value] {
        try text.replacing("\\,", with: "\0").split(separator: /, */).map {
            try value(String($0.replacing("\0", with: ",")))
        }
    }
}
