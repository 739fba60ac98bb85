/// The types of a property's values.
public struct PropertyTypes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let text = PropertyTypes(rawValue: 1)
    public static let number = PropertyTypes(rawValue: 2)
    public static let boolean = PropertyTypes(rawValue: 4)

    /// The type's name in TileJSON; "String" for several types.
    public var fieldName: String {
        switch self {
        case .number: "Number"
        case .boolean: "Boolean"
        default: "String"
        }
    }
}
