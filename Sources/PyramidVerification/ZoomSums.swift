import PyramidStore
import PyramidTiles

/// What the markers of a zoom add up to, region by region, to compare it with the metadata.
struct ZoomSums: Sendable {
    let zoom: Int
    /// How many tiles have markers.
    private(set) var tiles = 0
    private(set) var markers = 0
    private(set) var clusters = 0
    /// The number of points that the markers stand for.
    private(set) var points = 0
    private(set) var unclustered = 0
    /// By combination of facets; then those that TileJSON doesn't list.
    private var facetCounts: [Int]
    private var bounds: BoundsTally?
    /// The last tile with markers so far: the next region may have a part of it.
    private var lastTile: UInt64?

    /// - Parameter bounds: to be compared with the places of the markers.
    init(zoom: Int, facets: FacetNumbers?, bounds: BoundsTally?) {
        self.zoom = zoom
        self.bounds = bounds
        facetCounts = facets.map { [Int](repeating: 0, count: $0.counts.count + 1) } ?? []
    }

    /// Adds the markers that a region owns. Regions come in order.
    mutating func add(_ groups: MarkerGroups, in region: Region) {
        var nodes: [UInt64] = []
        for (key, group) in zip(groups.keys, groups.markers) {
            for (index, record) in group.records.enumerated() where region.owns(record.code) {
                markers += 1
                if !record.isPoint { clusters += 1 }
                if key.isUnclustered { unclustered += 1 }
                points = points.saturatingAdd(group.pointCount(index))
                let node = MortonCode(rawValue: record.code).node(atDepth: zoom)
                if nodes.last != node { nodes.append(node) }
                if !facetCounts.isEmpty {
                    group.details.forEachFacet(record.details) { facetCounts[Int($0.combination)] += Int($0.count) }
                }
                bounds?.add(group.boundingBox(index))
            }
        }
        // One group's nodes ascend, so they are distinct already. Groups can share tiles.
        if groups.keys.count > 1 { nodes = Set(nodes).sorted() }
        tiles += nodes.count - (nodes.first.map { $0 == lastTile } ?? false ? 1 : 0)
        lastTile = nodes.last ?? lastTile
    }
}

extension ZoomSums {
    /// Compares the sums with the metadata. Call this only if every file was read.
    func check(_ totals: TileCheck.Totals, _ manifest: Manifest, _ facets: FacetNumbers?) -> FindingLog {
        let directory = "\(FileAddress.Kind.tile.folder)/\(zoom)"
        var log = FindingLog()
        // Some points may stand for others that aren't shown.
        let hidesPoints = manifest.options.mode == .filter && zoom <= manifest.options.clusterMaxZoom
        let accepted = manifest.input.rowsAccepted
        let found = manifest.options.keepsCount ? totals.content.keptCount : points
        // If points are hidden and no counts are kept, nothing states how many there are.
        if found != accepted, !hidesPoints || manifest.options.keepsCount {
            log.add(
                .wrongSum, in: directory, "markers stand for \(found) points, expected the \(accepted) accepted rows")
        }
        if unclustered != manifest.totals.unclusteredPoints {
            log.add(
                .wrongSum, in: directory,
                "has \(unclustered) points that never merge, expected \(manifest.totals.unclusteredPoints)")
        }
        let isBundled = manifest.content.storage.layout.bundleLimit != nil
        if let summary = manifest.zooms.first(where: { $0.zoom == zoom }) {
            let figures = [
                ("tiles", isBundled ? tiles : totals.tiles, summary.tiles),
                ("markers", markers, summary.markers),
                ("clusters", clusters, summary.clusters),
                ("uncompressed bytes", totals.bodyBytes, summary.bodyBytes),
                ("stored bytes", totals.storedBytes, summary.storedBytes),
            ]
            for (name, found, expected) in figures where found != expected {
                log.add(.wrongFigures, in: directory, "has \(found) \(name), expected \(expected) (manifest)")
            }
        }
        if !hidesPoints {
            let shown = Set(manifest.content.properties)
            for problem in totals.content.problems(manifest.totals, shownColumns: shown) {
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
