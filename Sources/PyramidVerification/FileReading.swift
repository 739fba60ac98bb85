import PyramidStore
import PyramidTiles

/// Reads every tile and bundle once, zoom by zoom, and divides the markers among the regions.
struct FileReading {
    let tileset: any TilesetReader
    let manifest: Manifest
    let list: FileList
    /// `nil` if clients don't filter.
    let facets: FacetNumbers?
    let router: MarkerRouter
    let jobs: Int
    private let isBundled: Bool
    /// `nil` if each tile is read by itself.
    private let repeats: TileRepeats?
    /// By index in the list: whether the tile was checked together with one of a lower zoom. Empty without ``repeats``.
    private var isRepeat: [Bool]
    private var content: Content
    private var log = FindingLog()
    /// `nil` in a tileset without bundles.
    private var rule: BundleRule?

    /// What the files hold.
    struct Content {
        /// By ``number(region:zoom:)``.
        var markers: SpooledChunks<MarkerChunk>
        var ids: RepeatedIDs
        var parents: ParentSums
        /// By zoom.
        fileprivate(set) var totals: [TileCheck.Totals] = []
        /// The findings that need all zooms.
        fileprivate(set) var log = FindingLog()
    }

    private static let filesPerChunk = 256
    /// How many chunks each thread reads before their markers are put away.
    private static let chunksPerJob = 4

    init(
        tileset: any TilesetReader, manifest: Manifest, list: FileList, facets: FacetNumbers?, router: MarkerRouter,
        jobs: Int, store: ChunkStore
    ) {
        self.facets = facets
        self.tileset = tileset
        self.manifest = manifest
        self.list = list
        self.router = router
        self.jobs = jobs
        content = Content(
            markers: SpooledChunks(in: store), ids: RepeatedIDs(in: store, partitionCount: router.regions.count),
            parents: ParentSums(in: store, partitionCount: router.regions.count))
        isBundled = manifest.content.storage.layout.bundleLimit != nil
        repeats = TileRepeats(tileset, manifest, list)
        isRepeat = [Bool](repeating: false, count: repeats == nil ? 0 : list.entries.count)
        rule = manifest.content.storage.layout.bundleLimit.map {
            BundleRule(limit: $0, maxZoom: manifest.options.maxZoom)
        }
    }

    /// Reads the files of the next zoom.
    /// - Parameter count: receives how many further files are done, on any thread.
    mutating func read(_ zoom: Int, _ count: @Sendable (_ tiles: Int) -> Void) throws(OutputError) {
        let spansZooms = isBundled || repeats != nil
        var totals = TileCheck.Totals(manifest, atZoom: zoom, spansZooms: spansZooms)
        for region in 0..<router.regions.count {
            var files = files(atZoom: zoom, in: router.regions[region])
            let fileCount = files.count
            if repeats != nil {
                for file in files where isRepeat[file.index] { totals.add(repeatOf: list.entries[file.index].file) }
                files.removeAll { isRepeat[$0.index] }
                count(fileCount - files.count)
            }
            let chunks = files.indices.split(every: FileReading.filesPerChunk)
            for batch in chunks.indices.split(every: jobs * FileReading.chunksPerJob) {
                try read(chunks[batch].map { files[$0] }, zoom, &totals, count)
            }
        }
        rule?.finishZoom()
        if !isBundled { try content.ids.find(keepingZoomsFrom: zoom + 1) }
        if spansZooms, let coarse = content.totals.last { totals.add(filesOf: coarse) }
        // The records of bundles may be missing from there on.
        if isBundled, let coarse = content.totals.last { totals.unreadTiles += coarse.unreadTiles }
        content.totals.append(totals)
    }

    private mutating func read(
        _ chunks: [ArraySlice<(order: UInt64, index: Int)>], _ zoom: Int, _ totals: inout TileCheck.Totals,
        _ count: @Sendable (_ tiles: Int) -> Void
    ) throws(OutputError) {
        let checks = SharedWork(jobs: jobs).map(chunks.indices.split(every: 1)) {
            [tileset, manifest, list, facets, router, repeats] number in
            let files = chunks[number.lowerBound]
            var check = TileCheck(
                tileset: tileset, manifest: manifest, facets: facets, router: router, repeats: repeats, zoom: zoom)
            for file in files { check.run(list.entries[file.index], index: file.index) }
            count(files.count)
            return check.found
        }
        let storage = manifest.content.storage
        for found in checks {
            var found = found
            for (offset, named) in found.totals.takeParents().enumerated() where !named.isEmpty {
                try content.parents.append(named, atZoom: zoom + offset)
            }
            totals.add(found.totals)
            for index in found.repeats { isRepeat[index] = true }
            rule?.add(found.ruleFiles, atZoom: zoom, storage)
            log.append(found.log)
            try content.ids.append(found.ids)
            for (region, chunk) in found.markers.sorted(by: { $0.key < $1.key }) {
                try content.markers.append(chunk, to: FileReading.number(region: region, zoom: zoom))
            }
        }
    }

    /// The number of what files of a zoom give a region.
    static func number(region: Int, zoom: Int) -> Int { region * (TileCoordinate.zooms.upperBound + 1) + zoom }

    /// The tiles and bundles of a zoom that begin in a region, in the order of the Z curve, so that their markers come nearly
    /// sorted.
    private func files(atZoom zoom: Int, in region: Region) -> [(order: UInt64, index: Int)] {
        var files: [(order: UInt64, index: Int)] = []
        for kind in [FileAddress.Kind.tile, .bundle] {
            let entries = list.entries(of: kind, atZoom: zoom)
            for index in entries.indices {
                let order = entries[index].address.tile?.codes.lowerBound ?? 0
                if region.owns(order) { files.append((order, index)) }
            }
        }
        return files.sorted { $0.order < $1.order }
    }

    /// The findings since the last call.
    mutating func takeLog() -> FindingLog {
        defer { log = FindingLog() }
        return log
    }

    /// Ends the reading, after the last zoom.
    consuming func finish() throws(OutputError) -> Content {
        try content.ids.find()
        if content.totals.last?.unreadTiles == 0 {
            let storage = manifest.content.storage
            rule?.finish(storage)
            content.log = rule?.log ?? FindingLog()
        }
        return content
    }
}

/// The markers of a region and around it, zoom by zoom. What a bundle shows at higher zooms is kept until then.
struct RegionReading {
    private let region: Int
    private var pending = PendingGroups()

    init(region: Int) { self.region = region }

    /// The markers of the next zoom, sorted.
    mutating func next(
        _ zoom: Int, from chunks: inout SpooledChunks<MarkerChunk>, isLast: Bool
    ) throws(OutputError) -> MarkerGroups {
        var ofTiles: [MarkerGroups] = []
        var ofBundles: [PendingGroups] = []
        for chunk in try chunks.take(FileReading.number(region: region, zoom: zoom)) {
            ofTiles.append(chunk.tiles)
            ofBundles.append(chunk.bundles)
        }
        var markers = MarkerGroups(zoom: zoom)
        markers.append(emptying: &ofTiles)
        markers.sort()
        var newlyPending = PendingGroups()
        newlyPending.append(emptying: &ofBundles)
        newlyPending.sort()
        pending.take(newlyPending, atZoom: zoom)
        if pending.groups.isEmpty { return markers }
        markers = pending.markers(with: markers)
        if isLast { pending = PendingGroups() }
        return markers
    }
}
