/// A column by whose values clients filter. As text, `COLUMN`, `COLUMN:EDGE:EDGE` for ranges of numbers, or `COLUMN:UNIT` for
/// dates.
public struct FacetColumn: Codable, Hashable, Sendable {
    public var name: String
    /// The edges between ranges of numbers, ascending. An edge belongs to the range that begins there; the first range
    /// has no lower limit and the last one no upper limit. `nil` if each value is counted separately.
    public var edges: [Double]?
    /// `nil` if the values aren't dates.
    public var dates: FacetDates?

    public init(name: String, edges: [Double]? = nil, dates: FacetDates? = nil) {
        self.name = name
        self.edges = edges
        self.dates = dates
    }

    /// Reads `COLUMN`, `COLUMN:EDGE:EDGE` or `COLUMN:UNIT`. The column's name may contain colons; all numbers at the end are
    /// edges.
    ///
    /// `nil` if the name is empty.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let edges = parts.dropFirst().reversed().prefix { FacetColumn.edge($0) != nil }.reversed().compactMap(
            FacetColumn.edge)
        let unit = parts.count > 1 ? parts.last.flatMap { DateUnit(rawValue: String($0)) } : nil
        let name = parts.dropLast(unit == nil ? edges.count : 1).joined(separator: ":")
        guard !name.isEmpty else { return nil }
        self.init(name: name, edges: edges.isEmpty ? nil : edges, dates: unit.map { FacetDates(unit: $0) })
    }

    /// The option's text with the unit: a column can have this name, too.
    package var wholeName: String? { dates.map { "\(name):\($0.unit.rawValue)" } }

    private static func edge(_ text: Substring) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    package var hasRisingEdges: Bool {
        let edges = edges ?? []
        return zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// An edge as JSON, as the numbers in combinations are written.
    package static func text(ofEdge edge: Double) -> String {
        let text = "\(edge)"
        var canonical: [UInt8] = []
        let isOther = Array(text.utf8).withUnsafeBytes { CanonicalNumber.write($0, into: &canonical) }
        return isOther ? String(decoding: canonical, as: UTF8.self) : text
    }

    /// Whether a text is `true`, `false` or a number as all clients print it, so that it may count as that value.
    package static func isUnquoted(_ text: UnsafeRawBufferPointer) -> Bool {
        let string = String(decoding: text, as: UTF8.self)
        guard let number = Double(string) else { return string == "true" || string == "false" }
        // JavaScript prints others with exponents.
        return (number == 0 || (1e-6..<1e21).contains(abs(number))) && self.text(ofEdge: number) == string
    }

    /// The range that contains a number, from an edge up to, but not including, the next one. A limit is `nil` if the
    /// range has none. The result is `nil` without ``edges``.
    public func range(of number: Double) -> (from: Double?, to: Double?)? {
        guard let edges else { return nil }
        let next = edges.partitioningIndex { $0 > number }
        return (next == 0 ? nil : edges[next - 1], next == edges.count ? nil : edges[next])
    }
}

/// Dates that are counted by spans of time.
public struct FacetDates: Codable, Hashable, Sendable {
    public var unit: DateUnit
    /// `nil` in options, if it follows from the column's values.
    public var notation: DateNotation?

    public init(unit: DateUnit, notation: DateNotation? = nil) {
        self.unit = unit
        self.notation = notation
    }

    /// A point's value.
    package enum Value: Equatable, Sendable {
        /// A text as ``DateUnit`` describes it.
        case bucket(String)
        /// A date that isn't precise enough.
        case coarse
        case none
    }

    package func value(ofText text: UnsafeRawBufferPointer) -> Value { value(of: notation?.date(ofText: text)) }

    package func value(ofNumber number: Double) -> Value { value(of: notation?.date(ofNumber: number)) }

    package func value(of property: PropertyValue) -> Value { value(of: date(of: property)) }

    package func date(of property: PropertyValue) -> StatedDate? {
        switch property {
        case .string(let text): notation?.date(ofText: text)
        case .number(let number): notation?.date(ofNumber: number)
        case .bool, .null, .object, .array: nil
        }
    }

    private func value(of date: StatedDate?) -> Value {
        date.map { unit.bucket(of: $0).map(Value.bucket) ?? .coarse } ?? .none
    }
}

/// The columns by which clients filter, with the values that points have in them.
public struct Facets: Codable, Equatable, Sendable {
    /// The columns, named as the properties of points.
    public var columns: [FacetColumn]
    /// The number of points with each combination of values. The key is a JSON array with an element for each column:
    /// `null` for no value, an array of two limits for a range, and an array of values for a set.
    public var counts: [String: Int]

    public init(columns: [FacetColumn], counts: [String: Int]) {
        self.columns = columns
        self.counts = counts
    }

    /// The first combination that isn't one value for each column, or that no number of points can have; `nil` if there is none.
    var problem: String? {
        let wrong = counts.filter { combination, count in
            !(1...Int(UInt32.max)).contains(count) || Facets.valueCount(of: combination) != columns.count
        }
        return wrong.min { $0.key < $1.key }.map {
            "the combination \($0.key) of \($0.value) points, expected \(NumberText.counted(columns.count, "value")) of 1 or more"
        }
    }

    /// `nil` if the text isn't a JSON array.
    private static func valueCount(of combination: String) -> Int? {
        var (combination, count) = (combination, 0)
        return combination.withUTF8 { text in
            var json = JSONReader(UnsafeRawBufferPointer(text))
            do throws(JSONFault) {
                try json.expect(UInt8(ascii: "["), "a combination")
                while try json.nextElement(isFirst: count == 0) {
                    _ = try json.readValue(isKept: false)
                    count += 1
                }
                try json.expectEnd()
                return count
            } catch {
                return nil
            }
        }
    }

    /// The most combinations that a tileset can have.
    public static let combinationLimit = 4096
    /// The size of the largest tile that is large because of facets.
    package static let tileLimitBytes = 500_000
}
