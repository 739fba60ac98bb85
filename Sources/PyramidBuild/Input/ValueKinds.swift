/// Which kinds of values a column has.
struct ValueKinds: OptionSet, Sendable {
    let rawValue: UInt8

    /// A cell that is a canonical number (``CanonicalNumber``), or a number of JSON.
    static let number = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    /// Any other cell or string, and arrays and objects.
    static let text = ValueKinds(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// None for null.
    init(_ kind: JSONValue.Kind) {
        switch kind {
        case .number: self = .number
        case .boolean: self = .boolean
        case .null: self = []
        case .text, .object, .array: self = .text
        }
    }
}
