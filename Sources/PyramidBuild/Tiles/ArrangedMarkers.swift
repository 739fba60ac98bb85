import PyramidClusters
import PyramidStore
import PyramidTiles

/// The markers of one zoom, sorted by the Morton codes of their places, so that each tile is a contiguous range.
package struct ArrangedMarkers: Sendable {
    /// The memory per marker if clusters are shown at their anchors, and if they are shown elsewhere.
    package static let (bytes, displacedBytes) = (4, 20)

    /// Where a marker is shown.
    private struct Place {
        var code: UInt64
        var coordinate: Coordinate
    }

    package let zoom: Int
    package private(set) var numbers: [MarkerNumber]
    private(set) var clusterCount = 0
    /// By marker; empty if clusters are shown at their anchors.
    private var places: [Place] = []
    private let quadtree: LinearQuadtree
    /// `nil` if nothing is clustered.
    private let clusters: ClusterPyramid?

    package var count: Int { numbers.count }

    /// The markers of an unclustered zoom: single points, and clusters of points that stay together.
    init(allPointsOf quadtree: LinearQuadtree, _ clusters: ClusterPyramid?, atZoom zoom: Int) {
        self.zoom = zoom
        self.quadtree = quadtree
        self.clusters = clusters
        numbers = []
        numbers.reserveCapacity(quadtree.count - (clusters?.table.hiddenPointCount ?? 0))
        var next = 0
        for place in clusters?.table.places ?? [] {
            guard let clusters else { break }
            let points = clusters.table.points(ofPlace: clusters.table.entries[place])
            for point in next..<points.lowerBound { numbers.append(.point(point)) }
            numbers.append(.cluster(place))
            next = points.upperBound
            clusterCount += 1
        }
        for point in next..<quadtree.count { numbers.append(.point(point)) }
        if !quadtree.isWhole { sort() }
    }

    /// The markers of a clustered zoom.
    /// - Parameter descent: at this zoom; with roots if `minPoints` is more than 2.
    package init(of descent: ClusterDescent) {
        zoom = descent.zoom
        quadtree = descent.quadtree
        clusters = descent.clusters
        numbers = []
        numbers.reserveCapacity(descent.anchors.count + quadtree.unclustered.count)
        let isDisplaced = descent.rules.position != .anchor
        var anchors = descent.anchors[...]
        for group in descent.hierarchy.groups {
            let end = anchors.firstIndex { Int($0) >= group.upperBound } ?? anchors.endIndex
            let first = numbers.count
            append(group, anchors: anchors[..<end], of: descent)
            if isDisplaced { displace(first..<numbers.count, anchors[..<end], descent) }
            anchors = anchors[end...]
        }
        for point in quadtree.unclustered { numbers.append(.point(point)) }
        if isDisplaced { addPlaces() }
        if descent.rules.mode == .markers { clusterCount = numbers.count(where: \.isCluster) }
        if !quadtree.isWhole || isDisplaced || !descent.hierarchy.known.isEmpty { sort() }
    }

    /// Keeps only the markers shown in this range of codes.
    mutating func crop(to codes: ClosedRange<UInt64>) {
        let start = firstIndex(notBelow: codes.lowerBound, in: numbers.indices)
        let end = numbers.indices.partitioningIndex { code(of: $0) > codes.upperBound }
        numbers = Array(numbers[start..<end])
        if !places.isEmpty { places = Array(places[start..<end]) }
        if clusterCount > 0 { clusterCount = numbers.count(where: \.isCluster) }
    }

    /// Whether clusters are shown elsewhere than at their anchors.
    var isDisplaced: Bool { !places.isEmpty }

    /// The Morton code of the place where a marker is shown.
    @inline(__always)
    package func code(of index: Int) -> UInt64 { places.isEmpty ? ownCode(of: numbers[index]) : places[index].code }

    /// Where a cluster is shown; `nil` for the place of its anchor.
    package func coordinate(of index: Int) -> Coordinate? { places.isEmpty ? nil : places[index].coordinate }

    /// The first marker in a range whose code is at least `code`. O(log n)
    func firstIndex(notBelow code: UInt64, in range: Range<Int>) -> Int {
        range.partitioningIndex { self.code(of: $0) >= code }
    }

    /// Appends the markers of one group.
    private mutating func append(
        _ candidates: Range<Int>, anchors: ArraySlice<UInt32>, of descent: ClusterDescent
    ) {
        let hierarchy = descent.hierarchy
        guard descent.rules.minPoints > 2 else {
            for anchor in anchors {
                let number: MarkerNumber? = descent.cluster(of: Int(anchor)).map { .cluster($0) }
                numbers.append(number ?? .point(Int(hierarchy.anchorPoint[Int(anchor)])))
            }
            return
        }
        for candidate in candidates {
            let root = descent.root(of: candidate)
            if descent.pointCount(of: root) < descent.rules.minPoints {
                hierarchy.forEachPoint(of: candidate) { numbers.append(.point($0)) }
            } else if root == candidate, let cluster = descent.cluster(of: root) {
                numbers.append(.cluster(cluster))
            }
        }
    }

    /// Moves the clusters of one group to the position that the options choose.
    private mutating func displace(
        _ indices: Range<Int>, _ anchors: ArraySlice<UInt32>, _ descent: ClusterDescent
    ) {
        addPlaces()
        let hierarchy = descent.hierarchy
        let placement = ClusterPlacement(
            rules: descent.rules, zoom: zoom, quadtree: quadtree, clusters: descent.clusters, hierarchy: hierarchy)
        let shown = indices.filter { numbers[$0].isCluster }
        let coordinates = placement.coordinates(of: shown.map { numbers[$0].index }, among: anchors)
        for (index, coordinate) in zip(shown, coordinates) {
            places[index] = Place(
                code: MortonCode(WebMercator.project(coordinate)).rawValue, coordinate: coordinate)
        }
    }

    /// Places new markers at their points or anchors. Their coordinates stay zero: those of points are never read, and
    /// `displace` sets those of clusters.
    private mutating func addPlaces() {
        let none = Coordinate(longitudeMicrodegrees: 0, latitudeMicrodegrees: 0)
        for index in places.count..<numbers.count {
            places.append(Place(code: ownCode(of: numbers[index]), coordinate: none))
        }
    }

    /// The code of the point, or of the cluster's anchor.
    @inline(__always)
    private func ownCode(of number: MarkerNumber) -> UInt64 {
        let point =
            if number.isCluster, let clusters { Int(clusters.entry(number).anchorPoint) } else { number.index }
        return quadtree.codes[point]
    }

    /// Stable, because markers can share a place, for example unclustered points or markers of different groups.
    private mutating func sort() {
        var codes = numbers.indices.map { code(of: $0) }
        var order = Array(0..<UInt32(numbers.count))
        MortonRadixSort.sort(keys: &codes, indices: &order)
        numbers = order.map { numbers[Int($0)] }
        if !places.isEmpty { places = order.map { places[Int($0)] } }
    }
}
