/// The kinds of values in a column or a property.
public struct ValueKinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let number = ValueKinds(rawValue: 1)
    public static let boolean = ValueKinds(rawValue: 2)
    /// Strings, and all other CSV cells.
    public static let text = ValueKinds(rawValue: 4)
    /// Arrays and objects.
    public static let nested = ValueKinds(rawValue: 8)

    private static let byName: KeyValuePairs = [
        "number": number, "boolean": boolean, "string": text, "nested": nested,
    ]

    /// "number", "boolean", "string" and "nested", as far as there are such values.
    public var names: [String] { ValueKinds.byName.filter { contains($0.value) }.map(\.key) }

    /// The only one of ``names``, "mixed" for several or "empty" for none.
    public var name: String { names.count > 1 ? "mixed" : names.first ?? "empty" }

    /// The type's name in TileJSON; "String" for several kinds.
    public var fieldName: String {
        switch self {
        case .number: "Number"
        case .boolean: "Boolean"
        default: "String"
        }
    }
}

/// As a list of names.
extension ValueKinds: Codable {
    public init(from decoder: any Decoder) throws {
        self = []
        for name in try [String](from: decoder) {
            guard let kind = ValueKinds.byName.first(where: { $0.key == name })?.value else {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "no kind of value")
                throw DecodingError.dataCorrupted(context)
            }
            insert(kind)
        }
    }

    public func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
}
