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

    init(tileset: any TilesetReader, manifest: Manifest, pages: FileList.Entries.SubSequence, jobs: Int) {
        self.tileset = tileset
        options = manifest.content.clusters
        self.pages = pages
        self.jobs = jobs
        precision = PlacePrecision(manifest)
    }

    /// - Parameters:
    ///   - clusters: of the last clustered zoom level; sorted.
    ///   - points: of the next zoom level, with the places whose points stay together; sorted.
    mutating func run(clusters: MarkerGroups, points: MarkerGroups) {
        let ids = Set(MemberPagesCheck.clusters(of: clusters).map(\.id))
        let shown = MemberPagesCheck.clusters(of: clusters).filter {
            options.leafPageCount(ofPoints: $0.pointCount) != nil
        }
        let places = MemberPagesCheck.clusters(of: points).filter {
            options.leafPageCount(ofPoints: $0.pointCount) != nil && !ids.contains($0.id)
        }
        let placeIDs = Set(places.map(\.id))
        let listed = withEntries(shown + places)
        var found = read(listed.filter { !placeIDs.contains($0.id) }, zoom: points.zoom)
        checkPoints(found, areAmong: points)
        let ofPlaces = read(listed.filter { placeIDs.contains($0.id) }, zoom: points.zoom)
        // A coincident cluster's points are also on the pages of the cluster that contains it, if there is one.
        if clusters.clusterCount == 0 { found = ofPlaces }
        check(ofPlaces, areAmong: found)
    }

    /// The points on the pages of some clusters, sorted.
    private mutating func read(_ listed: [ListedCluster], zoom: Int) -> ZoomMarkers {
        let chunks = listed.indices.split(every: MemberPagesCheck.clustersPerChunk)
        let checks = SharedWork(jobs: jobs).map(chunks) { [tileset, precision] chunk in
            var pages = PageCheck(tileset: tileset, zoom: zoom, precision)
            for cluster in listed[chunk] {
                pages.run(
                    id: cluster.id, pointCount: cluster.pointCount, box: cluster.boundingBox, cluster.entries)
            }
            return (points: pages.points, log: pages.log)
        }
        var found = ZoomMarkers(zoom: zoom)
        for check in checks {
            found.append(check.points)
            log.append(check.log)
        }
        found.sort()
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

    private static func clusters(of clusters: MarkerGroups) -> [ListedCluster] {
        var listed: [ListedCluster] = []
        for (key, markers) in zip(clusters.keys, clusters.markers) {
            for (index, record) in markers.records.enumerated() where !record.isPoint {
                let pointCount = markers.pointCount(index)
                listed.append(
                    ListedCluster(
                        id: Int(truncatingIfNeeded: record.identity ^ key.idMask), pointCount: pointCount,
                        boundingBox: markers.boundingBox(index), entries: FileList.Entries()[...]))
            }
        }
        return listed
    }

    /// The clusters with their pages, in the order of ids. Reports listed pages of anything else.
    private mutating func withEntries(_ clusters: [ListedCluster]) -> [ListedCluster] {
        var next = pages.startIndex
        let listed = clusters.sorted { $0.id < $1.id }.map { cluster in
            while next < pages.endIndex, pages[next].address.number(0) < cluster.id { reportExtra(&next) }
            let start = next
            while next < pages.endIndex, pages[next].address.number(0) == cluster.id { next += 1 }
            return ListedCluster(
                id: cluster.id, pointCount: cluster.pointCount, boundingBox: cluster.boundingBox,
                entries: pages[start..<next])
        }
        while next < pages.endIndex { reportExtra(&next) }
        return listed
    }

    private mutating func reportExtra(_ index: inout Int) {
        let clusterID = pages[index].address.number(0)
        log.add(
            .damagedFileList, in: FileList.fileName, "lists a page of \(clusterID), which isn't a cluster with pages")
        index += 1
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
