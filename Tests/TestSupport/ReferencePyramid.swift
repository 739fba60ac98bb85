import PyramidTiles

/// The markers of a pyramid by the plainest code, for the verifier to agree with. A pyramid has more than one right
/// choice of anchors: here the highest candidate is kept first, one after the other.
package struct ReferencePyramid {
    package let options: ClusteringOptions
    package let points: [Feature]

    package init(options: ClusteringOptions, points: [Feature]) {
        self.options = options
        self.points = points
    }

    private struct Node {
        var anchor: Int
        var members: [Int]
    }

    /// The markers of each zoom level, in any order.
    package func zooms() -> [Int: [Marker]] {
        var zooms: [Int: [Marker]] = [:]
        var nodes = firstNodes()
        var lastNodes: [Node] = []
        var expansionZooms: [Int: (count: Int, zoom: Int)] = [:]
        for zoom in options.clusteredZooms {
            defer {
                if zoom == options.clusterMaxZoom { lastNodes = nodes }
            }
            nodes = nearest(of: nodes, zoom)
            for node in nodes where expansionZooms[node.anchor]?.count != node.members.count {
                expansionZooms[node.anchor] = (node.members.count, zoom + 1)
            }
            zooms[zoom] = nodes.flatMap { node in
                node.members.count < options.minPoints
                    ? node.members.map { .point(points[$0]) }
                    : [.cluster(cluster(node, among: nodes, zoom, expansionZooms[node.anchor]?.zoom ?? 0))]
            }
        }
        let apart = pointsAndPlaces(beyond: lastNodes)
        for zoom in options.minZoom...options.maxZoom where zoom > options.clusterMaxZoom { zooms[zoom] = apart }
        return zooms
    }

    /// The markers beyond the clustered zooms.
    private func pointsAndPlaces(beyond lastNodes: [Node]) -> [Marker] {
        guard let limit = options.coincidentLimit else { return points.map { .point($0) } }
        let whole = Set(lastNodes.map { Set($0.members) })
        return Dictionary(grouping: points.indices, by: code).flatMap { code, members in
            guard members.count > limit else { return members.map { Marker.point(points[$0]) } }
            let id = whole.contains(Set(members)) ? code.clusterID : code.placeID
            return [
                .cluster(
                    Cluster(
                        id: id, coordinate: points[members[0]].coordinate,
                        boundingBox: box(around: Node(anchor: members[0], members: members)), pointCount: members.count,
                        expansionZoom: nil))
            ]
        }
    }

    private func staysTogether(_ node: Node) -> Bool {
        guard let limit = options.coincidentLimit else { return false }
        return node.members.count > limit && Set(node.members.map(code)).count == 1
    }

    package func code(_ point: Int) -> MortonCode { MortonCode(WebMercator.project(points[point].coordinate)) }

    /// One node for each micro-cell.
    private func firstNodes() -> [Node] {
        let depth = min(32, options.candidateDepth)
        return Dictionary(grouping: points.indices) { code($0).node(atDepth: depth) }.values.map { members in
            let places = Dictionary(grouping: members, by: code)
            let best = places.max { ($0.value.count, $0.key.mixed) < ($1.value.count, $1.key.mixed) }
            return Node(anchor: best?.value.first ?? members[0], members: members)
        }
    }

    private func isHigher(_ left: Node, _ right: Node) -> Bool {
        (left.members.count, code(left.anchor).mixed) > (right.members.count, code(right.anchor).mixed)
    }

    private func nearest(of nodes: [Node], _ zoom: Int) -> [Node] {
        let distance = Double(options.distanceUnits(atZoom: zoom))
        var kept: [Node] = []
        var others: [Node] = []
        for node in nodes.sorted(by: isHigher) {
            let isNear = kept.contains { self.distance($0.anchor, node.anchor) < distance }
            if isNear { others.append(node) } else { kept.append(node) }
        }
        var result = kept
        for node in others {
            // One of them is near. The first of the nearest is the highest, because `kept` is in that order.
            let asHeavy = kept.indices.filter { kept[$0].members.count >= node.members.count }
            let parent = asHeavy.min {
                self.distance(kept[$0].anchor, node.anchor) < self.distance(kept[$1].anchor, node.anchor)
            }
            if let parent { result[parent].members += node.members }
        }
        return result
    }

    private func distance(_ left: Int, _ right: Int) -> Double {
        let (left, right) = (code(left).point, code(right).point)
        let (east, south) = (Double(left.eastward(from: right)), Double(left.southward(from: right)))
        return (east * east + south * south).squareRoot()
    }

    private func cluster(_ node: Node, among nodes: [Node], _ zoom: Int, _ expansionZoom: Int) -> Cluster {
        Cluster(
            id: code(node.anchor).clusterID, coordinate: place(of: node, among: nodes, zoom),
            boundingBox: box(around: node), pointCount: node.members.count,
            expansionZoom: staysTogether(node) ? nil : expansionZoom)
    }

    private func place(of node: Node, among nodes: [Node], _ zoom: Int) -> Coordinate {
        let anchor = code(node.anchor).point
        var east = 0.0
        var south = 0.0
        for member in node.members {
            east += Double(code(member).point.eastward(from: anchor)) / Double(node.members.count)
            south += Double(code(member).point.southward(from: anchor)) / Double(node.members.count)
        }
        guard options.position == .centroid else { return points[node.anchor].coordinate }
        let others = nodes.filter { $0.anchor != node.anchor }.map { distance($0.anchor, node.anchor) }
        let slack = ((others.min() ?? 1e10) - Double(options.distanceUnits(atZoom: zoom))) / 2 - 1000
        let share = min(1, max(0, slack) / max(1, (east * east + south * south).squareRoot()))
        if share == 0 { return points[node.anchor].coordinate }
        return moved(anchor, Int64(east * share), Int64(south * share))
    }

    private func moved(_ point: WorldPoint, _ east: Int64, _ south: Int64) -> Coordinate {
        WebMercator.unproject(
            WorldPoint(
                x: UInt32(truncatingIfNeeded: Int64(point.x) + east),
                y: UInt32(truncatingIfNeeded: Int64(point.y) + south)))
    }

    private func box(around node: Node) -> BoundingBox {
        let start = points[node.anchor].coordinate.longitudeMicrodegrees
        func wrapped(_ way: Int) -> Int {
            if way < -180_000_000 { return way + 360_000_000 }
            return way >= 180_000_000 ? way - 360_000_000 : way
        }
        let ways = node.members.map { wrapped(Int(points[$0].coordinate.longitudeMicrodegrees) - Int(start)) }
        let latitudes = node.members.map { points[$0].coordinate.latitudeMicrodegrees }
        return BoundingBox(
            west: Int32(wrapped(Int(start) + (ways.min() ?? 0))), south: latitudes.min() ?? 0,
            east: Int32(wrapped(Int(start) + (ways.max() ?? 0))), north: latitudes.max() ?? 0)
    }
}

extension [Feature] {
    /// Points in clumps on both sides of the antimeridian, in the north east, beyond the map's upper edge, and all over;
    /// a tenth of them coincide with another.
    package static func asymmetric(count: Int, seed: UInt64) -> [Feature] {
        var random = SeededRandom(seed: seed)
        let middles: [(longitude: Double, latitude: Double, degrees: Double)] = [
            (179.9, -16.5, 3), (-179.95, -18.2, 0.2), (24.9, 60.2, 0.01), (11.3, 48.1, 6), (-70.6, -33.4, 40),
            (-30, 85.2, 0.3),
        ]
        var features: [Feature] = []
        for number in 0..<count {
            var coordinate: Coordinate
            if number % 10 == 9, let other = features.randomElement(using: &random) {
                coordinate = other.coordinate
            } else {
                let middle = middles[number % middles.count]
                var longitude = middle.longitude + Double.random(in: -1...1, using: &random) * middle.degrees
                if longitude > 180 { longitude -= 360 }
                if longitude < -180 { longitude += 360 }
                let latitude = middle.latitude + Double.random(in: -1...1, using: &random) * middle.degrees
                coordinate = Coordinate(longitude: longitude, latitude: Swift.min(90, Swift.max(-90, latitude)))
            }
            features.append(
                Feature(
                    id: .string("p\(number)"), coordinate: coordinate,
                    properties: ["name": .string("a \"\(number)\" ü")]))
        }
        return features
    }
}
