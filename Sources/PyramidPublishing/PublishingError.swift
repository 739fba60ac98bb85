/// Why a pyramid can't be published.
public struct PublishingError: Error, Equatable, CustomStringConvertible, Sendable {
    public enum Kind: Sendable {
        /// The pyramid is not whole, or what is at the destination is damaged.
        case badData
        /// The destination can't be used.
        case unusable
        /// Another publish is under way.
        case busy
        /// Something could not be read or written.
        case failed
        /// It was asked to stop.
        case stopped
    }

    public let kind: Kind
    /// One line: where, and what happened.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
