/// Which points never merge. As text, `COLUMN` or `COLUMN=VALUE`.
public struct UnclusteredRule: Codable, Hashable, Sendable {
    public var column: String
    /// Points with this value never merge; `nil` for points with any value except ``noes``.
    public var value: String?

    /// Values that mean "no", compared without regard to case.
    public static let noes: Set<String> = ["", "0", "false", "no", "n", "off"]

    public init(column: String, value: String? = nil) {
        self.column = column
        self.value = value
    }

    /// `nil` if the column's name is empty.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let column = parts.first, !column.isEmpty else { return nil }
        self.init(column: column, value: parts.count > 1 ? parts[1] : nil)
    }

    /// The same rule with its value in the canonical form of numbers, in which `24.0` is `24`.
    package var forNumbers: UnclusteredRule {
        var (rule, text) = (self, [UInt8]())
        let bytes = ContiguousArray((value ?? "").utf8)
        if CanonicalNumber.write(bytes.span, 0..<bytes.count, into: &text) {
            rule.value = String(decoding: text, as: UTF8.self)
        }
        return rule
    }

    /// The same rule with its value in the canonical form of booleans, in which `True` is `true`.
    package var forBooleans: UnclusteredRule { UnclusteredRule(column: column, value: value?.lowercased()) }

    /// Whether a point with this value in the column never merges.
    public func holds(_ text: some Collection<UInt8>) -> Bool {
        guard let value else {
            return !UnclusteredRule.noes.contains(String(decoding: text, as: UTF8.self).lowercased())
        }
        return value.utf8.elementsEqual(text)
    }
}
