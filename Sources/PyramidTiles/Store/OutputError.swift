/// Why a pyramid can't be written.
public struct OutputError: Error, Equatable, CustomStringConvertible, Sendable {
    public enum Kind: Sendable {
        /// The directory can't be used; nothing in it was touched.
        case unusable
        /// A file could not be read or written.
        case failed
    }

    public let kind: Kind
    /// One line: where, and what happened.
    public let description: String

    init(_ kind: Kind, _ path: String, _ problem: String) {
        self.kind = kind
        description = "\(path): \(problem)"
    }
}
