import PyramidClusters
import PyramidTiles

extension BuildOptions {
    /// The max zoom that suits the data: the lowest zoom at which enough places stand alone, or else the highest one
    /// that separates notably more of them than the next lower zoom, or else the default. Unless tiles are bundled, it is
    /// lower if the tiles of the last zooms separate too few places.
    /// - Parameters:
    ///   - separation: at the zooms of ``choiceClustering``; `nil` if nothing can be clustered.
    ///   - tiles: asked only if the number of tiles matters.
    package func maxZoomChoice(_ separation: PlaceSeparation?, tiles: () -> TileCounts) -> MaxZoomChoice {
        let highest = choiceClustering.clusterMaxZoom
        let fallback = min(ClusteringOptions.defaultMaxZoom, highestMaxZoom)
        guard let separation, separation.placeCount > 1 else {
            return MaxZoomChoice(
                zoom: max(fallback, firstMaxZoom), reason: .onePlace, highestZoom: highest, aloneShare: 1,
                placeCount: separation?.placeCount ?? 0)
        }
        let enough = separation.sufficientZoom.flatMap { $0 <= highestMaxZoom ? $0 : nil }
        let zoom = enough ?? separation.lastZoomWithGain ?? fallback
        let reason: MaxZoomChoice.Reason =
            if zoom < firstMaxZoom { .givenZooms } else if enough != nil { .enough } else {
                separation.lastZoomWithGain == nil ? .noGain : .lastGain
            }
        let wanted = max(zoom, firstMaxZoom)
        guard storage.layout.storesEveryTile else {
            return MaxZoomChoice(
                zoom: wanted, reason: reason, highestZoom: highest, aloneShare: separation.share(atZoom: wanted),
                placeCount: separation.placeCount)
        }
        let chosen =
            wanted > firstMaxZoom
            ? separation.worthwhileZoom(
                in: firstMaxZoom...wanted, tiles(), fromMinZoom: clustering.minZoom, freeTiles: freeTiles) : wanted
        return MaxZoomChoice(
            zoom: chosen, reason: chosen < wanted ? .tiles : reason, highestZoom: highest,
            aloneShare: separation.share(atZoom: chosen), placeCount: separation.placeCount)
    }

    /// All zooms among which to choose, clustered.
    package var choiceClustering: ClusteringOptions {
        var all = clustering
        all.minZoom = 0
        // The highest zoom is clustered too, so that it is judged like the others.
        all.clusterMaxZoom = min(highestMaxZoom, PlaceSeparation.highestChoice)
        all.maxZoom = all.clusterMaxZoom + 1
        return all
    }

    /// The options with this max zoom instead of a choice.
    package func choosing(maxZoom: Int) -> BuildOptions {
        var options = self
        options.choosesMaxZoom = false
        options.clustering.maxZoom = maxZoom
        if choosesClusterMaxZoom { options.clustering.clusterMaxZoom = maxZoom - 1 }
        return options
    }

    /// The lowest zoom that can be chosen.
    private var firstMaxZoom: Int {
        max(clustering.minZoom, choosesClusterMaxZoom ? 0 : clustering.clusterMaxZoom + 1)
    }

    /// The highest zoom that can be chosen: lower where clusters would be too close at higher ones.
    private var highestMaxZoom: Int {
        let zooms = firstMaxZoom...max(firstMaxZoom, PlaceSeparation.highestChoice)
        return zooms.last { choosing(maxZoom: $0).clustering.problem == nil } ?? zooms.upperBound
    }

    /// What is wrong with the clustering options, whichever max zoom is chosen.
    var clusteringProblem: OptionMessage? {
        guard choosesMaxZoom else { return clustering.problem }
        let zooms = ClusteringOptions.zooms
        guard zooms.contains(firstMaxZoom) else { return choosing(maxZoom: zooms.upperBound).clustering.problem }
        return choosing(maxZoom: highestMaxZoom).clustering.problem
    }
}
