import PyramidTiles

/// The max zoom that was chosen, and why.
public struct MaxZoomChoice: Sendable {
    public let zoom: Int
    /// The share of places that stand alone at that zoom, in 0 ... 1; `nil` for the deepest zoom that can be chosen.
    public let aloneShare: Double?
    /// The number of different places.
    public let placeCount: Int
}

/// How many of the different places stand alone at each zoom, so that deeper zooms would not separate them further.
struct Loneliness: Sendable {
    let placeCount: Int
    /// From the first clustered zoom to the first one without clusters.
    private let zooms: ClosedRange<Int>
    /// How many places stand alone at each of the zooms.
    private let aloneCounts: [Int]

    /// The share of places that must stand alone at the max zoom.
    static let enough = 0.99
    /// The deepest zoom that can be chosen.
    static let deepestChoice = 16

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

    /// The first zoom at which enough places stand alone; `nil` if no clustered zoom is deep enough.
    var firstZoomWithEnough: Int? { zooms.first { share(atZoom: $0) >= Loneliness.enough } }
}

extension Loneliness {
    /// The first zoom at which enough places stand alone, with clusters up to the zoom above.
    /// - Parameter progress: is called with each zoom before it is clustered.
    static func maxZoomChoice(
        of quadtree: LinearQuadtree, standing: PointStanding, _ options: ClusteringOptions, jobs: Int,
        progress: (Int) -> Void
    ) -> MaxZoomChoice? {
        var all = options
        all.minZoom = 0
        all.maxZoom = deepestChoice
        all.clusterMaxZoom = deepestChoice - 1
        let rules = ClusteringRules(all)
        let hierarchy = rules.hierarchy(
            of: quadtree, standing: standing, work: SharedWork(jobs: jobs), progress: progress)
        guard let hierarchy else { return nil }
        let loneliness = Loneliness(of: hierarchy, in: quadtree, rules)
        let zoom = max(loneliness.firstZoomWithEnough ?? deepestChoice, options.minZoom)
        return MaxZoomChoice(
            zoom: zoom, aloneShare: zoom < deepestChoice ? loneliness.share(atZoom: zoom) : nil,
            placeCount: loneliness.placeCount)
    }
}
