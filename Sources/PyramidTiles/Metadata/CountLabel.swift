/// What `point_count_abbreviated` holds.
public enum CountLabel: String, Codable, CaseIterable, Sendable {
    /// The number up to 999, then "1k", "1.2k", "12k", "1.2M".
    case abbreviated
    /// The number.
    case exact
    /// The number up to 99, then "99+".
    case ninetyNine = "99+"
}

extension CountLabel {
    /// Whether the label of a count is the count itself.
    package func isNumber(_ count: Int) -> Bool {
        switch self {
        case .abbreviated: count < 1_000
        case .exact: true
        case .ninetyNine: count < 100
        }
    }

    /// The label of a count, as in `point_count_abbreviated`.
    public func text(of count: Int) -> String {
        var buffer = ByteBuffer(capacity: 24)
        buffer.append(label: count, self)
        return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension ByteBuffer {
    /// `point_count_abbreviated`, without quotes.
    package mutating func append(label count: Int, _ label: CountLabel) {
        guard !label.isNumber(count) else { return append(integer: count) }
        switch label {
        case .ninetyNine: append("99+")
        case .abbreviated where count < 999_500: append(count, dividedBy: 1_000, suffix: UInt8(ascii: "k"))
        case .abbreviated, .exact: append(count, dividedBy: 1_000_000, suffix: UInt8(ascii: "M"))
        }
    }

    /// With one decimal for less than ten units, unless it is zero; otherwise in whole units. Halves are rounded up.
    private mutating func append(_ count: Int, dividedBy unit: Int, suffix: UInt8) {
        let tenths = (count * 10 + unit / 2) / unit
        if count < unit * 10, tenths % 10 != 0, tenths < 100 {
            append(integer: tenths / 10)
            append(UInt8(ascii: "."))
            append(integer: tenths % 10)
        } else {
            append(integer: (count + unit / 2) / unit)
        }
        append(suffix)
    }
}
