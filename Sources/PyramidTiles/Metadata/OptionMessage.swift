/// A message that names options without knowing how the user spells them: a command line shows `--id-column`, an app
/// shows the title of a text field.
///
///     let message: OptionMessage = "\(.members) lists ids, expected \(.idColumn)"
///     message.description                      // member limit lists ids, expected id column
///     message.spelled { flags[$0] ?? "" }      // --members lists ids, expected --id-column
public struct OptionMessage: Equatable, Sendable {
    private enum Part: Equatable, Sendable {
        case text(String)
        case option(OptionName)
    }

    /// Never two texts in a row, so that equal messages have equal parts.
    private var parts: [Part] = []

    /// The message with each option's name as `spell` gives it.
    public func spelled(_ spell: (OptionName) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .option(let name): spell(name)
            }
        }.joined()
    }

    public static func + (first: OptionMessage, second: OptionMessage) -> OptionMessage {
        second.parts.reduce(into: first) { $0.append($1) }
    }

    private mutating func append(_ part: Part) {
        switch (parts.last, part) {
        case (_, .text("")): break
        case (.text(let before), .text(let text)): parts[parts.count - 1] = .text(before + text)
        default: parts.append(part)
        }
    }
}

extension OptionMessage: CustomStringConvertible {
    /// The message with the options' names as plain words.
    public var description: String { spelled(\.rawValue) }
}

extension OptionMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var message = OptionMessage()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { message.append(.text(literal)) }

        public mutating func appendInterpolation(_ option: OptionName) { message.append(.option(option)) }

        public mutating func appendInterpolation(_ other: OptionMessage) { message = message + other }

        public mutating func appendInterpolation<Value>(_ value: Value) { message.append(.text("\(value)")) }
    }

    public init(stringLiteral text: String) { append(.text(text)) }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.message }
}

/// An error whose message names options.
public protocol OptionNamingError: Error, CustomStringConvertible {
    /// One line: where, what was found, what was expected.
    var message: OptionMessage { get }
}

extension OptionNamingError {
    public var description: String { message.description }
}

/// The options that messages name. The raw values are plain words.
public enum OptionName: String, CaseIterable, Sendable {
    // Input
    case longitudeColumn = "longitude column"
    case latitudeColumn = "latitude column"
    case pointColumn = "point column"
    case idColumn = "id column"
    case include = "included columns"
    case exclude = "excluded columns"
    case types = "column types"
    case schema = "schema"

    // Clustering
    case method = "method"
    case mode = "mode"
    case keepCount = "keep count"
    case position = "position"
    case clusterDistance = "cluster distance"
    case cellSize = "cell size"
    case minPoints = "min points"
    case coincidentLimit = "coincident limit"
    case priority = "priority column"
    case weight = "weight column"
    case groupBy = "group column"
    case unclustered = "unclustered column"
    case tileSize = "tile size"
    case minZoom = "min zoom"
    case maxZoom = "max zoom"
    case clusterMaxZoom = "cluster max zoom"

    // What clusters carry
    case accumulateAttribute = "accumulated columns"
    case countBy = "counted columns"
    case clusterProperties = "cluster properties"
    case members = "member limit"
    case memberProperties = "member properties"
    case leaves = "leaf pages"
    case parents = "parents"

    // Output
    case format = "format"
    case mvtProperties = "MVT properties"
    case layer = "layer"
    case tileSuffix = "tile suffix"
    case bundle = "bundle limit"
    case preview = "preview page"
    case compression = "compression"
    case compressionLevel = "compression level"
    case baseURL = "base URL"

    // Parts
    case part = "part"
    case cutZoom = "cut zoom"

    // Preview
    case basemap = "basemap"
    case basemapAttribution = "basemap attribution"

    // Running
    case force = "force"
    case jobs = "jobs"
    case memoryLimit = "memory limit"

    // Publishing
    case uploadAll = "upload all"
    case cacheControl = "cache control"
    case metadataCacheControl = "metadata cache control"
}
