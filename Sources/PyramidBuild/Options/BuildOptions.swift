import PyramidInput
import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What to build, and how. Only the options that affect the bytes of tiles and metadata are encoded.
public struct BuildOptions: Codable, Sendable {
    /// At least one file; "-" is standard input. The output doesn't depend on their order.
    public var inputPaths: [String] = []
    /// A directory that is missing, empty, or an earlier tileset; or, if it ends in `.pmtiles`, an archive.
    public var outputPath = ""
    /// Whether to build into a directory with other files, which stay, and to replace an archive that another program
    /// wrote.
    public var force = false
    /// Whether the build waits until all files are on the disk. Otherwise a power cut soon afterwards can leave a
    /// mixture of old and new files.
    public var syncs = true
    public var input: InputOptions
    /// For GeoJSON: the columns of all rows, also of other parts; `nil` to find them in the rows read.
    public var schema: PointSchema?
    public var clustering: ClusteringOptions
    /// Whether the max zoom is chosen from the data instead of taken from ``clustering``: the first zoom at which 95%
    /// of the different places stand alone; else the highest one up to 20 at which at least 1% more of them do than at
    /// the zoom before; else 14. Never lower than the min zoom. Unless tiles are bundled, it is lower if the tiles beyond
    /// 100,000 separate fewer places than one for every three tiles.
    public var choosesMaxZoom = false
    /// How many tiles a chosen max zoom can lead to before higher zooms must separate enough places. Tests allow fewer.
    package var freeTiles = 100_000
    /// Whether the last zoom with clusters is the one before a chosen max zoom. Otherwise it stays as in
    /// ``clustering``, and a higher max zoom is chosen.
    public var choosesClusterMaxZoom = true
    /// The properties of clusters. Columns are named as in the input.
    public var clusters: ClusterContentOptions
    /// How the tiles are stored.
    public var storage: TileStorage
    /// Texts and the URL for the TileJSON.
    public var tileJSON = TileJSONOptions()
    /// A page to write beside the tiles that shows them on a map; `nil` for none.
    public var previewPage: [UInt8]?
    /// The level of gzip, in `Gzip.levels`.
    public var compressionLevel: Int
    /// The number of threads, at least 1. The output doesn't depend on it.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount

    /// How much memory the build may use. A build that would need more is refused before clustering starts.
    public var memoryLimit = MemoryLimit.available

    /// The memory for lists of files; `nil` for the defaults of the output.
    public var listMemory: ListMemory?

    public static let defaultCompressionLevel = 6

    private enum CodingKeys: CodingKey {
        case input, schema, clustering, clusters, storage, tileJSON, compressionLevel
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
    public var problem: OptionMessage? { inputPathProblem ?? layoutProblem ?? otherProblem }

    /// What is wrong with the paths of the input.
    package var inputPathProblem: OptionMessage? {
        if inputPaths.isEmpty { return "no input is given, expected at least one" }
        if inputPaths.count(where: { $0 == "-" }) > 1 {
            return "standard input (-) is given \(inputPaths.count { $0 == "-" }) times, expected once"
        }
        return nil
    }

    /// The first problem of any other option than the paths and the layout.
    package var otherProblem: OptionMessage? {
        if let problem = input.problem { return problem }
        if jobs < 1 { return "\(.jobs) is \(jobs), expected 1 or more" }
        if !Gzip.levels.contains(compressionLevel) {
            return "\(.compressionLevel) is \(compressionLevel), expected 1 to 9"
        }
        if clustering.mode == .filter, !clusters.isEmpty {
            return "\(.mode) filter writes no clusters and can't be used with options for cluster properties"
        }
        if clusters.memberLimit != nil, clusters.memberProperties.isEmpty, input.idColumn == nil {
            return "\(.members) needs \(.idColumn), or \(.memberProperties) to list other columns"
        }
        return clusteringProblem ?? clusters.problem ?? storage.problem ?? tileJSON.problem
    }
}

extension OptionName {
    public static var preview: OptionName { OptionName() }
    public static var compressionLevel: OptionName { OptionName() }
    public static var jobs: OptionName { OptionName() }
}

extension BuildOptions {
    /// The first option that can't be used with the layout, or a layout that doesn't fit the output's name.
    var layoutProblem: OptionMessage? {
        let expected = TilesetLayout(outputPath: outputPath)
        switch storage.layout {
        case .archive where expected == .archive: return archiveProblem
        case _ where outputPath == "-":
            return "the output is -, but a tileset can't be standard output; name a directory, or an archive ending in "
                + "\(ArchiveTilesetWriter.suffix)"
        case _ where outputPath.lowercased().hasSuffix(".mbtiles"):
            return "the output is \(outputPath), but MBTiles are not written; name an archive ending in "
                + "\(ArchiveTilesetWriter.suffix), which pmtiles-convert turns into MBTiles, or a directory"
        case .bundles where expected == .archive: return "\(.bundle) can't be used with .pmtiles output"
        case _ where expected == .archive || storage.layout == .archive:
            return "the output is \(outputPath); names of archives, and only those, must end in "
                + "\(ArchiveTilesetWriter.suffix)"
        case .files, .bundles, .archive: return nil
        }
    }

    /// The first option that can't be used with an archive.
    private var archiveProblem: OptionMessage? {
        if previewPage != nil { return "\(.preview) can't be used with .pmtiles output" }
        if storage.compression == .none { return "\(.compression) none can't be used with .pmtiles output" }
        if storage.suffix != storage.codec.defaultSuffix { return "\(.tileSuffix) can't be used with .pmtiles output" }
        return tileJSON.baseURL == nil ? nil : "\(.baseURL) can't be used with .pmtiles output"
    }
}
