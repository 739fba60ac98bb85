import PyramidTiles

/// The `point_count_abbreviated` of a count by its definition, independent of the encoder: the number itself below
/// 1,000, then "1k", "1.2k" to "9.9k", "10k" to "999k", "1M", "1.2M" and so on, with halves rounded up.
enum AbbreviatedCount {
    /// The JSON value.
    /// - Parameter isText: whether plain numbers are written as strings too.
    static func json(of count: Int, label: CountLabel = .abbreviated, isText: Bool = false) -> String {
        let json = json(of: count, label)
        return isText && !json.hasPrefix("\"") ? "\"\(json)\"" : json
    }

    private static func json(of count: Int, _ label: CountLabel) -> String {
        switch label {
        case .exact: return String(count)
        case .ninetyNine: return count < 100 ? String(count) : "\"99+\""
        case .abbreviated: break
        }
        if count < 1_000 { return String(count) }
        // From 999,500, the thousands would be rounded to 1000.
        let (unit, suffix) = count < 999_500 ? (1_000, "k") : (1_000_000, "M")
        let tenths = rounded(count, to: unit / 10)
        // 9.95 and more is rounded to 10.
        let isShort = tenths < 100 && tenths % 10 != 0
        let number = isShort ? "\(tenths / 10).\(tenths % 10)" : "\(rounded(count, to: unit))"
        return "\"\(number)\(suffix)\""
    }

    private static func rounded(_ count: Int, to unit: Int) -> Int {
        count / unit + (count % unit * 2 >= unit ? 1 : 0)
    }
}
