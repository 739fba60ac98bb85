import PyramidPlatform
import PyramidStore
import PyramidTiles

/// A value in the JSON of options, to find the name of an option that differs between parts.
private enum SettingValue: Decodable, Equatable {
    case members([String: SettingValue])
    case list([SettingValue])
    case text(String)
    case none

    init?(of options: BuildOptions) {
        guard let json = try? JSONEncoder().encode(options),
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
            self = value.decodeNil() ? .none : .text(try value.decode(String.self))
        }
    }

    /// The first option that differs, in the order of names, with both values.
    func difference(from other: SettingValue, name: String) -> String? {
        if case .members(let members) = self, case .members(let others) = other {
            return Set(members.keys).union(others.keys).sorted().lazy.compactMap { name in
                (members[name] ?? SettingValue.none).difference(from: others[name] ?? SettingValue.none, name: name)
            }.first
        }
        return self == other ? nil : "another \(name) (\(description), \(other.description))"
    }

    private var description: String {
        switch self {
        case .members(let members):
            members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.description)" }.joined(separator: ", ")
        case .list(let list): "[" + list.map(\.description).joined(separator: ", ") + "]"
        case .text(let text): text
        case .none: "none"
        }
    }
}

/// What the file of a part states about it.
struct PartManifest: Codable {
    /// The version of the format in which parts hand over.
    static let currentVersion = 2

    var version = PartManifest.currentVersion
    var generator = ProgramVersion.generator
    /// What compressed the tiles.
    var compressor: String
    var cutZoom: Int
    /// The options that affect the bytes of the tileset, which must be the same in all parts.
    var options: BuildOptions
    var part: TileCoordinate
    /// How many rows are handed over.
    var rowCount: Int
    var input: Manifest.InputSummary
    /// West, south, east and north of the part's own points in microdegrees; `nil` if it has none.
    var bounds: [Int32]?
    var unclusteredPoints: Int
    /// The zooms that the part has written.
    var zooms: [Manifest.ZoomSummary]
    var largest: LargestTiles
    /// The types of the property that holds points' ids, as ``PropertyTypes/rawValue``.
    var idTypes: UInt8

    /// Whether a part can have these options and numbers, so that calculating with them can't overflow.
    var isSound: Bool {
        var options = options
        (options.inputPaths, options.outputPath) = (["part"], "part")
        options.part = WorldPart(tile: part, cutZoom: cutZoom)
        guard version == PartManifest.currentVersion, options.problem == nil, !options.input.namesCoordinates,
            options.input.schema.map({ PointSchema(columns: $0.columns) == $0 }) == true, UInt64(input.digest) != nil,
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
            && zooms.map(\.zoom) == Array(cutZoom + 1...options.clustering.maxZoom)
            && (input.rowsAccepted > 0 ? boundingBox != nil : bounds == nil)
    }

    /// ``bounds`` as a box; `nil` if there are none or they aren't a box on the globe.
    var boundingBox: BoundingBox? { bounds.flatMap { BoundingBox(edges: $0) } }

    /// What must be the same as in another part but isn't, such as "another schema"; `nil` if nothing.
    func difference(from other: PartManifest) -> String? {
        if generator != other.generator { return "another version of pyramid (\(generator), \(other.generator))" }
        if compressor != other.compressor { return "another compressor (\(compressor), \(other.compressor))" }
        if cutZoom != other.cutZoom { return "another cut zoom (\(cutZoom), \(other.cutZoom))" }
        if options.input.schema != other.options.input.schema { return "another schema" }
        guard let settings = SettingValue(of: options), let others = SettingValue(of: other.options) else {
            return "other options"
        }
        return settings.difference(from: others, name: "options")
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self))
    }
}
