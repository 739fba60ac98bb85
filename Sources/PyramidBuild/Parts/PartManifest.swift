import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What must be the same in all parts of a tileset: everything that shapes it.
struct PartSettings: Codable, Equatable {
    var generator = PyramidBuilder.generator
    var cutZoom: Int
    var schema: PointSchema
    var idColumn: String?
    var include: [String]?
    var exclude: [String]
    var clustering: ClusteringOptions
    var clusters: ClusterContentOptions
    var storage: TileStorage
    var compressionLevel: Int
    var compressor: String
    var name: String?
    var description: String?
    var attribution: String?
    var baseURL: String?

    /// - Parameter options: of a part, without a problem.
    init(_ options: BuildOptions, _ part: WorldPart, schema: PointSchema) {
        cutZoom = part.cutZoom
        self.schema = schema
        idColumn = options.input.idColumn
        include = options.input.include
        exclude = options.input.exclude
        clustering = options.clustering
        clusters = options.clusters
        storage = options.storage
        compressionLevel = options.compressionLevel
        compressor = options.storage.compressorName(level: options.compressionLevel)
        name = options.tileJSON.name
        description = options.tileJSON.description
        attribution = options.tileJSON.attribution
        baseURL = options.tileJSON.baseURL
    }

    /// The options of the tileset.
    func options(inputPaths: [String], outputPath: String, jobs: Int) -> BuildOptions {
        var input = InputOptions(idColumn: idColumn, include: include, exclude: exclude)
        input.schema = schema
        var options = BuildOptions(
            inputPaths: inputPaths, outputPath: outputPath, input: input, clustering: clustering, clusters: clusters,
            compressionLevel: compressionLevel, jobs: jobs)
        options.storage = storage
        options.tileJSON = TileJSONOptions(
            name: name, description: description, attribution: attribution, baseURL: baseURL)
        return options
    }

    /// What differs in the settings of another part, as "another schema"; `nil` if nothing does.
    func difference(from other: PartSettings) -> String? {
        if generator != other.generator { return "another version of pyramid (\(generator), \(other.generator))" }
        if compressor != other.compressor { return "another compressor (\(compressor), \(other.compressor))" }
        if cutZoom != other.cutZoom { return "another cut zoom (\(cutZoom), \(other.cutZoom))" }
        if schema != other.schema { return "another schema" }
        guard self != other else { return nil }
        return SettingValue(of: self)?.difference(from: SettingValue(of: other), name: "options") ?? "other options"
    }
}

/// Settings as they are written, to find by name what differs.
private enum SettingValue: Decodable, Equatable {
    case members([String: SettingValue])
    case list([SettingValue])
    case text(String)

    init?(of settings: PartSettings) {
        guard let json = try? JSONEncoder().encode(settings),
            let value = try? JSONDecoder().decode(SettingValue.self, from: json)
        else { return nil }
        self = value
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let members = try? value.decode([String: SettingValue].self) {
            self = .members(members)
        } else if let list = try? value.decode([SettingValue].self) {
            self = .list(list)
        } else if let flag = try? value.decode(Bool.self) {
            self = .text("\(flag)")
        } else if let integer = try? value.decode(Int.self) {
            self = .text("\(integer)")
        } else if let number = try? value.decode(Double.self) {
            self = .text("\(number)")
        } else {
            self = .text(value.decodeNil() ? "none" : try value.decode(String.self))
        }
    }

    /// The first option that differs, in the order of the options' names.
    func difference(from other: SettingValue?, name: String) -> String? {
        if case .members(let members) = self, case .members(let others) = other {
            return Set(members.keys).union(others.keys).sorted().lazy.compactMap { name in
                let none = SettingValue.text("none")
                return (members[name] ?? none).difference(from: others[name] ?? none, name: name)
            }.first
        }
        return self == other ? nil : "another \(name) (\(description), \(other?.description ?? "none"))"
    }

    private var description: String {
        switch self {
        case .members(let members):
            members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.description)" }.joined(separator: ", ")
        case .list(let list): "[" + list.map(\.description).joined(separator: ", ") + "]"
        case .text(let text): text
        }
    }
}

/// What a part says of itself.
struct PartManifest: Codable {
    /// Of what a part hands over.
    static let currentVersion = 1

    var version = PartManifest.currentVersion
    var settings: PartSettings
    var part: TileCoordinate
    /// How many rows are handed over.
    var rowCount: Int
    var input: Manifest.InputSummary
    /// West, south, east, north of the part's own points in microdegrees; `nil` if it has none.
    var bounds: [Int32]?
    var unclusteredPoints: Int
    /// The zooms that the part has written.
    var zooms: [Manifest.ZoomSummary]
    var largest: LargestTiles
    /// The types of the property that holds ids.
    var idTypes: UInt8

    /// Whether its options and numbers can be those of a part, so that nothing that is made of them overflows.
    var isSound: Bool {
        var options = settings.options(inputPaths: ["part"], outputPath: "part", jobs: 1)
        options.part = WorldPart(tile: part, cutZoom: settings.cutZoom)
        guard version == PartManifest.currentVersion, options.problem == nil, UInt64(input.digest) != nil,
            input.rowsSkipped.keys.allSatisfy({ RowProblem(rawValue: $0) != nil })
        else { return false }
        let counts =
            [rowCount, unclusteredPoints, input.rowsRead, input.rowsAccepted, input.rowsClamped]
            + input.rowsSkipped.values
            + zooms.flatMap { [$0.tiles, $0.markers, $0.clusters, $0.bodyBytes, $0.storedBytes] }
        return counts.allSatisfy((0..<1 << 44).contains) && largest.isSound
            && max(unclusteredPoints, input.rowsClamped) <= input.rowsAccepted
            && max(input.rowsAccepted, rowCount) <= InputLimits.points
            && input.rowsRead - input.rowsAccepted == input.rowsSkipped.values.reduce(0, +)
            && zooms.map(\.zoom) == Array(settings.cutZoom + 1...settings.clustering.maxZoom)
            && (input.rowsAccepted > 0 ? boundingBox != nil : bounds == nil)
    }

    /// `nil` if the part has no points of its own, or if this is no box on the globe.
    var boundingBox: BoundingBox? {
        guard let bounds, bounds.count == 4, -180_000_000 <= bounds[0], bounds[0] <= bounds[2],
            bounds[2] <= 180_000_000, -90_000_000 <= bounds[1], bounds[1] <= bounds[3], bounds[3] <= 90_000_000
        else { return nil }
        return BoundingBox(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3])
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self))
    }
}
