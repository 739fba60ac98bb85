import PyramidTiles

extension BuildOptions {
    /// The max zoom that suits the data: the first zoom at which enough places stand alone; else the deepest one that
    /// separates notably more of them than the zoom before; where none does, the usual one.
    /// - Parameter progress: is called with each zoom before it is clustered.
    func maxZoomChoice(
        of quadtree: LinearQuadtree, standing: PointStanding, _ work: SharedWork, progress: (Int) -> Void
    ) -> MaxZoomChoice {
        var all = clustering
        all.minZoom = 0
        // Clustered itself, so that the deepest zoom is judged as the others are.
        let deepest = min(deepestMaxZoom, Loneliness.deepestChoice)
        all.clusterMaxZoom = deepest
        all.maxZoom = all.clusterMaxZoom + 1
        let rules = ClusteringRules(all)
        let loneliness = rules.hierarchy(of: quadtree, standing: standing, work: work, progress: progress)
            .map { Loneliness(of: $0, in: quadtree, rules) }
        let usual = min(ClusteringOptions.usualMaxZoom, deepestMaxZoom)
        guard let loneliness, loneliness.placeCount > 1 else {
            return MaxZoomChoice(
                zoom: max(usual, firstMaxZoom), reason: .onePlace, deepestZoom: deepest, aloneShare: 1,
                placeCount: loneliness?.placeCount ?? 0)
        }
        let enough = loneliness.firstZoomWithEnough.flatMap { $0 <= deepestMaxZoom ? $0 : nil }
        let zoom = enough ?? loneliness.lastZoomWithGain ?? usual
        let reason: MaxZoomChoice.Reason =
            if zoom < firstMaxZoom { .givenZooms } else if enough != nil { .enough } else {
                loneliness.lastZoomWithGain == nil ? .noGain : .lastGain
            }
        let chosen = max(zoom, firstMaxZoom)
        return MaxZoomChoice(
            zoom: chosen, reason: reason, deepestZoom: deepest, aloneShare: loneliness.share(atZoom: chosen),
            placeCount: loneliness.placeCount)
    }

    /// The options with a max zoom that was chosen.
    func choosing(maxZoom: Int) -> BuildOptions {
        var options = self
        options.choosesMaxZoom = false
        options.clustering.maxZoom = maxZoom
        if choosesClusterMaxZoom { options.clustering.clusterMaxZoom = maxZoom - 1 }
        return options
    }

    /// The first zoom that can be chosen.
    private var firstMaxZoom: Int {
        max(clustering.minZoom, choosesClusterMaxZoom ? 0 : clustering.clusterMaxZoom + 1)
    }

    /// The deepest zoom that can be chosen: less than usual where clusters would be too close at deeper ones.
    private var deepestMaxZoom: Int {
        let zooms = firstMaxZoom...max(firstMaxZoom, Loneliness.deepestChoice)
        return zooms.last { choosing(maxZoom: $0).clustering.problem == nil } ?? zooms.upperBound
    }

    /// What is wrong with the clustering options, whatever the data decide.
    var clusteringProblem: OptionMessage? {
        guard choosesMaxZoom else { return clustering.problem }
        let zooms = ClusteringOptions.zooms
        guard zooms.contains(firstMaxZoom) else { return choosing(maxZoom: zooms.upperBound).clustering.problem }
        return choosing(maxZoom: deepestMaxZoom).clustering.problem
    }
}
