/// Which points are never merged, as text `COLUMN` or `COLUMN=VALUE`.
public struct UnclusteredRule: Codable, Hashable, Sendable {
    public var column: String
    /// The value that such a point has in the column; `nil` for any but those of ``noes``.
    public var value: String?

    /// What means no, whatever the case of its letters.
    public static let noes: Set<String> = ["", "0", "false", "no", "n", "off"]

    public init(column: String, value: String? = nil) {
        self.column = column
        self.value = value
    }

    /// `nil` where no column is named.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let column = parts.first, !column.isEmpty else { return nil }
        self.init(column: column, value: parts.count > 1 ? parts[1] : nil)
    }

    /// Whether a point with this value in the column is never merged.
    public func holds(_ text: some Collection<UInt8>) -> Bool {
        guard let value else {
            return !UnclusteredRule.noes.contains(String(decoding: text, as: UTF8.self).lowercased())
        }
        return value.utf8.elementsEqual(text)
    }
}
