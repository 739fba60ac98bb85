import PyramidStore
import PyramidTiles

/// Reads and checks every listed file, zoom by zoom, and compares the markers of each zoom with each other and with the
/// metadata.
struct MarkerChecks {
    private let context: TileCheck.Context
    private let jobs: Int
    private let zooms: ClosedRange<Int>
    private var tallies: [ZoomTally]
    /// By zoom.
    private var places: [RunSorter<PlacedMarker>]
    private var ids: RunSorter<ShownID>
    /// By index in the list: whether the tile was checked together with one of a lower zoom. Empty if each is read by itself.
    private var isRepeat: [Bool]
    private var logs: [FindingLog]

    /// How much each thread reads before what was found is put away.
    private static let filesPerChunk = 256
    private static let bytesPerChunk = 4 << 20
    private static let chunksPerJob = 4

    /// - Parameter memory: for the markers of a zoom; as much again for the ids of all zooms.
    init(
        tileset: any TilesetReader, manifest: Manifest, list: FileList, tileJSON: TileJSON?, jobs: Int,
        memory: ListMemory
    ) {
        let (options, storage) = (manifest.options, manifest.content.storage)
        let (zooms, content) = (options.minZoom...options.maxZoom, ContentTally(manifest))
        let columns = manifest.content.clusters.filterBy
        let facets = tileJSON?.facets.flatMap {
            // Other columns are a finding about the TileJSON, and don't fit the values that are read.
            columns.isEmpty || $0.columns != columns ? nil : FacetNumbers($0, isMVT: storage.codec == .mvt)
        }
        tallies = zooms.map { zoom in
            let isExact = zoom == zooms.upperBound && PlacePrecision(manifest).isExact
            let bounds = isExact ? tileJSON?.boundingBox.map { BoundsTally(in: $0) } : nil
            return ZoomTally(zoom: zoom, content, facets: facets, bounds: bounds)
        }
        context = TileCheck.Context(
            tileset: tileset, manifest: manifest, list: list, facets: facets, tallies: tallies)
        let isArchive = tileset is ArchiveTileset
        (self.jobs, self.zooms) = (jobs, zooms)
        isRepeat = [Bool](repeating: false, count: isArchive ? list.entries.count : 0)
        // Files of one zoom can show markers of all higher ones.
        let isOneZoom = storage.layout.bundleLimit == nil && !isArchive
        let placeMemory = ListMemory(
            budgetBytes: isOneZoom ? memory.budgetBytes : memory.budgetBytes / zooms.count, folder: memory.folder)
        places = zooms.map { _ in RunSorter(placeMemory) }
        ids = RunSorter(memory)
        logs = zooms.map { _ in FindingLog() }
    }

    /// - Parameter count: receives how many further tiles and bundles are done, on any thread.
    mutating func run(
        _ count: @Sendable (_ tiles: Int) -> Void
    ) throws(OutputError) -> (log: FindingLog, totals: [VerificationReport.ZoomTotals]) {
        for (index, zoom) in zooms.enumerated() {
            try read(files(atZoom: zoom, count), atZoom: zoom, count)
            let markers = try places[index].finish()
            let (list, storage) = (context.list, context.manifest.content.storage)
            logs[index].append(
                PlaceCheck(context.manifest, atZoom: zoom).run(markers, jobs: jobs) {
                    list.path(of: $0, atZoom: zoom, storage)
                })
        }
        try checkIDs()
        var log = FindingLog()
        for (tally, found) in zip(tallies, logs) {
            log.append(found)
            log.append(tally.check(context.manifest, context.facets))
        }
        return (log, tallies.map(\.totals))
    }

    /// The tiles and bundles of a zoom, by their index in the list, in the order of the Z curve, so that their markers come
    /// nearly sorted.
    private func files(atZoom zoom: Int, _ count: (_ tiles: Int) -> Void) -> [Int] {
        var files: [(order: UInt64, index: Int)] = []
        var repeatCount = 0
        for kind in FileAddress.Kind.allCases {
            let entries = context.list.entries(of: kind, atZoom: zoom)
            for index in entries.indices {
                guard isRepeat.isEmpty || !isRepeat[index] else {
                    repeatCount += 1
                    continue
                }
                files.append((entries[index].address.tile.codes.lowerBound, index))
            }
        }
        count(repeatCount)
        return files.sorted { $0.order < $1.order }.map(\.index)
    }

    private mutating func read(
        _ files: [Int], atZoom zoom: Int, _ count: @Sendable (_ tiles: Int) -> Void
    ) throws(OutputError) {
        let chunks = chunks(of: files)
        for batch in chunks.indices.split(every: jobs * MarkerChecks.chunksPerJob) {
            let checks = SharedWork(jobs: jobs).map(batch.split(every: 1)) { [context] number in
                var check = TileCheck(context, zoom: zoom)
                let chunk = chunks[number.lowerBound]
                for index in files[chunk] { check.run(context.list.entries[index], index: index) }
                count(chunk.count)
                return check.found
            }
            for found in checks { try add(found, atZoom: zoom) }
        }
    }

    private func chunks(of files: [Int]) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var (start, bytes) = (0, 0)
        for (position, index) in files.enumerated() {
            bytes = bytes.saturatingAdd(context.list.entries[index].file.bodyByteCount)
            guard bytes >= MarkerChecks.bytesPerChunk || position - start + 1 == MarkerChecks.filesPerChunk else {
                continue
            }
            chunks.append(start..<position + 1)
            (start, bytes) = (position + 1, 0)
        }
        if start < files.count { chunks.append(start..<files.count) }
        return chunks
    }

    private mutating func add(_ found: TileCheck.Found, atZoom zoom: Int) throws(OutputError) {
        let first = zoom - zooms.lowerBound
        for (offset, tally) in found.tallies.enumerated() { tallies[first + offset].add(tally) }
        for (offset, markers) in found.places.enumerated() { try places[first + offset].append(markers) }
        try ids.append(found.ids)
        for index in found.repeats { isRepeat[index] = true }
        logs[first].append(found.log)
    }

    /// Checks that no zoom has two points with the same id, or two clusters of a group.
    private mutating func checkIDs() throws(OutputError) {
        var found = zooms.map { _ in FindingLog() }
        try ids.forEachRepeated { [first = zooms.lowerBound, context] id in
            let address = context.list.entries[Int(id.file)].address
            let zoom = id.zooms.lowerBound
            found[zoom - first].add(
                .repeatedID, in: context.manifest.content.storage.relativePath(of: address),
                "\(id.code.description(isCluster: id.isCluster)) has the same id as another at zoom \(zoom)")
        }
        for (index, log) in found.enumerated() { logs[index].append(log) }
    }
}

extension ZoomTally {
    fileprivate var totals: VerificationReport.ZoomTotals {
        VerificationReport.ZoomTotals(zoom: zoom, tiles: tiles, markers: markers, clusters: clusters, points: points)
    }
}

extension FileList {
    /// The path of the file that shows a marker at a zoom. Of an archive, another one at a lower zoom may have been read for it.
    fileprivate func path(of marker: PlacedMarker, atZoom zoom: Int, _ storage: TileStorage) -> String {
        var address = entries[Int(marker.file)].address
        if address.kind == .tile, case let tile = address.tile, tile.z < zoom {
            address = .tile(TileCoordinate(containing: marker.code.point, atZoom: zoom))
        }
        return storage.relativePath(of: address)
    }
}
