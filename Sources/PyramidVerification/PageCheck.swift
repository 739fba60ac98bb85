import PyramidStore
import PyramidTiles

/// Reads and checks the pages of clusters, one by one. Each worker has its own value.
struct PageCheck {
    private let tileset: any TilesetReader
    /// How exactly tiles show the points' places.
    private let precision: PlacePrecision
    /// The lowest unclustered zoom, whose tiles show the points.
    private let zoom: Int
    private(set) var log = FindingLog()
    /// The points of all pages read; their ``ZoomMarkers/Record/file`` is the page's index in the list.
    private(set) var points = ZoomMarkers(zoom: 0)
    /// Whether ``points`` lacks some because the pages of a cluster aren't all readable.
    private(set) var lacksPoints = false
    private var reader: StoredFileReader
    private var body: [UInt8] = []

    init(tileset: any TilesetReader, zoom: Int, _ precision: PlacePrecision) {
        self.tileset = tileset
        self.precision = precision
        self.zoom = zoom
        reader = StoredFileReader(tileset: tileset)
    }

    /// - Parameter entries: the cluster's pages in the list.
    mutating func run(id: Int, pointCount: Int, box: BoundingBox, _ entries: FileList.Entries.SubSequence) {
        if !readAll(id: id, pointCount: pointCount, box: box, entries) { lacksPoints = true }
    }

    /// - Returns: whether all pages are there and can be read.
    private mutating func readAll(
        id: Int, pointCount: Int, box: BoundingBox, _ entries: FileList.Entries.SubSequence
    ) -> Bool {
        let pageCount = PointPage.count(ofPoints: pointCount)
        guard entries.count == pageCount, zip(entries, 0...).allSatisfy({ $0.address.page?.page == $1 }) else {
            log.add(
                .damagedFileList, in: FileList.fileName,
                "lists \(entries.count) pages of cluster \(id), expected pages 0 to \(pageCount - 1) for its "
                    + "\(pointCount) points")
            return false
        }
        var tally = MemberTally(in: box)
        for index in entries.indices {
            let address = entries[index].address
            let path = tileset.storage.relativePath(of: address)
            let before = tally.pointCount
            do throws(StoredFileReader.Problem) {
                try reader.read(address, entries[index].file, &body)
            } catch {
                log.add(error.kind, in: path, error.detail)
                return false
            }
            guard read(path, index: index, &tally) else { return false }
            let expected = min(PointPage.pointLimit, pointCount - address.number(1) * PointPage.pointLimit)
            if tally.pointCount - before != expected {
                log.add(
                    .wrongContent, in: path, "has \(tally.pointCount - before) points, expected \(expected)")
            }
        }
        if precision.hasBoxes, let problem = tally.boxProblem {
            let path = tileset.storage.relativePath(of: .page(PointPage(clusterID: id, page: 0)))
            log.add(
                .wrongContent, in: path,
                "and the cluster's other pages show that its box is \(problem)")
        }
        return true
    }

    private mutating func read(_ path: String, index: Int, _ tally: inout MemberTally) -> Bool {
        let body = self.body
        return body.withUnsafeBytes { bytes in
            do throws(TileDecodingError) {
                var reader = try GeoJSONFeatureReader(bytes, keepsProperties: false)
                while let feature = try reader.next() {
                    guard feature.cluster == nil else {
                        log.add(.wrongContent, in: path, "has a cluster, expected only points")
                        return false
                    }
                    tally.add(BoundingBox(feature.coordinate), pointCount: 1)
                    let place = precision.shown(feature.coordinate, atZoom: zoom)
                    points.append(
                        ZoomMarkers.Record(
                            code: MortonCode(place.point).rawValue,
                            identity: reader.json.hash(of: feature.id), coordinate: place.coordinate,
                            file: UInt32(truncatingIfNeeded: index)))
                }
                return true
            } catch {
                log.add(.notATile, in: path, "\(error)")
                return false
            }
        }
    }
}
