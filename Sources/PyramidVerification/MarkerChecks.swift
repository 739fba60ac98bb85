import PyramidStore
import PyramidTiles

/// Checks tiles, bundles and pages against each other and the metadata: reads all files, and then checks the markers
/// region by region.
struct MarkerChecks {
    let tileset: any TilesetReader
    let manifest: Manifest
    let list: FileList
    let regions: Regions
    let jobs: Int
    private let facets: FacetNumbers?
    private var sums: [ZoomSums]
    private var logs: [ZoomLogs]
    private var content: FileReading.Content
    private var pages: MemberPagesCheck?

    /// What was found at a zoom, in the order in which it is reported.
    private struct ZoomLogs {
        var files = FindingLog()
        var markers = FindingLog()
        var sums = FindingLog()
        var nesting = FindingLog()
        var pages = FindingLog()

        var all: [FindingLog] { [files, markers, sums, nesting, pages] }
    }

    /// Reads all tiles and bundles.
    /// - Parameter count: receives how many further files are done, on any thread.
    init(
        tileset: any TilesetReader, manifest: Manifest, list: FileList, tileJSON: TileJSON?, regions: Regions,
        jobs: Int, store: ChunkStore, count: @Sendable (_ tiles: Int) -> Void
    ) throws(OutputError) {
        (self.tileset, self.manifest, self.list, self.regions, self.jobs) = (tileset, manifest, list, regions, jobs)
        let isMVT = manifest.content.storage.codec == .mvt
        let facets = tileJSON?.facets.flatMap { FacetNumbers($0, isMVT: isMVT) }
        self.facets = facets
        let (options, precision) = (manifest.options, PlacePrecision(manifest))
        let zooms = options.minZoom...options.maxZoom
        sums = zooms.map { zoom in
            let bounds = zoom == zooms.upperBound && precision.isExact ? tileJSON?.boundingBox : nil
            return ZoomSums(zoom: zoom, facets: facets, bounds: bounds.map { BoundsTally(in: $0) })
        }
        var reading = FileReading(
            tileset: tileset, manifest: manifest, list: list, facets: facets,
            router: MarkerRouter(regions, options, precision), jobs: jobs, store: store)
        var logs: [ZoomLogs] = []
        for zoom in zooms {
            try reading.read(zoom, count)
            logs.append(ZoomLogs(files: reading.takeLog()))
        }
        self.logs = logs
        content = try reading.finish()
        if manifest.content.clusters.hasLeaves {
            pages = MemberPagesCheck(
                tileset: tileset, manifest: manifest, pages: list[.page], regions: regions, jobs: jobs, store: store)
        }
    }

    private var zooms: ClosedRange<Int> { manifest.options.minZoom...manifest.options.maxZoom }
    /// Whether the markers state their parents.
    private var hasParents: Bool { manifest.content.clusters.hasParents }

    /// Checks what was read.
    mutating func run() throws(OutputError) -> (log: FindingLog, totals: [VerificationReport.ZoomTotals]) {
        for region in 0..<regions.count { try check(regions[region]) }
        try checkSums()
        try checkPages()
        var log = FindingLog()
        for found in logs.flatMap(\.all) + [content.log] { log.append(found) }
        return (log, totals)
    }

    /// Whether every file that shows markers at a zoom was read. If not, every sum of this zoom is wrong: the finding
    /// about the file is enough.
    private func isWhole(_ index: Int) -> Bool { content.totals[index].unreadTiles == 0 }

    /// Checks the markers of all zooms in a region.
    private mutating func check(_ region: Region) throws(OutputError) {
        var regionReading = RegionReading(region: region.index)
        var coarse: MarkerGroups?
        for (index, zoom) in zooms.enumerated() {
            let markers = try regionReading.next(zoom, from: &content.markers, isLast: zoom == zooms.upperBound)
            sums[index].add(markers, in: region)
            if hasParents { try content.parents.append(clustersOf: markers, in: region) }
            var check = ZoomCheck(manifest: manifest, list: list, markers: markers, region: region)
            check.checkIDs(&content.ids)
            check.checkDistances(jobs: jobs)
            check.checkPlaces()
            logs[index].markers.append(check.log)
            guard isWhole(index) else {
                coarse = nil
                continue
            }
            if let coarse { logs[index].nesting.append(nesting(coarse, markers, region)) }
            if index == pageIndex, coarse != nil || index == 0 {
                let clusters = coarse ?? MarkerGroups(zoom: zoom - 1)
                try pages?.read(clusters: clusters, points: markers, in: region)
            }
            coarse = markers
        }
    }

    private func nesting(_ coarse: MarkerGroups, _ fine: MarkerGroups, _ region: Region) -> FindingLog {
        var log = FindingLog()
        for key in Set(coarse.keys).union(fine.keys).sorted() {
            var options = manifest.options
            // Points that never merge are the same at every zoom, as if none were clustered.
            if key.isUnclustered { options.clusterMaxZoom = -1 }
            var nesting = NestingCheck(
                options: options, list: list, storage: manifest.content.storage, precision: PlacePrecision(manifest),
                facets: facets, coarse: coarse[key], fine: fine[key], region: region)
            nesting.run(jobs: jobs)
            log.append(nesting.log)
        }
        return log
    }

    private mutating func checkSums() throws(OutputError) {
        let problems = hasParents ? try content.parents.problems() : [:]
        for (index, zoom) in zooms.enumerated() where isWhole(index) {
            logs[index].sums = sums[index].check(content.totals[index], manifest, facets)
            guard hasParents, index > 0, isWhole(index - 1) else { continue }
            let directory = "\(FileAddress.Kind.tile.folder)/\(zoom)"
            for problem in problems[zoom] ?? [] { logs[index].sums.add(.wrongContent, in: directory, problem) }
            let found = content.totals[index].content.pointsWithoutParent
            let points = sums[index - 1].markers - sums[index - 1].clusters
            if found != points {
                logs[index].sums.add(
                    .wrongContent, in: directory,
                    "markers without a parent stand for \(found) points, expected \(points), the single points at zoom "
                        + "\(zoom - 1)")
            }
        }
    }

    /// The index of the lowest unclustered zoom, whose only clusters are coincident points.
    private var pageIndex: Int { max(0, manifest.options.clusterMaxZoom + 1 - zooms.lowerBound) }

    private mutating func checkPages() throws(OutputError) {
        let index = pageIndex
        guard var pages, index < sums.count, isWhole(index), index == 0 || isWhole(index - 1) else { return }
        try pages.finish(zoom: zooms.lowerBound + index, hasClusters: index > 0 && sums[index - 1].clusters > 0)
        logs[index].pages = pages.log
    }

    /// By zoom. A tile in a bundle has no file of its own, so such tiles are counted by their markers.
    private var totals: [VerificationReport.ZoomTotals] {
        let isBundled = manifest.content.storage.layout.bundleLimit != nil
        return zip(sums, content.totals).map { sums, totals in
            VerificationReport.ZoomTotals(
                zoom: sums.zoom, tiles: isBundled ? sums.tiles : totals.tiles, markers: sums.markers,
                clusters: sums.clusters, points: sums.points)
        }
    }
}
