import PyramidTiles

/// How many of the distinct places stand alone at each zoom: what more zooms have to show.
struct Loneliness: Sendable {
    let placeCount: Int
    /// By zoom; the last is the first zoom without clusters.
    private let aloneCounts: [Int]

    /// So much of the places standing alone is enough.
    static let enough = 0.99
    /// The deepest zoom that is ever chosen.
    static let deepestChoice = 16

    /// - Parameters:
    ///   - hierarchy: of all the zooms from 0 to `lastZoom`.
    ///   - lastZoom: the last clustered zoom.
    init(of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, lastZoom: Int) {
        // The last zoom at which a candidate joins another or is joined.
        var together = hierarchy.joinZoom
        for candidate in 0..<hierarchy.candidateCount where hierarchy.joinZoom[candidate] >= 0 {
            let parent = Int(hierarchy.parent[candidate])
            together[parent] = max(together[parent], hierarchy.joinZoom[candidate])
        }
        var places = 0
        var leaving = [Int](repeating: 0, count: lastZoom + 2)
        for candidate in 0..<hierarchy.candidateCount {
            let points = hierarchy.points(of: candidate)
            var count = 1
            for point in points.dropFirst() where quadtree.codes[point] != quadtree.codes[point - 1] { count += 1 }
            places += count
            if count == 1 { leaving[Int(together[candidate]) + 1] += 1 }
        }
        placeCount = places
        var alone = 0
        aloneCounts = leaving.map { count in
            alone += count
            return alone
        }
    }

    /// The share of the places that stand alone at a zoom.
    func share(atZoom zoom: Int) -> Double {
        zoom < aloneCounts.count && placeCount > 0 ? Double(aloneCounts[zoom]) / Double(placeCount) : 1
    }

    /// The first zoom at which enough places stand alone; `nil` where there is none among those that are clustered.
    var firstZoomWithEnough: Int? {
        aloneCounts.indices.first { share(atZoom: $0) >= Loneliness.enough }
    }
}

extension Loneliness {
    /// The first zoom at which enough places stand alone.
    static func maxZoomChoice(
        of quadtree: LinearQuadtree, standing: PointStanding, _ options: ClusteringOptions, jobs: Int,
        progress: (Int) -> Void
    ) -> BuildReport.MaxZoomChoice? {
        var all = options
        all.minZoom = 0
        all.maxZoom = deepestChoice
        all.clusterMaxZoom = deepestChoice - 1
        let hierarchy = all.hierarchy(
            of: quadtree, standing: standing, work: SharedWork(jobs: jobs), progress: progress)
        guard let hierarchy else { return nil }
        let loneliness = Loneliness(of: hierarchy, in: quadtree, lastZoom: all.clusterMaxZoom)
        let zoom = max(loneliness.firstZoomWithEnough ?? deepestChoice, options.minZoom)
        return BuildReport.MaxZoomChoice(
            zoom: zoom, aloneShare: zoom < deepestChoice ? loneliness.share(atZoom: zoom) : nil,
            placeCount: loneliness.placeCount)
    }
}
