import PyramidBuild
import PyramidInput
import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What the file of a part states about it.
struct PartManifest: Codable {
    /// The version of the format in which parts hand over.
    static let currentVersion = 3

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
    /// The types of the property that holds points' ids.
    var idTypes: ValueKinds

    /// Whether a part can have these options and numbers, so that calculating with them can't overflow.
    var isSound: Bool {
        var options = options
        (options.inputPaths, options.outputPath) = (["part"], "part")
        let problem = PartOptions(build: options, part: WorldPart(tile: part, cutZoom: cutZoom)).problem
        guard version == PartManifest.currentVersion, problem == nil, !options.input.namesCoordinates,
            options.schema.map({ PointSchema(columns: $0.columns) == $0 }) == true, UInt64(input.digest) != nil,
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
        if options.schema != other.options.schema { return "another schema" }
        let json = [options, other.options].map { (try? PartManifest.encode($0)) ?? [] }
        guard let different = try? JSONComparison.differences(of: json[0], from: json[1], limit: 1).first else {
            return json[0] == json[1] ? nil : "other options"
        }
        // Of a list, its own name.
        let name = different.path.prefix { $0 != "[" }.split(separator: ".").last ?? "options"
        let values = [different.found, different.expected].map { $0?.replacing("\"", with: "") ?? "none" }
        return "another \(name) (\(values.joined(separator: ", ")))"
    }

    func encoded() throws -> [UInt8] { try PartManifest.encode(self) }

    private static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(value))
    }
}
