/// Everything that determines the markers of a tileset. It is part of the manifest, so that a verifier can check the
/// tiles against it.
public struct ClusteringOptions: Codable, Equatable, Sendable {
    public enum Method: String, Codable, CaseIterable, Sendable {
        /// The biggest cluster stays where it is; everything closer than the cluster distance joins the nearest one that stays.
        case anchors
        /// One marker per grid cell that contains points.
        case grid
    }

    public enum Position: String, Codable, CaseIterable, Sendable {
        /// At one of the cluster's own points, the same at every zoom.
        case anchor
        /// At the mean of the members; with `anchors`, pulled towards the anchor as far as the cluster distance
        /// requires.
        case centroid
        /// At the member nearest to the middle of the grid cell.
        case nearest
        /// At the mean of the members, kept half a cluster distance inside the grid cell, so that clusters keep the distance.
        case inset
    }

    public enum Mode: String, Codable, CaseIterable, Sendable {
        /// Points and clusters.
        case markers
        /// Only the anchors, as plain points; anything that would overlap them is hidden.
        case filter
    }

    public var method: Method
    public var mode = Mode.markers
    /// Whether points of the mode `filter` carry `point_count`, the number of points each stands for.
    public var keepsCount = false
    public var position: Position
    /// The pixels that a map gives the side of a tile, one of ``tileSizes``: the measure of all distances.
    public var tileSize = ClusteringOptions.tileSizes[0]
    /// Pixels; in ``distances`` where a tile has 256, in proportion where it has more.
    public var clusterDistance: PixelsByZoom
    /// Pixels; a power of two in ``cellSizes`` where a tile has 256, in proportion where it has more. Used by the grid
    /// method only.
    public var cellSize: PixelsByZoom
    /// Clusters of fewer points are written as single points.
    public var minPoints: Int
    /// More points than this at one place are a cluster at every zoom, the last included; `nil` if points are always apart
    /// beyond the clustered zooms.
    public var coincidentLimit: Int?
    /// The column that ranks points: a greater number keeps its place; `nil` for none.
    public var priorityColumn: String?
    /// The column that says how many points a row counts as; `nil` if each counts as one. A manifest has the name as
    /// written to the tiles.
    public var weightColumn: String?
    /// The column whose different values never merge; `nil` if all points can merge. A manifest has the name as written
    /// to the tiles.
    public var groupColumn: String?
    /// Which points never merge; `nil` for none.
    public var unclustered: UnclusteredRule?
    /// The first zoom with tiles.
    public var minZoom: Int
    /// The last zoom with tiles, at which every point stands alone.
    public var maxZoom: Int
    /// The last zoom with clusters, below ``maxZoom``; -1 for none.
    public var clusterMaxZoom: Int

    /// What ``tileSize`` can be.
    public static let tileSizes = [256, 512]
    public static let distances = 1...256
    public static let cellSizes = 4...256
    /// The zooms a tileset can have. At 22 a pixel is 1.9 cm at the equator; 23 is never clustered.
    public static let zooms = 0...23
    /// The max zoom where neither the user nor the data decide.
    public static let defaultMaxZoom = 14

    public init(
        method: Method = .anchors, position: Position? = nil, clusterDistance: PixelsByZoom = 40,
        cellSize: PixelsByZoom = 64, minPoints: Int = 2, minZoom: Int = 0, maxZoom: Int = defaultMaxZoom,
        clusterMaxZoom: Int? = nil
    ) {
        self.method = method
        self.position = position ?? (method == .anchors ? .anchor : .centroid)
        self.clusterDistance = clusterDistance
        self.cellSize = cellSize
        self.minPoints = minPoints
        self.minZoom = minZoom
        self.maxZoom = maxZoom
        self.clusterMaxZoom = clusterMaxZoom ?? maxZoom - 1
    }

    /// The positions that a method offers; the first is its default.
    public static func positions(of method: Method) -> [Position] {
        switch method {
        case .anchors: [.anchor, .centroid]
        case .grid: [.centroid, .nearest, .inset]
        }
    }
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
    public var leastCoincidentLimit: Int { max(2, minPoints) - 1 }

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

extension ClusteringOptions {
    /// Whether there can be clusters that no zoom takes apart.
    package var keepsPlacesTogether: Bool { coincidentLimit != nil }

    /// Whether this many points at one place are a cluster that no zoom takes apart.
    package func staysTogether(pointCount: Int) -> Bool { coincidentLimit.map { pointCount > $0 } ?? false }

    /// Whether these points are a cluster that no zoom takes apart.
    package func staysTogether(pointCount: Int, in box: BoundingBox) -> Bool {
        guard staysTogether(pointCount: pointCount) else { return false }
        // Beyond the map's edge, points of different latitudes are at one place.
        return box.west == box.east
            && WebMercator.project(Coordinate(longitudeMicrodegrees: box.west, latitudeMicrodegrees: box.south))
                == WebMercator.project(Coordinate(longitudeMicrodegrees: box.west, latitudeMicrodegrees: box.north))
    }

    /// Whether the tiles show which of two markers ranks higher.
    package var ranksByCountAlone: Bool { priorityColumn == nil && weightColumn == nil }
}

/// The measures of the specification, in pixels of the tile and in world units (2³² to the world's width).
extension ClusteringOptions {
    /// The cluster distance in world units: floor(D * 2^(32 - z) / T), where a tile has T pixels. Markers closer than this
    /// are too close.
    public func distanceUnits(atZoom zoom: Int) -> UInt64 {
        (UInt64(clusterDistance[zoom]) << 32 / UInt64(tileSize)) >> UInt64(zoom)
    }

    /// The depth of the cells in the quadtree. A cell of the `anchors` method is at least a cluster distance wide; a cell
    /// of the `grid` method is exactly a cell size.
    public func cellDepth(atZoom zoom: Int) -> Int {
        switch method {
        case .anchors: zoom + Int(log2Floor: tileSize / clusterDistance[zoom])
        case .grid: zoom + Int(log2Floor: tileSize / cellSize[zoom])
        }
    }

    /// The depth of the micro-cells, whose points count as one from the start: at most a quarter of the last clustered
    /// zoom's cluster distance wide. With `grid`, they are the cells of that zoom.
    public var candidateDepth: Int {
        let distance = clusterDistance[clusterMaxZoom]
        return switch method {
        case .anchors: clusterMaxZoom + Int(log2Floor: (4 * tileSize + distance - 1) / distance * 2 - 1)
        case .grid: cellDepth(atZoom: clusterMaxZoom)
        }
    }

    /// The zoom levels at which points are clustered, from the last to the first.
    public var clusteredZooms: ReversedCollection<Range<Int>> {
        (min(minZoom, clusterMaxZoom + 1)..<clusterMaxZoom + 1).reversed()
    }

    /// The distance in world units that any two markers of one group keep, or any two clusters if
    /// ``promiseCoversPoints`` is false; `nil` if none is promised. Points that never merge can be anywhere.
    ///
    /// With `inset`, places are computed, and rounding each to a microdegree costs at most
    /// ``WebMercator/roundingUnits(atLatitude:)``.
    public func promisedDistanceUnits(atZoom zoom: Int) -> UInt64? {
        guard zoom <= clusterMaxZoom else { return nil }
        switch (method, position) {
        case (.anchors, _): return distanceUnits(atZoom: zoom)
        case (.grid, .inset):
            let rounding = 2 * UInt64(WebMercator.roundingUnits(atLatitude: 90).rounded(.up))
            return distanceUnits(atZoom: zoom) - min(rounding, distanceUnits(atZoom: zoom))
        case (.grid, _): return nil
        }
    }

    /// The promised distances in pixels, of which a tile has ``tileSize``, from the first zoom to the last with clusters;
    /// `nil` if none are promised.
    package var clusterDistances: [Double]? {
        guard minZoom <= min(clusterMaxZoom, maxZoom) else { return nil }
        let distances = (minZoom...min(clusterMaxZoom, maxZoom)).compactMap { zoom in
            promisedDistanceUnits(atZoom: zoom).map { units in
                // To a thousandth, because whole pixels become fractions of units.
                (Double(units) / 4_294_967_296 * Double(tileSize << zoom) * 1000).rounded() / 1000
            }
        }
        return distances.isEmpty ? nil : distances
    }

    /// Whether the promise covers points too. It covers only clusters if some points aren't anchors: the members of
    /// clusters too small to be written, and with `grid` every single point.
    public var promiseCoversPoints: Bool { method == .anchors && minPoints == 2 }
}

extension Int {
    /// The exponent of the greatest power of two that is not above `value`.
    fileprivate init(log2Floor value: Int) {
        self = Int.bitWidth - 1 - value.leadingZeroBitCount
    }
}

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
