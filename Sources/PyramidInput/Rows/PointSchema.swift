import PyramidPlatform
import PyramidTiles

/// The columns of all rows, for building parts, whose own rows may lack some columns or types.
///
/// As JSON:
///
///     {"columns": [{"name": "kind", "types": ["string"]}, {"dates": "years", "name": "opened", "types": ["number"]}], "version": 1}
///
/// A column that is null in every row has no types.
public struct PointSchema: Codable, Equatable, Sendable {
    public struct Column: Codable, Equatable, Sendable {
        public var name: String
        /// The types of its values; several if they differ from row to row.
        public var types: ValueKinds
        /// How its numbers are written as dates; `nil` without numbers, and if that isn't known: then they are milliseconds.
        public var dates: DateNotation?

        public init(name: String, types: ValueKinds, dates: DateNotation? = nil) {
            self.name = name
            self.types = types
            self.dates = dates
        }

        fileprivate init(name: String, kinds: ValueKinds) {
            self.init(name: name, types: kinds.json, dates: kinds.contains(.number) ? kinds.dateNotation : nil)
        }

        fileprivate var kinds: ValueKinds {
            types.contains(.number) ? types.union(ValueKinds(dates ?? .milliseconds)) : types
        }
    }

    /// In the order of their names' bytes.
    public private(set) var columns: [Column]
    private var version = PointSchema.currentVersion

    private static let currentVersion = 1

    /// - Parameter columns: in any order; columns with the same name are combined.
    public init(columns: [Column]) {
        var kinds: [[UInt8]: ValueKinds] = [:]
        for column in columns { kinds[Array(column.name.utf8), default: []].formUnion(column.kinds) }
        self.columns = kinds.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { Column(name: String(decoding: $0.key, as: UTF8.self), kinds: $0.value) }
    }

    /// The columns of the inputs read.
    package init(_ inputs: [InputColumns]) {
        self.init(columns: inputs.flatMap { zip($0.names, $0.kinds).map { Column(name: $0, kinds: $1) } })
    }

    /// The schema's columns as the columns of an input.
    func inputColumns(idColumn: String?) -> InputColumns {
        InputColumns(
            names: columns.map(\.name), kinds: columns.map(\.kinds),
            idColumn: idColumn.flatMap { name in columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } },
            isOrdered: false)
    }

    /// - Throws: ``InputError`` if an input has a property, or a type of value, that the schema lacks.
    func requireToCover(_ input: InputColumns, of bytes: InputBytes) throws(InputError) {
        let known = Dictionary(
            uniqueKeysWithValues: columns.map { (Array($0.name.utf8), $0.kinds) })
        for (name, kinds) in zip(input.names, input.kinds) {
            let schema = known[Array(name.utf8)]
            guard let unknown = schema.map({ kinds.subtracting($0).names }) else {
                throw InputError(
                    .badData, in: bytes.name,
                    "the property \(InputError.list([name])) is missing from the schema; \(.makeSchema)")
            }
            if unknown.isEmpty, let schema, kinds.contains(.number),
                schema.union(kinds).dateNotation != schema.dateNotation
            {
                throw InputError(
                    .badData, in: bytes.name,
                    "the property \(InputError.list([name])) has numbers that as dates aren't \(schema.dateNotation), as the schema "
                        + "says; \(.makeSchema)")
            }
            guard !unknown.isEmpty else { continue }
            throw InputError(
                .badData, in: bytes.name,
                "the property \(InputError.list([name])) has values of type \(unknown.joined(separator: ", ")), which the "
                    + "schema lacks; \(.makeSchema)")
        }
    }
}

extension PointSchema {
    /// The bytes of the schema's file.
    public func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads the schema's file.
    /// - Throws: ``InputError`` if the file is missing or isn't a schema.
    public init(path: String) throws(InputError) {
        let input = try InputBytes(path: path)
        let decoded = Result { try JSONDecoder().decode(PointSchema.self, from: Data(input.bytes)) }
        guard case .success(let schema) = decoded, schema.version == PointSchema.currentVersion else {
            throw InputError(
                .badData, in: input.name,
                "is no schema of version \(PointSchema.currentVersion); \(.makeSchema)")
        }
        self.init(columns: schema.columns)
    }
}

extension ValueKinds {
    /// Of numbers that are dates in a notation.
    fileprivate init(_ dates: DateNotation) {
        switch dates {
        case .years: self = .notDays
        case .days: self = .notYears
        case .seconds: self = [.notYears, .notDays]
        case .milliseconds, .iso8601, .pattern: self = [.notYears, .notDays, .notSeconds]
        }
    }
}
