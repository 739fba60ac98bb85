/// Why bytes are not a tile: where, what was found, and what was expected.
public struct TileDecodingError: Error, Equatable, Sendable {
    /// Counted from the first byte of the tile, or of its JSON.
    public let byteOffset: Int
    public let found: String
    public let expected: String

    init(byteOffset: Int, found: String, expected: String) {
        self.byteOffset = byteOffset
        self.found = found
        self.expected = expected
    }

    /// - Parameters:
    ///   - bytes: the tile's.
    ///   - isText: whether they are text, which can be shown.
    package init(_ fault: JSONFault, in bytes: UnsafeRawBufferPointer, isText: Bool = true) {
        var found = "the end"
        if fault.offset < bytes.count {
            let shown = bytes[fault.offset...].prefix(isText ? 24 : 0)
            let token = shown.prefix { (0x21...0x7e).contains($0) && $0 != 0x2c }
            found =
                token.isEmpty
                ? "0x\(String(bytes[fault.offset], radix: 16))" : String(decoding: token, as: UTF8.self)
        }
        self.init(byteOffset: fault.offset, found: found, expected: fault.expected)
    }
}

extension TileDecodingError: CustomStringConvertible {
    public var description: String { "byte \(byteOffset) is \(found), expected \(expected)" }
}
