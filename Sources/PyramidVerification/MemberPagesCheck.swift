import PyramidStore
import PyramidTiles

/// Checks the pages of clusters' points. Every cluster that should have pages has them all. They hold as many points as
/// the cluster states, all inside its box. Each is a point of the lowest unclustered zoom, and is on one page only.
struct MemberPagesCheck {
    let tileset: any TilesetReader
    let options: ClusterContentOptions
    /// The listed pages.
    let pages: FileList.Entries.SubSequence
    let jobs: Int
    private let precision: PlacePrecision
    private(set) var log = FindingLog()

    /// A cluster that has pages.
    private struct ListedCluster {
        /// The id in the tiles, with the group's mask.
        let id: Int
        let pointCount: Int
        let boundingBox: BoundingBox
        /// Its pages in the list.
        let entries: FileList.Entries.SubSequence
    }

    private static let clustersPerChunk = 16
    /// How many chunks each thread reads before their points are put away.
    private static let chunksPerJob = 64

    private let regions: Regions
    /// By region: the owned markers of the lowest unclustered zoom.
    private var points: SpooledChunks<MarkerGroups>
    /// By region: the points on pages of the last clustered zoom's clusters, and on those of other coincident clusters.
    private var found, foundTogether: SpooledChunks<MarkerGroups>
    /// Whether ``found`` lacks points because some pages aren't readable, which is a finding already.
    private var lacksPoints = false
    /// By page in the list: whether it belongs to a cluster.
    private var isKnown: [Bool]

    init(
        tileset: any TilesetReader, manifest: Manifest, pages: FileList.Entries.SubSequence, regions: Regions,
        jobs: Int,
        store: ChunkStore
    ) {
        self.tileset = tileset
        options = manifest.content.clusters
        self.pages = pages
        self.regions = regions
        self.jobs = jobs
        precision = PlacePrecision(manifest)
        points = SpooledChunks(in: store)
        found = SpooledChunks(in: store)
        foundTogether = SpooledChunks(in: store)
        isKnown = [Bool](repeating: false, count: pages.count)
    }

    /// Reads the pages of the clusters that a region owns.
    /// - Parameters:
    ///   - clusters: of the last clustered zoom; sorted.
    ///   - points: of the next zoom, with the places whose points stay together; sorted.
    mutating func read(clusters: MarkerGroups, points: MarkerGroups, in region: Region) throws(OutputError) {
        let ids = Set(
            zip(clusters.keys, clusters.markers).flatMap { key, markers in
                markers.records.lazy.filter { !$0.isPoint }.map { Int(truncatingIfNeeded: $0.identity ^ key.idMask) }
            })
        let shown = listedClusters(of: clusters, in: region)
        let places = listedClusters(of: points, in: region).filter { !ids.contains($0.id) }
        try read(withEntries(shown), zoom: points.zoom, into: \.found)
        try read(withEntries(places), zoom: points.zoom, into: \.foundTogether)
        try self.points.append(points.owned(by: region), to: region.index)
    }

    /// Compares the points on pages with the markers, after the last region.
    /// - Parameters:
    ///   - zoom: the lowest unclustered zoom.
    ///   - hasClusters: whether there are clusters at the last clustered zoom.
    mutating func finish(zoom: Int, hasClusters: Bool) throws(OutputError) {
        for index in pages.indices where !isKnown[index - pages.startIndex] {
            log.add(
                .damagedFileList, in: FileList.fileName,
                "lists a page of \(pages[index].address.number(0)), which isn't a cluster with pages")
        }
        for region in 0..<regions.count {
            var points = MarkerGroups(zoom: zoom)
            var chunks = try self.points.take(region)
            points.append(emptying: &chunks)
            points.sort()
            let found = sorted(try found.take(region), zoom: zoom)
            checkPoints(found, areAmong: points)
            let together = sorted(try foundTogether.take(region), zoom: zoom)
            // A coincident cluster's points are also on the pages of the cluster that contains it, if there is one.
            if !lacksPoints { check(together, areAmong: hasClusters ? found : together) }
        }
    }

    /// Reads the pages of some clusters.
    private mutating func read(
        _ listed: [ListedCluster], zoom: Int, into place: WritableKeyPath<MemberPagesCheck, SpooledChunks<MarkerGroups>>
    ) throws(OutputError) {
        let chunks = listed.indices.split(every: MemberPagesCheck.clustersPerChunk)
        for batch in chunks.indices.split(every: jobs * MemberPagesCheck.chunksPerJob) {
            let checks = SharedWork(jobs: jobs).map(Array(chunks[batch])) { [tileset, precision, regions] chunk in
                var check = PageCheck(tileset: tileset, zoom: zoom, precision)
                for cluster in listed[chunk] {
                    check.run(
                        id: cluster.id, pointCount: cluster.pointCount, box: cluster.boundingBox, cluster.entries)
                }
                let points = check.points.records
                return (
                    points: Dictionary(grouping: points) { regions.index(of: $0.code) }, log: check.log,
                    lacksPoints: check.lacksPoints
                )
            }
            for check in checks {
                log.append(check.log)
                lacksPoints = lacksPoints || check.lacksPoints
                for (region, points) in check.points.sorted(by: { $0.key < $1.key }) {
                    var chunk = MarkerGroups(zoom: zoom)
                    for point in points { chunk.append(point, of: MarkerDetails(), to: MarkerGroups.Key()) }
                    try self[keyPath: place].append(chunk, to: region)
                }
            }
        }
    }

    /// The points on pages, sorted. Reports those that repeat.
    private mutating func sorted(_ chunks: [MarkerGroups], zoom: Int) -> ZoomMarkers {
        var (chunks, all) = (chunks, MarkerGroups(zoom: zoom))
        all.append(emptying: &chunks)
        all.sort()
        let found = all[MarkerGroups.Key()]
        for (index, record) in found.records.enumerated() where isRepeated(index, in: found) {
            log.add(
                .wrongContent, in: tileset.storage.relativePath(of: pages[Int(record.file)].address),
                "\(found.description(of: record)) is repeated on this page or another")
        }
        return found
    }

    /// Whether a point is the same as the one before, by its id. Points without ids may be at one place.
    private func isRepeated(_ index: Int, in found: ZoomMarkers) -> Bool {
        guard index > 0, case let (point, last) = (found.records[index], found.records[index - 1]) else { return false }
        return point.identity != 0 && point.code == last.code && point.pointOrder == last.pointOrder
    }

    /// The clusters with pages that a region owns.
    private func listedClusters(of clusters: MarkerGroups, in region: Region) -> [ListedCluster] {
        var listed: [ListedCluster] = []
        for (key, markers) in zip(clusters.keys, clusters.markers) {
            for (index, record) in markers.records.enumerated() where !record.isPoint && region.owns(record.code) {
                let pointCount = markers.pointCount(index)
                guard options.leafPageCount(ofPoints: pointCount) != nil else { continue }
                listed.append(
                    ListedCluster(
                        id: Int(truncatingIfNeeded: record.identity ^ key.idMask), pointCount: pointCount,
                        boundingBox: markers.boundingBox(index), entries: FileList.Entries()[...]))
            }
        }
        return listed
    }

    /// The clusters with their pages, in the order of ids. Each page belongs to one cluster.
    private mutating func withEntries(_ clusters: [ListedCluster]) -> [ListedCluster] {
        clusters.sorted { $0.id < $1.id }.map { cluster in
            let start = pages.partitioningIndex { $0.address.number(0) >= cluster.id }
            var end = start
            while end < pages.endIndex, pages[end].address.number(0) == cluster.id,
                !isKnown[end - pages.startIndex]
            {
                isKnown[end - pages.startIndex] = true
                end += 1
            }
            return ListedCluster(
                id: cluster.id, pointCount: cluster.pointCount, boundingBox: cluster.boundingBox,
                entries: pages[start..<end])
        }
    }

    /// - Parameter found: sorted.
    private mutating func checkPoints(_ found: ZoomMarkers, areAmong points: MarkerGroups) {
        var all = ZoomMarkers(zoom: points.zoom)
        // By place: how many of the coincident cluster's points were not found yet.
        var together: [UInt64: Int] = [:]
        for markers in points.markers {
            for (index, record) in markers.records.enumerated() where !record.isPoint {
                together[record.code, default: 0] = together[record.code, default: 0]
                    .saturatingAdd(markers.pointCount(index))
            }
        }
        for (key, markers) in zip(points.keys, points.markers) where !key.isUnclustered { all.append(markers) }
        all.sort()
        var next = 0
        for (index, record) in found.records.enumerated() where !isRepeated(index, in: found) {
            while next < all.records.count,
                ZoomMarkers.isBefore(all.records[next], record)
            {
                next += 1
            }
            guard next < all.records.count, all.records[next].code == record.code,
                all.records[next].isPoint, all.records[next].pointOrder == record.pointOrder
            else {
                if let count = together[record.code], count > 0 {
                    together[record.code] = count - 1
                    continue
                }
                let page = pages[Int(record.file)].address
                log.add(
                    .wrongContent, in: tileset.storage.relativePath(of: page),
                    "\(found.description(of: record)) is not a point of zoom \(points.zoom), or is on another page too")
                continue
            }
            next += 1
        }
    }

    /// - Parameters:
    ///   - points: on the pages of coincident clusters; sorted.
    ///   - others: on the pages of the clusters that contain them; sorted.
    private mutating func check(_ points: ZoomMarkers, areAmong others: ZoomMarkers) {
        var next = 0
        for record in points.records {
            while next < others.records.count, ZoomMarkers.isBefore(others.records[next], record) { next += 1 }
            if next < others.records.count, !ZoomMarkers.isBefore(record, others.records[next]) {
                next += 1
            } else {
                let page = pages[Int(record.file)].address
                log.add(
                    .wrongContent, in: tileset.storage.relativePath(of: page),
                    "\(points.description(of: record)) is on no page of the cluster that contains its place")
            }
        }
    }
}
