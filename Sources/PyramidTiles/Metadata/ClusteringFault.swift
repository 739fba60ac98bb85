/// Why no tileset can have some ``ClusteringOptions``.
public enum ClusteringFault: Equatable, Sendable {
    /// Values out of range, or that other options rule out.
    case position, tileSize, clusterDistance(Int), cellSize(Int), coincidentLimit, minPoints, minZoom, maxZoom
    case clusterMaxZoom
    /// The mode `filter` needs other options, or doesn't go with one; or one needs the mode.
    case filterWithoutAnchors, filterWithCoincidentLimit, countWithoutFilter
    /// At a clustered zoom: clusters so close that they can't have distinct ids.
    case tooClose(zoom: Int)
    /// At a clustered zoom: a cluster distance greater than the cell, in which `inset` can't keep it.
    case insetInSmallerCell(zoom: Int)
    /// At a clustered zoom: cells in which those of the next zoom don't fit.
    case smallCells(zoom: Int)
}

extension ClusteringOptions {
    /// The first fault; `nil` if a tileset can have these options.
    public var fault: ClusteringFault? {
        if !ClusteringOptions.positions(of: method).contains(position) { return .position }
        if !ClusteringOptions.tileSizes.contains(tileSize) { return .tileSize }
        if let distance = clusterDistance.values.first(where: { !scaled(ClusteringOptions.distances).contains($0) }) {
            return .clusterDistance(distance)
        }
        if let size = cellSize.values.first(where: {
            !scaled(ClusteringOptions.cellSizes).contains($0) || $0 & ($0 - 1) != 0
        }) {
            return .cellSize(size)
        }
        if mode == .filter, method != .anchors || position != .anchor || minPoints != 2 { return .filterWithoutAnchors }
        if mode == .filter, coincidentLimit != nil { return .filterWithCoincidentLimit }
        if let coincidentLimit, coincidentLimit < leastCoincidentLimit { return .coincidentLimit }
        if keepsCount, mode != .filter { return .countWithoutFilter }
        if minPoints < 2 { return .minPoints }
        if !ClusteringOptions.zooms.contains(maxZoom) { return .maxZoom }
        if minZoom < 0 || minZoom > maxZoom { return .minZoom }
        if clusterMaxZoom < -1 || clusterMaxZoom >= maxZoom { return .clusterMaxZoom }
        return clusteredZooms.lazy.compactMap { fault(atZoom: $0) }.first
    }

    private func fault(atZoom zoom: Int) -> ClusteringFault? {
        if !hasDistinctIDs(atZoom: zoom) { return .tooClose(zoom: zoom) }
        guard method == .grid else { return nil }
        if position == .inset && clusterDistance[zoom] > cellSize[zoom] { return .insetInSmallerCell(zoom: zoom) }
        return zoom < clusterMaxZoom && cellSize[zoom] * 2 < cellSize[zoom + 1] ? .smallCells(zoom: zoom) : nil
    }

    /// Clusters have at least ``minPoints``.
    public var leastCoincidentLimit: Int { max(1, minPoints - 1) }

    /// Pixels of a 256-pixel tile as those of a tile of ``tileSize``.
    public func scaled(_ pixels: ClosedRange<Int>) -> ClosedRange<Int> {
        pixels.lowerBound * tileSize / 256...pixels.upperBound * tileSize / 256
    }

    /// Ids of clusters differ if their anchors are further apart than the diagonal of a quadtree node at depth 26.
    private func hasDistinctIDs(atZoom zoom: Int) -> Bool {
        switch method {
        // The diagonal is T * sqrt(2) * 2^(z - 26) pixels of zoom z, where a tile has T; 363 and 725 are the next whole numbers.
        case .anchors: zoom <= 22 && clusterDistance[zoom] << (26 - zoom) >= (tileSize == 256 ? 363 : 725)
        case .grid: zoom <= 22 && cellDepth(atZoom: zoom) <= 26
        }
    }
}
