import Foundation
import PyramidTiles

/// A value of a column by which markers can be filtered.
///
/// It can be written as a literal: `"bakery"`, `4`, `true`, or `nil` for points without a value.
public enum FacetValue: Hashable, Sendable {
    /// The point has no value.
    case absent
    /// A string, a number or a boolean.
    case value(PropertyValue)
    /// Numbers from `from` up to, but not including, `to`; `nil` for no limit.
    case range(from: Double? = nil, to: Double? = nil)
    /// Dates from the start of `from` up to, but not including, the start of `to`; `nil` for no limit. Limits are spans of time
    /// as in `DateUnit`, such as `2024-03` or `2024-W09`, or dates and times as in ISO 8601.
    case dates(from: String? = nil, to: String? = nil)

    /// Dates from the start of one limit up to, but not including, that of the other.
    /// - Parameter range: limits of one unit, because Swift compares them as strings. Others go into ``dates(from:to:)``.
    public static func dates(_ range: Range<String>) -> FacetValue {
        .dates(from: range.lowerBound, to: range.upperBound)
    }

    public static func dates(_ range: Range<Date>) -> FacetValue {
        func text(_ date: Date) -> String {
            // Foundation's texts have the Julian calendar before 1583, and lose a millisecond here and there.
            let (first, last) = (Double(StatedDate.times.lowerBound), Double(StatedDate.times.upperBound))
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            return StatedDate(milliseconds: Int(min(max(milliseconds, first), last))).text
        }
        return .dates(from: text(range.lowerBound), to: text(range.upperBound))
    }
}

extension FacetValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .value(.string(value)) }
    public init(floatLiteral value: Double) { self = .value(.number(value)) }
    public init(integerLiteral value: Int) { self = .value(.number(Double(value))) }
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    public init(nilLiteral: ()) { self = .absent }
}

extension FacetColumn {
    /// What a value in a combination is, if it is no set.
    func value(ofCombined combined: PropertyValue) -> FacetValue {
        guard case .array(let limits) = combined, limits.count == 2 else {
            return combined == .null ? .absent : .value(combined)
        }
        func number(_ limit: PropertyValue) -> Double? { if case .number(let number) = limit { number } else { nil } }
        return .range(from: number(limits[0]), to: number(limits[1]))
    }

    /// The values of a value in a combination, if it is a set.
    func set(ofCombined combined: PropertyValue) -> [PropertyValue]? {
        if edges == nil, case .array(let elements) = combined { elements } else { nil }
    }

    /// The value of a point in its combination, except that the values of a set are in the point's order.
    func combined(_ own: PropertyValue?) -> PropertyValue {
        if dates != nil {
            guard case .array(let elements)? = own else { return bucket(of: own ?? .null) }
            var different: [PropertyValue] = []
            for bucket in elements.map(bucket) where bucket != .null && !different.contains(bucket) {
                different.append(bucket)
            }
            return different.isEmpty ? .null : .array(different)
        }
        switch own {
        case .number(let number):
            guard let range = range(of: number) else { return .number(number) }
            return .array([range.from, range.to].map { $0.map { .number($0) } ?? .null })
        case .array(let elements) where edges == nil:
            var different: [PropertyValue] = []
            for element in elements where element != .null && element != "" && !different.contains(element) {
                different.append(element)
            }
            return different.isEmpty ? .null : .array(different)
        case let own?: return edges == nil && own != "" ? own : .null
        case nil: return .null
        }
    }

    /// `null` for a value that is in no bucket.
    private func bucket(of own: PropertyValue) -> PropertyValue {
        if case .bucket(let bucket)? = dates?.value(of: own) { .string(bucket) } else { .null }
    }

    /// All ranges between the edges, ascending; `nil` without edges.
    var ranges: [FacetValue]? {
        guard let edges else { return nil }
        let limits: [Double?] = [nil] + edges + [nil]
        return zip(limits, limits.dropFirst()).map { .range(from: $0, to: $1) }
    }
}
