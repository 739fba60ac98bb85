import PyramidPlatform
import PyramidTiles

/// The columns of all rows, for building parts, whose own rows may lack some columns or types.
///
/// As JSON:
///
///     {"columns": [{"name": "kind", "types": ["string"]}, {"name": "price", "types": ["number"]}], "version": 1}
///
/// A column that is null in every row has no types.
public struct PointSchema: Codable, Equatable, Sendable {
    /// The type of a GeoJSON value.
    public enum ValueType: String, Codable, CaseIterable, Sendable {
        case number, boolean, string
        /// An object or an array.
        case nested
    }

    public struct Column: Codable, Equatable, Sendable {
        public var name: String
        /// The types of its values; several if they differ from row to row.
        public var types: [ValueType]

        public init(name: String, types: [ValueType]) {
            self.name = name
            self.types = types
        }
    }

    /// In the order of their names' bytes.
    public private(set) var columns: [Column]
    private var version = PointSchema.currentVersion

    private static let currentVersion = 1

    /// - Parameter columns: in any order; columns with the same name are combined.
    public init(columns: [Column]) {
        var kinds: [[UInt8]: ValueKinds] = [:]
        for column in columns { kinds[Array(column.name.utf8), default: []].formUnion(ValueKinds(column.types)) }
        self.columns = kinds.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { Column(name: String(decoding: $0.key, as: UTF8.self), types: $0.value.types) }
    }

    /// The columns of the inputs read.
    package init(_ inputs: [InputColumns]) {
        self.init(columns: inputs.flatMap { zip($0.names, $0.kinds).map { Column(name: $0, types: $1.types) } })
    }

    /// The schema's columns as the columns of an input.
    func inputColumns(idColumn: String?) -> InputColumns {
        InputColumns(
            names: columns.map(\.name), kinds: columns.map { ValueKinds($0.types) },
            idColumn: idColumn.flatMap { name in columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } },
            isOrdered: false)
    }

    /// - Throws: ``InputError`` if an input has a property, or a type of value, that the schema lacks.
    func requireToCover(_ input: InputColumns, of bytes: InputBytes) throws(InputError) {
        let known = Dictionary(
            uniqueKeysWithValues: columns.map { (Array($0.name.utf8), ValueKinds($0.types)) })
        for (name, kinds) in zip(input.names, input.kinds) {
            let schema = known[Array(name.utf8)]
            guard let unknown = schema.map({ kinds.subtracting($0).types.map(\.rawValue) }) else {
                throw InputError(
                    .badData, in: bytes.name,
                    "the property \(InputError.list([name])) is missing from the schema; \(.makeSchema)")
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
    private static let byType: KeyValuePairs<PointSchema.ValueType, ValueKinds> = [
        .number: .number, .boolean: .boolean, .string: .text, .nested: .nested,
    ]

    fileprivate init(_ types: [PointSchema.ValueType]) {
        self = ValueKinds.byType.reduce([]) { types.contains($1.key) ? $0.union($1.value) : $0 }
    }

    fileprivate var types: [PointSchema.ValueType] { ValueKinds.byType.filter { contains($0.value) }.map(\.key) }
}
