import PyramidTiles

/// How far from a marker others can make a difference to what is found about it.
struct Reach: Sendable {
    private let options: ClusteringOptions
    private let precision: PlacePrecision

    init(_ options: ClusteringOptions, _ precision: PlacePrecision) {
        (self.options, self.precision) = (options, precision)
    }

    /// The greatest distance in world units of a marker of the next zoom from the anchor of its cluster.
    func joinUnits(atZoom zoom: Int) -> UInt64 {
        // Half the diagonal of a node of 64 units at each end, because ids name nodes.
        guard zoom <= options.clusterMaxZoom else { return 92 }
        switch options.method {
        case .grid: return 92 + (UInt64(3) << UInt64(32 - min(32, options.cellDepth(atZoom: zoom)))) / 2
        case .anchors: return anchorUnits(atZoom: zoom)
        }
    }

    private func anchorUnits(atZoom zoom: Int) -> UInt64 {
        var reach = options.distanceUnits(atZoom: zoom) + 92
        if options.minPoints > 2 {
            // The small cluster that a point is in at a higher zoom isn't shown. Its anchor is at most as far away as
            // the distances of all clustered zooms from there on add up to.
            for other in options.clusteredZooms where other > zoom { reach += options.distanceUnits(atZoom: other) }
        }
        if options.minPoints > 2 || zoom == options.clusterMaxZoom {
            // A point joins the cluster that its micro-cell joins: add the cell's diagonal, rounded up.
            let depth = min(32, options.candidateDepth)
            reach += (UInt64(3) << UInt64(32 - depth)) / 2 + 1
        }
        return reach
    }

    /// As ``joinUnits(atZoom:)``, but for places as tiles show them.
    func shownJoinUnits(atZoom zoom: Int) -> UInt64 {
        joinUnits(atZoom: zoom) + precision.distanceUnits(atZoom: zoom) + precision.distanceUnits(atZoom: zoom + 1)
    }

    /// How far around a region its markers must be known, to check a zoom and from what it is made.
    ///
    /// A cluster depends on the markers that may join it, and these on the clusters around them, which are searched in
    /// three by three cells that are at most twice as wide as the reach (``CellIndex``): five times the reach.
    func units(atZoom zoom: Int) -> UInt64 { 5 * shownJoinUnits(atZoom: zoom) + 1024 }
}
