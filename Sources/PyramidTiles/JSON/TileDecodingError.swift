/// Why bytes are not a tile: where, what stands there and what was expected.
public struct TileDecodingError: Error, Equatable, Sendable {
    /// Counted from the first byte of the tile's JSON.
    public let byteOffset: Int
    public let found: String
    public let expected: String

    init(byteOffset: Int, found: String, expected: String) {
        self.byteOffset = byteOffset
        self.found = found
        self.expected = expected
    }
}

extension TileDecodingError: CustomStringConvertible {
    public var description: String { "byte \(byteOffset) is \(found), expected \(expected)" }
}
