import PyramidStore
import PyramidTiles

/// Checks the pages of clusters' points: every cluster that should have pages has all of them, and together they hold
/// as many points as it says, in its box, each a point of the next zoom level and on one page only.
struct LeafCheck {
    let tileset: any TilesetReader
    let options: ClusterContentOptions
    let list: LeafList
    let jobs: Int
    private(set) var log = FindingLog()

    /// A cluster that has pages.
    private struct ListedCluster {
        /// As written.
        let id: Int
        let pointCount: Int
        let boundingBox: BoundingBox
        /// Its pages in the list.
        let entries: ArraySlice<LeafList.Entry>
    }

    private static let clustersPerPart = 16

    init(tileset: any TilesetReader, manifest: Manifest, list: LeafList, jobs: Int) {
        self.tileset = tileset
        options = manifest.content.clusters
        self.list = list
        self.jobs = jobs
    }

    /// - Parameters:
    ///   - clusters: of the last clustered zoom level; sorted.
    ///   - points: of the next zoom level; sorted.
    mutating func run(clusters: MarkerSections, points: MarkerSections) {
        let listed = listedClusters(clusters)
        let parts = listed.indices.split(every: LeafCheck.clustersPerPart)
        let checks = SharedWork(jobs: jobs).map(parts) { [tileset] part in
            var pages = PageCheck(tileset: tileset)
            for cluster in listed[part] {
                pages.run(
                    id: cluster.id, pointCount: cluster.pointCount, box: cluster.boundingBox, cluster.entries)
            }
            return (points: pages.points, log: pages.log)
        }
        var found = ZoomMarkers(zoom: points.zoom)
        for check in checks {
            found.append(check.points)
            log.append(check.log)
        }
        found.sort()
        checkPoints(found, areAmong: points)
    }

    /// The clusters with pages, by id; reports any others in the list.
    private mutating func listedClusters(_ clusters: MarkerSections) -> [ListedCluster] {
        var listed: [ListedCluster] = []
        for (key, markers) in zip(clusters.keys, clusters.markers) {
            for (index, record) in markers.records.enumerated() where !record.isPoint {
                let pointCount = markers.pointCount(index)
                guard options.leafPageCount(ofPoints: pointCount) != nil else { continue }
                listed.append(
                    ListedCluster(
                        id: Int(truncatingIfNeeded: record.identity ^ key.idMask), pointCount: pointCount,
                        boundingBox: markers.boundingBox(index), entries: []))
            }
        }
        listed.sort { $0.id < $1.id }
        var next = 0
        listed = listed.map { cluster in
            while next < list.entries.count, list.entries[next].address.clusterID < cluster.id { reportExtra(&next) }
            let start = next
            while next < list.entries.count, list.entries[next].address.clusterID == cluster.id { next += 1 }
            return ListedCluster(
                id: cluster.id, pointCount: cluster.pointCount, boundingBox: cluster.boundingBox,
                entries: list.entries[start..<next])
        }
        while next < list.entries.count { reportExtra(&next) }
        return listed
    }

    private mutating func reportExtra(_ index: inout Int) {
        let page = list.entries[index].address
        log.add(
            .damagedTileList, in: LeafList.fileName, "has a page of \(page.clusterID), which is no cluster with pages")
        index += 1
    }

    /// - Parameter found: sorted.
    private mutating func checkPoints(_ found: ZoomMarkers, areAmong points: MarkerSections) {
        var all = ZoomMarkers(zoom: points.zoom)
        for (key, markers) in zip(points.keys, points.markers) where !key.isUnclustered { all.append(markers) }
        all.sort()
        var next = 0
        for record in found.records {
            while next < all.records.count,
                ZoomMarkers.isBefore(all.records[next], record)
            {
                next += 1
            }
            guard next < all.records.count, all.records[next].code == record.code,
                all.records[next].pointOrder == record.pointOrder
            else {
                let page = list.entries[Int(record.file)].address
                log.add(
                    .wrongContent, in: tileset.storage.relativePath(of: page),
                    "\(found.description(of: record)) is no point of zoom \(points.zoom), or on another page too")
                continue
            }
            next += 1
        }
    }
}
