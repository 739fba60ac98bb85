/// A message that names options without knowing how the user spells them: a command line shows flags, an app shows the
/// titles of text fields.
///
///     let message: OptionMessage = "\(.members) needs \(.idColumn)"
///     message.description                      // members needs id column
///     message.spelled { flags[$0] ?? "" }      // with the flags of the command line
public struct OptionMessage: Equatable, Sendable {
    private enum Piece: Equatable, Sendable {
        case text(String)
        case option(OptionName)
        case command(SuggestedCommand)
    }

    /// Never two texts in a row, so that equal messages have equal pieces.
    private var pieces: [Piece] = []

    /// The message with each option's name as `spell` gives it, and each command as `spellCommand` does.
    public func spelled(
        _ spell: (OptionName) -> String, commands spellCommand: (SuggestedCommand) -> String = \.description
    ) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .option(let name): spell(name)
            case .command(let command): spellCommand(command)
            }
        }.joined()
    }

    public static func + (first: OptionMessage, second: OptionMessage) -> OptionMessage {
        second.pieces.reduce(into: first) { $0.append($1) }
    }

    private mutating func append(_ piece: Piece) {
        switch (pieces.last, piece) {
        case (_, .text("")): break
        case (.text(let before), .text(let text)): pieces[pieces.count - 1] = .text(before + text)
        default: pieces.append(piece)
        }
    }
}

extension OptionMessage: CustomStringConvertible {
    /// The message with the options' names as plain words.
    public var description: String { spelled(\.words) }
}

extension OptionMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var message = OptionMessage()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { message.append(.text(literal)) }

        public mutating func appendInterpolation(_ option: OptionName) { message.append(.option(option)) }

        public mutating func appendInterpolation(_ command: SuggestedCommand) { message.append(.command(command)) }

        public mutating func appendInterpolation(_ other: OptionMessage) { message = message + other }

        public mutating func appendInterpolation<Value>(_ value: Value) { message.append(.text("\(value)")) }
    }

    public init(stringLiteral text: String) { append(.text(text)) }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.message }
}

/// What a message suggests to run. Command lines spell it as commands.
public enum SuggestedCommand: Equatable, Sendable {
    /// A build from the standard output of this command of another program.
    case buildFromOutput(of: String)
    /// Making a schema of all rows.
    case makeSchema
}

extension SuggestedCommand: CustomStringConvertible {
    public var description: String {
        switch self {
        case .buildFromOutput(let command): command
        case .makeSchema: "make a schema of all rows"
        }
    }
}

/// An error whose message names options.
public protocol OptionNamingError: Error, CustomStringConvertible {
    /// One line: where, what was found, what was expected.
    var message: OptionMessage { get }
}

extension OptionNamingError {
    public var description: String { message.description }
}

/// An option that messages name. Each is declared beside a check that names it.
public struct OptionName: Hashable, Sendable {
    private let name: String

    /// - Parameter name: by default, the name of the property that is being declared.
    package init(_ name: String = #function) { self.name = name }

    /// The name as words: "cluster distance".
    public var words: String {
        var words = ""
        for character in name {
            if character.isUppercase, words.last?.isUppercase == false { words.append(" ") }
            words.append(character)
        }
        return words.lowercased()
    }
}
