import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What to build, and how. What is encoded are the options that affect the bytes of tiles and metadata: all parts of a
/// tileset have the same.
public struct BuildOptions: Codable, Sendable {
    /// At least one file; "-" is standard input. The output doesn't depend on their order.
    public var inputPaths: [String] = []
    /// A directory that is missing, empty, or an earlier tileset; or, if it ends in `.pmtiles`, an archive.
    public var outputPath = ""
    /// Whether the output directory may contain other files, which are left alone. Whether an archive that another program
    /// wrote may be replaced.
    public var force = false
    /// Whether the build waits until everything is on the disk. Otherwise a power cut soon after it can leave a mixture of
    /// old and new files.
    public var syncs = true
    public var input: InputOptions
    public var clustering: ClusteringOptions
    /// Whether the data decide the max zoom, in place of ``clustering``: the first zoom at which 95 % of the different
    /// places stand alone; else the deepest one up to 20 at which at least 1 % more of them do than at the zoom before;
    /// where there is none, 14. It is not less than the min zoom.
    public var choosesMaxZoom = false
    /// Whether the last zoom with clusters is the one before a chosen max zoom. Otherwise it is as given, and the max zoom
    /// is beyond it.
    public var choosesClusterMaxZoom = true
    /// What clusters carry. Columns are named as in the input.
    public var clusters: ClusterContentOptions
    /// How the tiles are stored.
    public var storage: TileStorage
    /// What the user adds to the TileJSON.
    public var tileJSON = TileJSONOptions()
    /// A page to write beside the tiles that shows them on a map; `nil` for none.
    public var previewPage: [UInt8]?
    /// The level of gzip, in `Gzip.levels`.
    public var compressionLevel: Int
    /// The number of threads, at least 1. The output doesn't depend on it.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount

    /// The part of the world that is built, to be joined with the others; `nil` for a whole tileset. With a part,
    /// ``outputPath`` is a file for ``PartJoiner``.
    public var part: WorldPart?

    /// How much memory the build may use. A build that would need more is refused before clustering starts.
    public var memoryLimit = MemoryLimit.available

    public static let defaultCompressionLevel = 6

    private enum CodingKeys: CodingKey {
        case input, clustering, clusters, storage, tileJSON, compressionLevel
    }

    public init(
        inputPaths: [String], outputPath: String, input: InputOptions = InputOptions(),
        clustering: ClusteringOptions = ClusteringOptions(),
        clusters: ClusterContentOptions = ClusterContentOptions(), compressionLevel: Int = defaultCompressionLevel,
        jobs: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
        self.inputPaths = inputPaths
        self.outputPath = outputPath
        storage = TileStorage(layout: TilesetLayout(outputPath: outputPath))
        self.input = input
        self.clustering = clustering
        self.clusters = clusters
        self.compressionLevel = compressionLevel
        self.jobs = jobs
    }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        if inputPaths.isEmpty { return "no input is given, expected at least one" }
        if inputPaths.count(where: { $0 == "-" }) > 1 {
            return "standard input (-) is given \(inputPaths.count { $0 == "-" }) times, expected once"
        }
        if let layoutProblem { return layoutProblem }
        if let partProblem { return partProblem }
        if input.pointColumn != nil, input.longitudeColumn != nil || input.latitudeColumn != nil {
            return "\(.pointColumn) has both coordinates, expected no \(.longitudeColumn) or \(.latitudeColumn) besides"
        }
        if jobs < 1 { return "\(.jobs) is \(jobs), expected 1 or more" }
        if !Gzip.levels.contains(compressionLevel) {
            return "\(.compressionLevel) is \(compressionLevel), expected 1 to 9"
        }
        if clustering.mode == .filter, !clusters.isEmpty {
            return "\(.mode) filter writes no clusters, expected no option that says what clusters carry"
        }
        if clusters.memberLimit != nil, clusters.memberProperties.isEmpty, input.idColumn == nil {
            return "\(.members) lists ids, expected \(.idColumn), or \(.memberProperties) to list other columns"
        }
        return clusteringProblem ?? clusters.problem ?? storage.problem ?? tileJSON.problem
    }
}

extension BuildOptions {
    /// The first option that a part can't have, or that parts need.
    private var partProblem: OptionMessage? {
        guard let part else { return nil }
        if ArchiveTilesetWriter.isArchive(outputPath) {
            return "a part is no archive, expected a name without \(ArchiveTilesetWriter.suffix) with \(.part)"
        }
        if input.schema == nil {
            return "\(.part) sees only some rows, expected \(.schema), which says what the columns of all are"
        }
        if choosesMaxZoom {
            return "\(.part) can't see which zoom suits all points, expected \(.maxZoom) with a number"
        }
        if !input.types.isEmpty { return "\(.types) is for CSV, and \(.part) reads GeoJSON, expected \(.schema) alone" }
        if previewPage != nil { return "\(.preview) makes a page of the whole tileset, expected no \(.part)" }
        if clustering.position == .nearest {
            return "\(.position) nearest needs every point of a cell at every zoom, expected another with \(.part)"
        }
        guard clustering.clusterMaxZoom > clustering.minZoom else {
            return
                "\(.part) needs two zooms with clusters, expected a smaller \(.minZoom) or a greater \(.clusterMaxZoom)"
        }
        let zooms = clustering.minZoom...clustering.clusterMaxZoom - 1
        guard zooms.contains(part.cutZoom) else {
            let expected = zooms.count == 1 ? "\(zooms.lowerBound)" : "\(zooms.lowerBound) to \(zooms.upperBound)"
            return
                "\(.cutZoom) is \(part.cutZoom), expected \(expected): from the min zoom to one before the last zoom "
                + "with clusters"
        }
        if part.tile.z > part.cutZoom {
            return "\(.part) is \(part.tile), expected a tile of zoom \(part.cutZoom), the cut zoom, or above"
        }
        return nil
    }
}

extension OptionName {
    public static var preview: OptionName { OptionName() }
    public static var compressionLevel: OptionName { OptionName() }
    public static var part: OptionName { OptionName() }
    public static var cutZoom: OptionName { OptionName() }
    public static var jobs: OptionName { OptionName() }
}
