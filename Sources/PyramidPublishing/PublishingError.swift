import PyramidTiles

/// Why a pyramid can't be published.
public struct PublishingError: OptionNamingError, Equatable {
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
    public let message: OptionMessage

    init(_ kind: Kind, _ message: OptionMessage) {
        self.kind = kind
        self.message = message
    }
}
