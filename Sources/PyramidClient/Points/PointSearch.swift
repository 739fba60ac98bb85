import PyramidTiles

/// Reads the points of one list.
struct PointSearch {
    let matcher: FacetMatcher
    /// Whether all points are known.
    var isExact = true
    private let reading: RemoteTiles.FileReading
    /// The files read so far. If the host has no such file, it is here without records.
    private var files: [FileAddress: FilteredFile] = [:]

    /// The most files that are read for a list.
    static let fileLimit = 64
    /// The most tiles that are looked up for a zoom.
    private static let tileLimit = 4096

    init(_ reading: RemoteTiles.FileReading, _ matcher: FacetMatcher) {
        (self.reading, self.matcher) = (reading, matcher)
    }

    var tileJSON: TileJSON { reading.description.tileJSON }
    var filesLeft: Int { PointSearch.fileLimit - files.count }

    /// Whether the first zoom has all points, in clusters. In the mode `filter`, it hides some.
    mutating func hasAllPoints() async throws -> Bool {
        guard let all = files(covering: [.world], tileJSON.minzoom), newFiles(all).count <= filesLeft else {
            return false
        }
        try await read(all)
        return PointSearch.count(shown(in: all, tileJSON.minzoom).map(\.record)) == tileJSON.pointCount
    }

    /// How far a cluster may be from its points, in world units. A point joins a cluster by steps, one at each zoom at
    /// most; the first and the last are there twice, because a cluster may be beside its anchor, and a point beside the
    /// middle of its cell.
    func reach(_ zoom: Int) -> Double {
        guard zoom < tileJSON.maxzoom else { return 0 }
        guard let distances = tileJSON.clusterDistances?.dropFirst(zoom - tileJSON.minzoom) else { return 0x1p32 }
        let steps = distances.enumerated().map { index, pixels in
            pixels / Double((tileJSON.tileSize ?? 256) << (zoom + index)) * 0x1p32
        }
        return (steps.prefix(1) + steps + steps.suffix(1)).reduce(0, +)
    }

    // MARK: Points of clusters

    /// The points of markers, matching or not, as far as they can be known.
    ///
    /// Level by level, reads the markers of which clusters consist: at the zooms at which they split, else at the last
    /// zoom. The points of a cluster that never splits are in no file.
    mutating func points(of markers: [Marker]) async throws -> [Feature] {
        let lastZoom = tileJSON.maxzoom
        var points: [Feature] = []
        var open: [(cluster: Cluster, zoom: Int)] = []
        func add(_ markers: [Marker], after zoom: Int) {
            for marker in markers {
                switch marker {
                case .point(let point): points.append(point)
                case .cluster(let cluster):
                    if let splits = cluster.expansionZoom, zoom < lastZoom {
                        open.append((cluster, max(splits, zoom + 1)))
                    } else {
                        isExact = false
                    }
                }
            }
        }
        add(markers, after: -1)
        while !open.isEmpty {
            var wanted: Set<FileAddress> = []
            var byZoom: [Int: [(cluster: Cluster, files: Set<FileAddress>)]] = [:]
            for (cluster, zoom) in open {
                let left = filesLeft - newFiles(wanted).count
                let tiles = files(covering: [area(of: .cluster(cluster), zoom - 1)], zoom)
                if let tiles, newFiles(tiles.subtracting(wanted)).count <= left {
                    wanted.formUnion(tiles)
                    byZoom[zoom, default: []].append((cluster, tiles))
                } else {
                    isExact = false
                }
            }
            try await read(wanted)
            open = []
            for (zoom, clusters) in byZoom {
                let near = shown(in: clusters.reduce(into: []) { $0.formUnion($1.files) }, zoom).map(\.record)
                // A part of the cluster states it, or is what is left of it and has its id.
                let children = Dictionary(grouping: near.filter { $0.zooms.lowerBound == zoom }) { record -> UInt64? in
                    if let parent = record.marker.parentID { return parent }
                    if case .cluster(let cluster) = record.marker { return cluster.id }
                    return nil
                }
                for (cluster, _) in clusters {
                    if let parts = parts(of: cluster, children[cluster.id] ?? [], near, zoom) {
                        add(parts.map(\.marker), after: zoom)
                    } else if zoom < lastZoom {
                        open.append((cluster, lastZoom))
                    } else {
                        isExact = false
                    }
                }
            }
        }
        return points
    }

    /// The markers that together have the points of a cluster; `nil` if they are unknown.
    private func parts(
        of cluster: Cluster, _ children: [BundleRecord], _ near: [BundleRecord], _ zoom: Int
    ) -> [BundleRecord]? {
        if PointSearch.count(children) == cluster.pointCount { return children }
        // If the box around a cluster has no more points than the cluster, they are its own.
        let (area, group) = (area(of: .cluster(cluster), zoom), tileJSON.groupBy)
        let inside = near.filter { record in
            area.contains(record.marker.boundingBox)
                && group.map { record.marker.properties[$0] ?? "" == cluster.properties[$0] ?? "" } ?? true
        }
        return PointSearch.count(inside) == cluster.pointCount ? inside : nil
    }

    // MARK: Files

    /// The files that hold the markers in areas; `nil` if there are too many tiles.
    func files(
        covering areas: [BoundingBox], _ zoom: Int, tileLimit: Int = PointSearch.tileLimit
    ) -> Set<FileAddress>? {
        guard zoom <= tileJSON.maxzoom,
            areas.reduce(0, { $0 + $1.tileLimit(atZoom: zoom) }) <= Double(tileLimit)
        else { return nil }
        let tiles = areas.flatMap { TileCoordinate.covering($0, atZoom: zoom) }
        return Set(tiles.compactMap { reading.description.file(holding: $0) })
    }

    func isNew(_ file: FileAddress) -> Bool { files[file] == nil }
    private func newFiles(_ addresses: Set<FileAddress>) -> [FileAddress] { addresses.filter(isNew) }

    mutating func read(_ addresses: Set<FileAddress>) async throws {
        let (new, matcher, filteredFiles) = (newFiles(addresses), matcher, reading.tiles.filteredFiles)
        let found = try await reading.contents(of: new) { try filteredFiles.filtered($0, matcher) }
        for address in new { files[address] = found[address] ?? FilteredFile([], matcher) }
    }

    /// The markers of files, also outside the areas for which these were read, with what the filter leaves of them.
    func shown(
        in addresses: Set<FileAddress>, _ zoom: Int
    ) -> [(record: BundleRecord, marker: FilteredMarker?)] {
        addresses.flatMap { address in
            files[address].map { zip($0.records, $0.markers).filter { $0.0.zooms.contains(zoom) } } ?? []
        }
    }

    /// Where the points of a marker of a zoom are. Clusters in vector tiles have no boxes.
    func area(of marker: Marker, _ zoom: Int) -> BoundingBox {
        guard tileJSON.codec == .mvt else { return marker.boundingBox }
        let distance = marker.pointCount > 1 ? reach(zoom) : 0
        return BoundingBox(marker.coordinate).grown(byUnits: distance + precision(zoom))
    }

    /// How far a vector tile moves places at most, in world units.
    func precision(_ zoom: Int) -> Double {
        tileJSON.codec == .mvt ? 0x1p32 / Double(Int(MVT.extent) << zoom) : 0
    }

    private static func count(_ records: [BundleRecord]) -> Int { records.reduce(0) { $0 + $1.marker.pointCount } }
}
