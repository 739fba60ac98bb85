import PyramidTiles

/// Reads the points of one list.
struct PointSearch {
    let matcher: FacetMatcher
    /// Whether all points are known.
    private(set) var isExact = true
    private let reading: RemoteTiles.FileReading
    /// The files read so far. If the host has no such file, it is here without records.
    private var files: [FileAddress: FilteredFile] = [:]

    /// The most files that are read for a list.
    private static let fileLimit = 64
    /// The most tiles that are looked up for a zoom.
    private static let tileLimit = 4096

    init(_ reading: RemoteTiles.FileReading, _ matcher: FacetMatcher) {
        (self.reading, self.matcher) = (reading, matcher)
    }

    private var tileJSON: TileJSON { reading.description.tileJSON }
    private var filesLeft: Int { PointSearch.fileLimit - files.count }

    // MARK: Points in a box

    /// The points in a box, matching or not, and the number of matching ones that the markers in it show.
    ///
    /// Zoom by zoom, reads the files around the clusters that may have points in the box. A point that stands alone does
    /// so at all higher zooms.
    mutating func points(in box: BoundingBox) async throws -> (points: [Feature], count: Int) {
        let (lastZoom, bounds) = (tileJSON.maxzoom, tileJSON.boundingBox ?? .world)
        var (points, open, count): ([Feature], [Marker], Int) = ([], [], 0)
        var (zoom, hidesNothing) = (tileJSON.minzoom - 1, false)
        repeat {
            let isFirst = zoom < tileJSON.minzoom
            let step = step(after: zoom, near: box.middle) { [self, zoom, open] next in
                if isFirst { return box.intersections(with: bounds).map { $0.grown(byUnits: reach(next)) } }
                let areas = open.map { area(of: $0, zoom) }
                return next < lastZoom ? areas : areas.flatMap { $0.intersections(with: box) }
            }
            if !step.isWhole { isExact = false }
            if step.files.isEmpty, !step.isWhole { break }
            zoom = step.zoom
            try await read(step.files)
            // Places in vector tiles are rounded, so all their points are read again.
            let isOpen = precision(zoom) > 0 && zoom < lastZoom
            points.removeAll { step.isWhole && precision(zoom) > 0 || isShown($0, in: step.files, zoom) }
            open = []
            if isFirst, zoom == lastZoom { hidesNothing = true }
            for (record, marker) in shown(in: step.files, zoom) {
                if case .cluster = record.marker { hidesNothing = true }
                let area = area(of: record.marker, zoom)
                guard let marker, !area.intersections(with: box).isEmpty else { continue }
                if isFirst, box.contains(record.marker.coordinate) { count += marker.count }
                if case .point(let point) = record.marker {
                    points.append(point)
                    // Its place may be on the other side of the border.
                    if !isOpen, !box.contains(area) { isExact = false }
                }
                if isOpen || record.marker.pointCount > 1 { open.append(record.marker) }
            }
        } while zoom < lastZoom && !open.isEmpty
        if zoom == lastZoom { points += try await self.points(of: open) }
        if isExact, !hidesNothing { isExact = try await hasAllPoints() }
        return (points.filter { box.contains($0.coordinate) }, count)
    }

    /// The highest zoom at which the files around areas can be read; if there is none, the nearest files of the next.
    private func step(
        after zoom: Int, near middle: WorldPoint, _ areas: (_ zoom: Int) -> [BoundingBox]
    ) -> (zoom: Int, files: Set<FileAddress>, isWhole: Bool) {
        var found: Set<FileAddress>?
        for next in stride(from: tileJSON.maxzoom, to: zoom, by: -1) {
            found = files(covering: areas(next), next)
            // Half of the files are for the zooms after this one.
            let limit = next < tileJSON.maxzoom ? filesLeft / 2 : filesLeft
            if let found, newFiles(found).count <= limit { return (next, found, true) }
        }
        let new = newFiles(found ?? []).map { (file: $0, distance: $0.tile.middle.squaredDistance(to: middle)) }
        let nearest = new.sorted { ($0.distance, $0.file) < ($1.distance, $1.file) }.prefix((filesLeft + 1) / 2)
        return (zoom + 1, (found ?? []).subtracting(new.map(\.file)).union(nearest.map(\.file)), false)
    }

    /// Whether the first zoom has all points, in clusters. In the mode `filter`, it hides some.
    private mutating func hasAllPoints() async throws -> Bool {
        guard let all = files(covering: [.world], tileJSON.minzoom), newFiles(all).count <= filesLeft else {
            return false
        }
        try await read(all)
        return PointSearch.count(shown(in: all, tileJSON.minzoom).map(\.record)) == tileJSON.pointCount
    }

    /// How far a cluster may be from its points, in world units. A point joins a cluster by steps, one at each zoom at
    /// most; the first and the last are there twice, because a cluster may be beside its anchor, and a point beside the
    /// middle of its cell.
    private func reach(_ zoom: Int) -> Double {
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
    private func files(covering areas: [BoundingBox], _ zoom: Int) -> Set<FileAddress>? {
        guard zoom <= tileJSON.maxzoom,
            areas.reduce(0, { $0 + $1.tileLimit(atZoom: zoom) }) <= Double(PointSearch.tileLimit)
        else { return nil }
        let tiles = areas.flatMap { TileCoordinate.covering($0, atZoom: zoom) }
        return Set(tiles.compactMap { reading.description.file(holding: $0) })
    }

    private func isShown(_ point: Feature, in addresses: Set<FileAddress>, _ zoom: Int) -> Bool {
        let tile = TileCoordinate(containing: WebMercator.project(point.coordinate), atZoom: zoom)
        return reading.description.file(holding: tile).map(addresses.contains) ?? false
    }

    private func newFiles(_ addresses: Set<FileAddress>) -> [FileAddress] { addresses.filter { files[$0] == nil } }

    private mutating func read(_ addresses: Set<FileAddress>) async throws {
        let (new, matcher, filteredFiles) = (newFiles(addresses), matcher, reading.tiles.filteredFiles)
        let found = try await reading.contents(of: new) { try filteredFiles.filtered($0, matcher) }
        for address in new { files[address] = found[address] ?? FilteredFile([], matcher) }
    }

    /// The markers of files, also outside the areas for which these were read, with what the filter leaves of them.
    private func shown(
        in addresses: Set<FileAddress>, _ zoom: Int
    ) -> [(record: BundleRecord, marker: FilteredMarker?)] {
        addresses.flatMap { address in
            files[address].map { zip($0.records, $0.markers).filter { $0.0.zooms.contains(zoom) } } ?? []
        }
    }

    /// Where the points of a marker of a zoom are. Clusters in vector tiles have no boxes.
    private func area(of marker: Marker, _ zoom: Int) -> BoundingBox {
        guard tileJSON.codec == .mvt else { return marker.boundingBox }
        let distance = marker.pointCount > 1 ? reach(zoom) : 0
        return BoundingBox(marker.coordinate).grown(byUnits: distance + precision(zoom))
    }

    /// How far a vector tile moves places at most, in world units.
    private func precision(_ zoom: Int) -> Double {
        tileJSON.codec == .mvt ? 0x1p32 / Double(Int(MVT.extent) << zoom) : 0
    }

    private static func count(_ records: [BundleRecord]) -> Int { records.reduce(0) { $0 + $1.marker.pointCount } }
}
