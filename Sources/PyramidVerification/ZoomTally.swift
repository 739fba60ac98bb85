import PyramidStore
import PyramidTiles

/// What the files and the markers of a zoom add up to, to compare it with the metadata.
struct ZoomTally: Sendable {
    let zoom: Int
    private(set) var tiles = 0
    private var bodyBytes = 0
    private var storedBytes = 0
    private(set) var markers = 0
    private(set) var clusters = 0
    /// The number of points that the markers stand for.
    private(set) var points = 0
    private var unclustered = 0
    /// By combination of facets; then those that TileJSON doesn't list.
    private var facetCounts: [Int]
    private var content: ContentTally
    private var bounds: BoundsTally?
    /// Whether some file with markers of the zoom couldn't be read. Then every sum is wrong, and the finding about the file
    /// is enough.
    var isIncomplete = false

    /// - Parameters:
    ///   - content: without markers.
    ///   - bounds: to be compared with the places of the markers.
    init(zoom: Int, _ content: ContentTally, facets: FacetNumbers?, bounds: BoundsTally?) {
        (self.zoom, self.content, self.bounds) = (zoom, content, bounds)
        facetCounts = facets.map { [Int](repeating: 0, count: $0.counts.count + 1) } ?? []
    }

    /// Adds a file of the zoom.
    /// - Parameter isTile: `false` for a bundle.
    mutating func add(_ file: StoredFile, isTile: Bool) {
        bodyBytes = bodyBytes.saturatingAdd(file.bodyByteCount)
        storedBytes = storedBytes.saturatingAdd(file.byteCount)
        if isTile { tiles += 1 }
    }

    /// Adds a tile that a bundle shows.
    mutating func addTile() { tiles += 1 }

    /// Adds a marker.
    /// - Returns: what is wrong with a value; `nil` if nothing is.
    mutating func add(_ feature: DecodedFeature, _ group: MarkerGroup, _ json: JSONReader) -> String? {
        markers += 1
        if let cluster = feature.cluster {
            clusters += 1
            points = points.saturatingAdd(cluster.pointCount)
            bounds?.add(cluster.boundingBox)
        } else {
            points = points.saturatingAdd(1)
            if group.isUnclustered { unclustered += 1 }
            bounds?.add(BoundingBox(feature.coordinate))
        }
        return content.add(feature, json, atZoom: zoom)
    }

    /// Adds points with a combination of values.
    mutating func add(_ count: Int, ofFacet number: UInt32) { facetCounts[Int(number)] += count }

    mutating func add(_ other: ZoomTally) {
        tiles += other.tiles
        bodyBytes = bodyBytes.saturatingAdd(other.bodyBytes)
        storedBytes = storedBytes.saturatingAdd(other.storedBytes)
        markers += other.markers
        clusters += other.clusters
        points = points.saturatingAdd(other.points)
        unclustered += other.unclustered
        for index in facetCounts.indices { facetCounts[index] += other.facetCounts[index] }
        content.add(other.content)
        if let tally = other.bounds { bounds?.add(tally) }
        isIncomplete = isIncomplete || other.isIncomplete
    }
}

extension ZoomTally {
    /// Compares the sums with the metadata.
    func check(_ manifest: Manifest, _ facets: FacetNumbers?) -> FindingLog {
        var log = FindingLog()
        guard !isIncomplete else { return log }
        let directory = "\(FileAddress.Kind.tile.folder)/\(zoom)"
        let accepted = manifest.input.rowsAccepted
        let found = manifest.options.mode == .filter ? content.keptCount : points
        if found != accepted {
            log.add(
                .wrongSum, in: directory, "markers stand for \(found) points, expected the \(accepted) accepted rows")
        }
        if unclustered != manifest.totals.unclusteredPoints {
            log.add(
                .wrongSum, in: directory,
                "has \(unclustered) points that never merge, expected \(manifest.totals.unclusteredPoints)")
        }
        if let summary = manifest.zooms.first(where: { $0.zoom == zoom }) {
            let figures = [
                ("tiles", tiles, summary.tiles), ("markers", markers, summary.markers),
                ("clusters", clusters, summary.clusters), ("uncompressed bytes", bodyBytes, summary.bodyBytes),
                ("stored bytes", storedBytes, summary.storedBytes),
            ]
            for (name, found, expected) in figures where found != expected {
                log.add(.wrongFigures, in: directory, "has \(found) \(name), expected \(expected) (manifest)")
            }
        }
        // In filter mode, the points that aren't shown lack from the sums of clustered zooms.
        if manifest.options.mode == .markers || zoom > manifest.options.clusterMaxZoom {
            let shown = Set(manifest.content.properties)
            for problem in content.problems(manifest.totals, shownColumns: shown) {
                log.add(.wrongContent, in: directory, problem)
            }
        }
        if let problem = facets.flatMap(facetProblem) { log.add(.wrongContent, in: directory, problem) }
        if let problem = bounds?.problem {
            log.add(.wrongTileJSON, in: TileJSON.fileName, "has bounds \(problem)")
        }
        return log
    }

    /// Where not as many points have a combination of values as TileJSON states.
    private func facetProblem(_ facets: FacetNumbers) -> String? {
        let expected = facets.counts + [0]
        guard let number = facetCounts.indices.first(where: { facetCounts[$0] != expected[$0] }) else { return nil }
        return "counts \(facetCounts[number]) points with \(facets.name(of: UInt32(number))), expected "
            + "\(expected[number]) as \(TileJSON.fileName) says"
    }
}

extension Int {
    /// The sum, or the nearest integer if it overflows, as counts in tiles can be anything.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
