import PyramidStore
import PyramidTiles

/// Computes where the clusters of one zoom are shown. Clustering doesn't depend on it.
package struct ClusterPlacement {
    package let rules: ClusteringRules
    package let zoom: Int
    package let quadtree: LinearQuadtree
    package let clusters: ClusterPyramid
    package let hierarchy: ClusterHierarchy

    package init(
        rules: ClusteringRules, zoom: Int, quadtree: LinearQuadtree, clusters: ClusterPyramid,
        hierarchy: ClusterHierarchy
    ) {
        self.rules = rules
        self.zoom = zoom
        self.quadtree = quadtree
        self.clusters = clusters
        self.hierarchy = hierarchy
    }

    /// The shown positions of one group's clusters.
    /// - Parameters:
    ///   - entries: the clusters, in the order of their candidates.
    ///   - anchors: all the group's candidates that are anchors at this zoom, ascending.
    package func coordinates(of entries: [Int], among anchors: ArraySlice<UInt32>) -> [Coordinate] {
        switch rules.position {
        case .anchor: entries.map { clusters.table.coordinates[anchorPoint(of: $0)] }
        case .centroid: pulledMeans(of: entries, among: anchors)
        }
    }

    private func anchorPoint(of entry: Int) -> Int { Int(clusters.table.entries[entry].anchorPoint) }
    private func anchorPlace(of entry: Int) -> WorldPoint { quadtree.point(at: anchorPoint(of: entry)) }

    /// The means of the members, pulled back towards their anchors. A marker's slack is half of (the distance from its
    /// anchor to the nearest other one, minus the cluster distance), so any two markers keep the cluster distance.
    private func pulledMeans(of entries: [Int], among anchors: ArraySlice<UInt32>) -> [Coordinate] {
        var index = anchors.startIndex
        let ofEntries = entries.map { entry in
            while anchors[index] < clusters.table.entries[entry].candidate { index += 1 }
            return index - anchors.startIndex
        }
        let places = anchors.map { quadtree.point(at: Int(hierarchy.anchorPoint[Int($0)])) }
        let distance = Double(rules[zoom].distanceUnits)
        return zip(entries, distancesToNearest(of: ofEntries, among: places)).map { entry, nearest in
            pulledMean(of: entry, slack: (nearest - distance) / 2)
        }
    }

    /// By entry of `anchors`: world units to the nearest other place, at most three times the cluster distance.
    private func distancesToNearest(of anchors: [Int], among places: [WorldPoint]) -> [Double] {
        let limit = 3 * rules[zoom].distanceUnits
        // Few anchors that far apart fit into the world, so all pairs are compared.
        guard limit < 1 << 32 else {
            return anchors.map { anchor in
                places.indices.reduce(Double(limit)) {
                    $1 == anchor ? $0 : min($0, places[anchor].distance(to: places[$1]))
                }
            }
        }
        // A row as high as four cells is higher than the limit.
        let order = RowOrder(depth: max(rules[zoom].cellDepth - 2, 0))
        var keys = places.map { order.key($0) }
        var numbers = Array(0..<UInt32(places.count))
        MortonRadixSort.sort(keys: &keys, indices: &numbers)
        var distances = [Double?](repeating: nil, count: places.count)
        for anchor in anchors { distances[anchor] = Double(limit) }
        let sorted = keys.span
        guard sorted.count > 0 else { return [] }
        var sweep = NearSweep(from: sorted[0], in: sorted, order: order, near: NearTest(distanceUnits: limit))
        for index in 0..<sorted.count {
            let anchor = Int(numbers[index])
            guard var nearest = distances[anchor] else { continue }
            sweep.forEachNear(sorted[index], in: sorted) { other, _ in
                if other != index { nearest = min(nearest, places[anchor].distance(to: places[Int(numbers[other])])) }
                return true
            }
            distances[anchor] = nearest
        }
        return anchors.map { distances[$0] ?? Double(limit) }
    }

    /// - Parameter slack: how far the marker may be from its anchor, in world units.
    private func pulledMean(of entry: Int, slack: Double) -> Coordinate {
        let anchor = clusters.table.coordinates[anchorPoint(of: entry)]
        let place = anchorPlace(of: entry)
        let offset = clusters.table.meanOffset(of: entry)
        let (east, south) = (Double(offset.east), Double(offset.south))
        let length = (east * east + south * south).squareRoot()
        let reach = slack - WebMercator.roundingUnits(atLatitude: anchor.latitude) - 1
        guard length > 0, reach > 0 else { return anchor }
        let scale = min(1, reach / length)
        let pulled = place.moved(east: Int64(east * scale), south: Int64(south * scale))
        let shown = WebMercator.unproject(pulled)
        // Clients compute the place from rounded degrees, so that place is checked.
        return WebMercator.project(shown).distance(to: place) < slack ? shown : anchor
    }
}

extension WorldPoint {
    /// The straight distance in world units, the short way round the world.
    fileprivate func distance(to other: WorldPoint) -> Double {
        let (dx, dy) = (Double(eastward(from: other)), Double(southward(from: other)))
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Wraps around the world to the east and west, and stops at the map's top and bottom edges.
    fileprivate func moved(east: Int64, south: Int64) -> WorldPoint {
        WorldPoint(
            x: UInt32(truncatingIfNeeded: Int64(x) + east),
            y: UInt32(min(max(Int64(y) + south, 0), Int64(UInt32.max))))
    }
}
