import PyramidTiles

extension BuildOptions {
    /// The max zoom that suits the data: the first zoom at which enough places stand alone; else the highest one that
    /// separates notably more of them than the zoom before; where none does, the default.
    /// - Parameter progress: is called with each zoom before it is clustered.
    func maxZoomChoice(
        of quadtree: LinearQuadtree, precedence: PointPrecedence, _ work: SharedWork, progress: (Int) -> Void
    ) -> MaxZoomChoice {
        var all = clustering
        all.minZoom = 0
        // Clustered itself, so that the highest zoom is judged as the others are.
        let deepest = min(highestMaxZoom, PlaceSeparation.highestChoice)
        all.clusterMaxZoom = deepest
        all.maxZoom = all.clusterMaxZoom + 1
        let rules = ClusteringRules(all)
        let separation = rules.hierarchy(of: quadtree, precedence: precedence, work: work, progress: progress)
            .map { PlaceSeparation(of: $0, in: quadtree, rules) }
        let fallback = min(ClusteringOptions.defaultMaxZoom, highestMaxZoom)
        guard let separation, separation.placeCount > 1 else {
            return MaxZoomChoice(
                zoom: max(fallback, firstMaxZoom), reason: .onePlace, highestZoom: deepest, aloneShare: 1,
                placeCount: separation?.placeCount ?? 0)
        }
        let enough = separation.sufficientZoom.flatMap { $0 <= highestMaxZoom ? $0 : nil }
        let zoom = enough ?? separation.lastZoomWithGain ?? fallback
        let reason: MaxZoomChoice.Reason =
            if zoom < firstMaxZoom { .givenZooms } else if enough != nil { .enough } else {
                separation.lastZoomWithGain == nil ? .noGain : .lastGain
            }
        let chosen = max(zoom, firstMaxZoom)
        return MaxZoomChoice(
            zoom: chosen, reason: reason, highestZoom: deepest, aloneShare: separation.share(atZoom: chosen),
            placeCount: separation.placeCount)
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

    /// The highest zoom that can be chosen: lower where clusters would be too close at higher ones.
    private var highestMaxZoom: Int {
        let zooms = firstMaxZoom...max(firstMaxZoom, PlaceSeparation.highestChoice)
        return zooms.last { choosing(maxZoom: $0).clustering.problem == nil } ?? zooms.upperBound
    }

    /// What is wrong with the clustering options, whatever the data decide.
    var clusteringProblem: OptionMessage? {
        guard choosesMaxZoom else { return clustering.problem }
        let zooms = ClusteringOptions.zooms
        guard zooms.contains(firstMaxZoom) else { return choosing(maxZoom: zooms.upperBound).clustering.problem }
        return choosing(maxZoom: highestMaxZoom).clustering.problem
    }
}
