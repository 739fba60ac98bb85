import PyramidStore
import PyramidTiles

/// Reads the markers zoom by zoom, from the lowest to the highest. It reads every file once, and keeps what a bundle
/// shows at higher zooms until then.
struct ZoomReading {
    let tileset: any TilesetReader
    let manifest: Manifest
    let list: FileList
    let jobs: Int
    /// `nil` if clients don't filter.
    let facets: FacetNumbers?
    private var log = FindingLog()
    /// The markers of the bundles read so far.
    private var pending = PendingGroups()
    /// The totals of the next lower zoom, and of what bundles show from there on.
    private var coarse: TileCheck.Totals?
    /// How many files of lower zooms could not be read, so that markers may be missing from there on.
    private var unreadBundles = 0
    /// `nil` in a tileset without bundles.
    private var rule: BundleRule?

    private static let filesPerChunk = 256

    init(tileset: any TilesetReader, manifest: Manifest, list: FileList, facets: FacetNumbers?, jobs: Int) {
        self.facets = facets
        self.tileset = tileset
        self.manifest = manifest
        self.list = list
        self.jobs = jobs
        rule = manifest.content.storage.layout.bundleLimit.map {
            BundleRule(limit: $0, maxZoom: manifest.options.maxZoom)
        }
    }

    /// The markers of the next zoom, sorted, and the totals of its tiles.
    /// - Parameter count: receives how many further files are done, on any thread.
    mutating func next(
        _ zoom: Int, _ count: @Sendable (_ tiles: Int) -> Void
    ) -> (markers: MarkerGroups, totals: TileCheck.Totals) {
        let wanted = wantedFiles(atZoom: zoom)
        let chunks = wanted.indices.split(every: ZoomReading.filesPerChunk)
        let checks = SharedWork(jobs: jobs).map(chunks) { [tileset, manifest, list, facets] chunk in
            var check = TileCheck(tileset: tileset, manifest: manifest, facets: facets, zoom: zoom)
            for file in wanted[chunk] { check.run(list.entries[file.index], index: file.index) }
            count(chunk.count)
            return check.found
        }
        var markers = MarkerGroups(zoom: zoom)
        var totals = TileCheck.Totals(manifest, atZoom: zoom)
        var newlyPending = PendingGroups()
        var ruleFiles: [BundleRule.File] = []
        var tileMarkers: [MarkerGroups] = []
        var bundleMarkers: [PendingGroups] = []
        // One by one, and each is freed, so that not all are in memory twice.
        var rest = Array((consume checks).reversed())
        while let check = rest.popLast() {
            totals.add(check.totals)
            ruleFiles += check.ruleFiles
            log.append(check.log)
            bundleMarkers.append(check.pending)
            tileMarkers.append(check.markers)
        }
        markers.append(emptying: &tileMarkers)
        newlyPending.append(emptying: &bundleMarkers)
        markers.sort()
        guard rule != nil else { return (markers, totals) }

        let storage = manifest.content.storage
        rule?.add(ruleFiles, atZoom: zoom, storage)
        newlyPending.sort()
        pending.take(newlyPending, atZoom: zoom)
        markers = pending.markers(with: markers)
        if zoom == manifest.options.maxZoom { pending = PendingGroups() }
        totals.tiles = markers.tileCount
        if let coarse { totals.add(bundlesOf: coarse) }
        coarse = totals
        unreadBundles += totals.unreadTiles
        totals.unreadTiles = unreadBundles
        return (markers, totals)
    }

    /// The tiles and bundles of a zoom, in the order of the Z curve, so that their markers come nearly sorted.
    private func wantedFiles(atZoom zoom: Int) -> [(order: UInt64, index: Int)] {
        let indices = [FileAddress.Kind.tile, .bundle].flatMap { list.entries(of: $0, atZoom: zoom).indices }
        return indices.map { (list.entries[$0].address.tile?.node ?? 0, $0) }.sorted { $0.0 < $1.0 }
    }

    /// The findings since the last call.
    mutating func takeLog() -> FindingLog {
        defer { log = FindingLog() }
        return log
    }

    /// The findings that need all zooms.
    mutating func finish() -> FindingLog {
        guard unreadBundles == 0 else { return FindingLog() }
        let storage = manifest.content.storage
        rule?.finish(storage)
        return rule?.log ?? FindingLog()
    }
}
