import PyramidTiles

/// The max zoom that was chosen, and why.
public struct MaxZoomChoice: Sendable {
    public enum Reason: Sendable {
        /// It is the first zoom at which enough places stand alone.
        case enough
        /// No zoom is enough, and this is the deepest one that separates notably more places than the zoom before.
        case lastGain
        /// No zoom separates notably more places than the one before.
        case noGain
        /// There is only one place, or none that can merge with another.
        case onePlace
        /// The min zoom or the last zoom with clusters leaves none before it.
        case givenZooms
    }

    public let zoom: Int
    public let reason: Reason
    /// The deepest zoom that could have been chosen.
    public let deepestZoom: Int
    /// The share of places that stand alone at that zoom, in 0 ... 1.
    public let aloneShare: Double
    /// The number of different places.
    public let placeCount: Int
}

/// How many of the different places stand alone at each zoom. What stands alone needs no higher zoom.
public struct PlaceSeparation: Sendable {
    public let placeCount: Int
    /// From the first clustered zoom to the first one without clusters.
    private let zooms: ClosedRange<Int>
    /// How many places stand alone at each of the zooms.
    private let aloneCounts: [Int]

    /// The share of places that must stand alone at the max zoom.
    static let enough = 0.95
    /// The share of places that a zoom must separate to be worth its tiles.
    static let gain = 0.01
    /// The deepest zoom that can be chosen.
    static let deepestChoice = 20

    /// - Parameter hierarchy: of the clustered zooms of the rules, of which there is at least one.
    init(of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, _ rules: ClusteringRules) {
        let zooms = rules.firstUnclusteredZoom - rules.zooms.count...rules.firstUnclusteredZoom
        self.zooms = zooms
        // The last zoom at which a candidate joins another or is joined.
        var together = hierarchy.joinZoom
        for candidate in 0..<hierarchy.candidateCount where hierarchy.joinZoom[candidate] >= 0 {
            let parent = Int(hierarchy.parent[candidate])
            together[parent] = max(together[parent], hierarchy.joinZoom[candidate])
        }
        var places = 0
        var leaving = [Int](repeating: 0, count: zooms.count)
        for candidate in 0..<hierarchy.candidateCount {
            let points = hierarchy.points(of: candidate)
            var count = 1
            for point in points.dropFirst() where quadtree.codes[point] != quadtree.codes[point - 1] { count += 1 }
            places += count
            if count == 1 { leaving[max(Int(together[candidate]) + 1 - zooms.lowerBound, 0)] += 1 }
        }
        placeCount = places
        var alone = 0
        aloneCounts = leaving.map { count in
            alone += count
            return alone
        }
    }

    /// The share of places that stand alone at a zoom from the first clustered one on.
    func share(atZoom zoom: Int) -> Double {
        zooms.contains(zoom) && placeCount > 0 ? Double(aloneCounts[zoom - zooms.lowerBound]) / Double(placeCount) : 1
    }

    /// The share of places that stand alone at the last clustered zoom, in 0 ... 1.
    public var lastShare: Double { share(atZoom: zooms.upperBound - 1) }

    /// The first zoom at which 95% of the places stand alone; `nil` if no clustered zoom is high enough.
    public var sufficientZoom: Int? { zooms.first { share(atZoom: $0) >= PlaceSeparation.enough } }

    /// The deepest clustered zoom that separates notably more places than the zoom before; `nil` if none does.
    var lastZoomWithGain: Int? {
        zooms.dropFirst().dropLast().last { share(atZoom: $0) - share(atZoom: $0 - 1) >= PlaceSeparation.gain }
    }
}
