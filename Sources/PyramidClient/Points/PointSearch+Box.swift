import PyramidTiles

extension PointSearch {
    /// The most files that are read at the same time: the nearest ones, and then those around their clusters, so that
    /// each call arrives at points.
    private static let filesAtOnce = 6
    /// The most files in which the next markers of a cluster are read, if a lower zoom isn't enough, and how many tiles
    /// are looked up for each.
    private static let (filesOfCluster, tilesPerFile) = (4, 16)

    /// Reads on in a box, from its middle outwards: the files with its markers at the highest zoom at which these are
    /// few, and those around each cluster of which points may be in the box. A point that stands alone does so at all
    /// higher zooms.
    mutating func read(on search: inout BoxSearch) async throws {
        let lastZoom = tileJSON.maxzoom
        let parts = search.box.intersections(with: tileJSON.boundingBox ?? .world)
        func areas(_ zoom: Int) -> [BoundingBox] { parts.map { $0.grown(byUnits: reach(zoom)) } }
        if search.firstZoom == nil {
            let all = files(covering: areas(lastZoom), lastZoom)
            let isFew = all.map { $0.count <= PointSearch.fileLimit } ?? false
            let first =
                isFew
                ? (zoom: lastZoom, files: all) : step(from: tileJSON.minzoom, limit: PointSearch.fileLimit, areas)
            add(first.files, first.zoom, to: &search)
            (search.firstZoom, search.hidesNothing) = (first.zoom, first.zoom == lastZoom)
        }
        while true {
            if search.nodes.isEmpty, !search.hidesNothing {
                // Without clusters, only the last zoom tells of the points that lower ones hide.
                if try await !hasAllPoints() { add(files(covering: areas(lastZoom), lastZoom), lastZoom, to: &search) }
                search.hidesNothing = true
            }
            search.nodes.sort { ($1.zoom, $0.squaredDistance, $0.file) < ($0.zoom, $1.squaredDistance, $1.file) }
            var new: Set<FileAddress> = []
            let room = min(filesLeft, PointSearch.filesAtOnce)
            let (next, later) = search.nodes.reduce(into: ([BoxSearch.Node](), [BoxSearch.Node]())) { parts, node in
                if isNew(node.file), !new.contains(node.file), new.count == room { return parts.1.append(node) }
                if isNew(node.file) { new.insert(node.file) }
                parts.0.append(node)
            }
            if next.isEmpty { break }
            try await read(new)
            search.nodes = later
            for node in next { expand(node, in: &search) }
        }
        if !search.isOver || search.lacksPoints { isExact = false }
    }

    private func expand(_ node: BoxSearch.Node, in search: inout BoxSearch) {
        let (lastZoom, box, zoom) = (tileJSON.maxzoom, search.box, node.zoom)
        let found = shown(in: [node.file], zoom)
        // A tileset with clusters hides no points.
        if found.contains(where: { $0.record.marker.pointCount > 1 }) { search.hidesNothing = true }
        for (id, marker) in found.compactMap(\.marker).identified() {
            let (whole, area) = (marker.whole, area(of: marker.whole, zoom))
            guard !area.intersections(with: box).isEmpty else { continue }
            if zoom == search.firstZoom, box.contains(whole.coordinate) { search.count += marker.count }
            switch whole {
            case .point(let point) where precision(zoom) == 0 || zoom == lastZoom:
                search.points[id] = point
                // Its place may be on the other side of the border.
                if !box.contains(area), zoom == lastZoom { search.lacksPoints = true }
            case _ where zoom < lastZoom:
                // Its points are as near as at the last zoom before it splits.
                var next = zoom + 1
                if case .cluster(let cluster) = whole { next = min(max(cluster.expansionZoom ?? 0, next), lastZoom) }
                let own = self.area(of: whole, next - 1)
                let step = step(from: next, limit: PointSearch.filesOfCluster) {
                    $0 < lastZoom ? [own] : own.intersections(with: box)
                }
                add(step.files, step.zoom, to: &search)
            default:
                // A cluster that never splits.
                search.lacksPoints = true
            }
        }
    }

    /// The highest zoom, from one on, at which few files hold the markers in areas; its files are `nil` if they are too
    /// many.
    private func step(
        from zoom: Int, limit: Int, _ areas: (_ zoom: Int) -> [BoundingBox]
    ) -> (zoom: Int, files: Set<FileAddress>?) {
        var step = (zoom: zoom, files: files(covering: areas(zoom), zoom))
        while step.files != nil, step.zoom < tileJSON.maxzoom,
            let next = files(
                covering: areas(step.zoom + 1), step.zoom + 1, tileLimit: limit * PointSearch.tilesPerFile),
            next.count <= limit
        { step = (step.zoom + 1, next) }
        return step
    }

    /// Reads the markers of a zoom in files later.
    private func add(_ files: Set<FileAddress>?, _ zoom: Int, to search: inout BoxSearch) {
        guard let files else {
            search.lacksPoints = true
            return
        }
        let middle = search.box.middle
        for file in files where search.known[zoom, default: []].insert(file).inserted {
            let distance = file.tile.middle.squaredDistance(to: middle)
            search.nodes.append(BoxSearch.Node(zoom: zoom, file: file, squaredDistance: distance))
        }
    }
}
