import PyramidTiles

/// A problem with an input in one line: where it is, what was found, what was expected.
public struct InputError: OptionNamingError, Equatable {
    public enum Kind: Sendable {
        /// The file doesn't exist or may not be read.
        case missing
        /// The content is invalid.
        case badData
        /// The options don't fit the input.
        case usage
        /// Reading the input, or copying it to a temporary file, failed.
        case unreadable
    }

    public let kind: Kind
    /// The input's name.
    public let input: String
    /// The line, counted from 1; `nil` if the problem concerns the input as a whole.
    public let line: Int?
    /// What was found and what was expected.
    public let problem: OptionMessage

    package init(_ kind: Kind, in input: String, line: Int? = nil, _ problem: OptionMessage) {
        self.kind = kind
        self.input = input
        self.line = line
        self.problem = problem
    }
}

extension InputError {
    public var message: OptionMessage {
        let origin = line.map { "\(input):\($0)" } ?? input
        return "\(origin): \(problem)"
    }

    private static let shownBytes = 40

    /// Bytes of the input in quotes, shortened, for a message. Control characters are left: the code that shows the
    /// message escapes them, because names of files and columns can contain them too.
    package static func quoted(_ bytes: some Collection<UInt8>) -> String {
        let limit = shownBytes
        return "\"\(String(decoding: bytes.prefix(limit), as: UTF8.self))\(bytes.count > limit ? "…" : "")\""
    }

    package static func quoted(_ bytes: Span<UInt8>) -> String {
        // One extra byte shows whether there are more.
        quoted(bytes.indices.prefix(shownBytes + 1).map { bytes[$0] })
    }

    /// A message about a missing column.
    static func noColumn(_ name: String, for option: OptionName, among names: [String]) -> OptionMessage {
        let missing: OptionMessage = "no column \(list([name])) for \(option)"
        guard !names.isEmpty else { return "\(missing): there are no columns" }
        let suggestion = Misspelling.nearest(to: name, among: names).map { "; did you mean \(list([$0]))?" } ?? ""
        return "\(missing), expected one of \(list(names))\(suggestion)"
    }

    /// A list of names for a message, cut short if it is very long.
    package static func list(_ names: [String]) -> String {
        let limit = 40
        let shown = names.prefix(limit).map { quoted(Array($0.utf8)) }.joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
