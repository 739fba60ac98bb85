import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What to join, and how.
public struct JoinOptions: Sendable {
    /// What ``PartBuilder`` wrote for all parts of the world, in any order.
    public var partPaths: [String]
    /// As in ``BuildOptions/outputPath``.
    public var outputPath: String
    /// As in ``BuildOptions/previewPage``.
    public var previewPage: [UInt8]?
    /// As in ``BuildOptions/force``.
    public var force = false
    /// As in ``BuildOptions/syncs``.
    public var syncs = true
    /// The number of threads, at least 1. The output doesn't depend on it.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// As in ``BuildOptions/memoryLimit``.
    public var memoryLimit = MemoryLimit.available

    public init(partPaths: [String], outputPath: String) {
        self.partPaths = partPaths
        self.outputPath = outputPath
    }
}

/// Joins the parts of the world to a tileset: the same, byte for byte, as one build of all their rows.
///
/// The candidates of its clustering are the markers of the cut zoom that the parts hand over, so it makes the cut zoom and
/// all above, and copies what the parts have written.
public struct PartJoiner: Sendable {
    private let options: JoinOptions

    public init(options: JoinOptions) { self.options = options }

    /// Joins the parts. Nothing in the output is touched before all parts are read and found good.
    /// - Throws: ``InputError``, ``MemoryError``, `StoreError` and `OutputError`.
    public func join(progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws -> BuildReport {
        try PartFileWriter.requireNoPart(options.outputPath)
        let parts = try options.partPaths.map { try OpenedPart(path: $0) }.requireWhole()
        guard let settings = parts.first?.manifest.settings else {
            throw InputError(.usage, in: options.outputPath, "no part is given, expected all parts of the world")
        }
        var build = settings.options(
            inputPaths: options.partPaths, outputPath: options.outputPath, jobs: options.jobs)
        build.previewPage = options.previewPage
        build.force = options.force
        build.syncs = options.syncs
        build.memoryLimit = options.memoryLimit
        if let problem = build.problem { throw InputError(.usage, in: options.outputPath, problem) }
        try build.checkOutput()
        let files = try parts.checkedFiles(jobs: options.jobs)
        try parts.requireDistinctIDs()

        let joined = try JoinedPoints(parts, build, progress)
        let (points, quadtree) = (joined.points, joined.quadtree)
        let (standing, _) = try PointStanding.reading(build.clustering, of: points)
        let columnCount = build.clusters.countBy.count
        let texts = try parts.map { try $0.texts(columnCount: columnCount) }
        let content = try ClusterContent(
            build.clusters, build.clustering, idColumn: build.input.idColumn, of: points, standing: standing,
            knownTexts: (0..<columnCount).map { column in texts.flatMap { $0[column] } })
        let categories = texts.map { ofPart in
            zip(ofPart, content.countedTexts).map { texts, column in texts.map { column.number(of: $0) ?? 0 } }
        }
        let carried = try joined.carried(parts, content, standing, categories)
        try parts.requireAllPoints(in: carried)
        let rules = ClusteringRules(build.clustering, span: .above(cutZoom: settings.cutZoom))
        let estimate = MemoryEstimate(of: quadtree, clustering: build.clustering, clusters: build.clusters)
        try build.memoryLimit.check(estimate)
        let hierarchy = rules.hierarchy(
            of: carried, in: quadtree, standing: standing, work: SharedWork(jobs: options.jobs)
        ) { progress(.clustering(zoom: $0)) }
        let clusters = PyramidClusters(
            of: hierarchy, in: quadtree, rules: rules, hasMembers: content.needsMembers,
            coordinates: points.coordinates, values: content.values, standing: standing, jobs: options.jobs)
        // The pages are of clusters that the parts have.
        var shown = build.clusters
        shown.hasLeaves = false
        var bands = TileBands(of: quadtree, clusters, hierarchy, rules: rules, options: shown)
        let facts = try JoinedFacts(parts, content, categories, points.report).facts

        for part in parts {
            part.input.endWatch()
            try part.input.requireUnchanged()
        }
        let writer = try build.openOutput()
        let source = MarkerSource(
            points: points, content: content, mode: rules.mode, keepsCount: build.clustering.keepsCount,
            unclustered: quadtree.unclustered)
        do {
            let copied = try copyFiles(
                files, of: parts, to: writer, cutZoom: settings.cutZoom, maxZoom: build.clustering.maxZoom)
            var written = try PyramidBuilder(options: build).write(
                &bands, of: source, to: writer, build, after: copied.written, cutRecords: copied.records, progress)
            for part in parts { try part.input.requireUnchanged() }
            let outcome = try writer.finish(
                build.metadata(of: points, facts, content, &written, generator: PyramidBuilder.generator))
            return BuildReport(
                input: facts.report, outcome: outcome, maxZoomChoice: nil, largest: written.largest, separation: nil,
                warnings: [])
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// Copies what the parts have written.
    /// - Returns: also what they have handed over for bundles, as long as they are open.
    private func copyFiles(
        _ files: [[PartFile.Entry]], of parts: [OpenedPart], to writer: any TilesetWriter, cutZoom: Int, maxZoom: Int
    ) throws -> (written: WrittenTiles, records: CutRecords) {
        var written = WrittenTiles()
        var zooms: [Manifest.ZoomSummary] = []
        var largest = LargestTiles()
        var idTypes: PropertyTypes = []
        var tiles: [TileList.Entry] = []
        var bundles: [BundleList.Entry] = []
        var leaves: [LeafList.Entry] = []
        var handedOver: [CutRecords.Tile] = []
        var writtenNodes: Set<UInt64> = []
        func noteFile(_ tile: TileCoordinate) {
            guard let above = tile.ancestor(atZoom: cutZoom) else { return }
            writtenNodes.insert(above.node)
        }
        for (part, entries) in zip(parts, files) {
            let file = part.file
            try write(entries, of: file, to: writer, cutZoom: cutZoom)
            for entry in entries {
                if case .bundle(let tile) = entry.address, tile.z == cutZoom {
                    handedOver.append(CutRecords.Tile(node: tile.node, bytes: file.body(of: entry)))
                    continue
                }
                switch entry.address {
                case .tile(let tile):
                    tiles.append(TileList.Entry(address: tile, file: entry.file))
                    noteFile(tile)
                case .bundle(let tile):
                    bundles.append(BundleList.Entry(address: BundleAddress(tile), file: entry.file))
                    noteFile(tile)
                case .page(let page): leaves.append(LeafList.Entry(address: page, file: entry.file))
                }
            }
            largest.add(part.manifest.largest)
            idTypes.formUnion(PropertyTypes(rawValue: part.manifest.idTypes))
            zooms = zooms.isEmpty ? part.manifest.zooms : zip(zooms, part.manifest.zooms).map { $0.adding($1) }
        }
        let sortedLeaves = leaves.sorted { $0.address < $1.address }
        if let repeated = zip(sortedLeaves, sortedLeaves.dropFirst())
            .first(where: { $0.address == $1.address })
        {
            throw OutputError(repeatedClusterID: UInt64(repeated.0.address.clusterID))
        }
        written.append(tiles: tiles, bundles: bundles, leaves: leaves, zooms: zooms, largest: largest, idTypes: idTypes)
        return (written, CutRecords(cutZoom: cutZoom, maxZoom: maxZoom, tiles: handedOver, writtenNodes: writtenNodes))
    }
}

extension PartJoiner {
    /// Copies the tiles, bundles and pages of a part.
    private func write(
        _ entries: [PartFile.Entry], of file: PartFile, to writer: any TilesetWriter, cutZoom: Int
    ) throws {
        let pages = entries.partitioningIndex { if case .page = $0.address { true } else { false } }
        // All pages of a cluster come from one thread.
        let pieces = (0..<pages).split(every: 256) + [pages..<entries.count]
        try SharedWork(jobs: options.jobs).forEach(count: pieces.count) {
        } _: { (_: inout Void, piece: Int) throws in
            for entry in entries[pieces[piece]] {
                // Records for bundles, which the join makes of them.
                if case .bundle(let tile) = entry.address, tile.z == cutZoom { continue }
                try writer.write(file.body(of: entry), to: entry.address, entry.file)
            }
        }
    }
}

extension Manifest.ZoomSummary {
    /// Of the same zoom, with the tiles of another part.
    fileprivate func adding(_ other: Manifest.ZoomSummary) -> Manifest.ZoomSummary {
        var sum = self
        sum.tiles += other.tiles
        sum.markers += other.markers
        sum.clusters += other.clusters
        sum.bodyBytes += other.bodyBytes
        sum.storedBytes += other.storedBytes
        return sum
    }
}
