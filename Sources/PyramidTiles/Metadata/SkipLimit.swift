/// How many bad rows an input may have. They are skipped; more of them are an error.
///
/// Rows whose only fault is that they have no place, and a row of units, are never bad (`RowProblem.isHarmless`). A share
/// is that of the other rows, so rows without a place don't change it. Rows whose ids are repeated count for all inputs together.
public struct SkipLimit: Equatable, Sendable {
    /// Any input may have this many bad rows,
    private let rows: Int
    /// or this share of them; `nil` if only the number counts.
    private let percent: Int?

    private init(rows: Int, percent: Int?) { (self.rows, self.percent) = (rows, percent) }

    /// 10%, and always one row.
    public static let standard = SkipLimit(rows: 1, percent: 10)
    /// Any number of rows.
    public static let unlimited = percent(100)
    public static func rows(_ rows: Int) -> SkipLimit { SkipLimit(rows: rows, percent: nil) }
    public static func percent(_ percent: Int) -> SkipLimit { SkipLimit(rows: 0, percent: percent) }

    /// `nil` unless the text is a valid number of rows, such as "20", or a share, such as "5%".
    public init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]+)(%?)/), let number = Int(match.1) else { return nil }
        self = match.2.isEmpty ? .rows(number) : .percent(number)
        guard isValid else { return nil }
    }

    package var isValid: Bool { rows >= 0 && (0...100).contains(percent ?? 0) }

    /// Whether an input may have `bad` rows among `count` rows.
    package func allows(_ bad: Int, of count: Int) -> Bool {
        bad <= rows || percent.map { bad * 100 <= $0 * count } ?? false
    }

    /// The least limit of the same kind that allows all of these inputs.
    package func raised(toAllow inputs: [(bad: Int, count: Int)]) -> SkipLimit {
        guard percent != nil else { return .rows(inputs.map(\.bad).max() ?? 0) }
        return .percent(inputs.map { $0.count == 0 ? 0 : ($0.bad * 100 + $0.count - 1) / $0.count }.max() ?? 0)
    }
}

extension SkipLimit: CustomStringConvertible {
    /// As in ``init(_:)``.
    public var description: String { percent.map { "\($0)%" + (rows > 0 ? " or \(rows) row" : "") } ?? "\(rows)" }
}
