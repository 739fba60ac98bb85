/// Everything that decides what the markers of a pyramid are. It stands in the manifest, so that a verifier can hold
/// the tiles against it.
public struct ClusteringOptions: Codable, Equatable, Sendable {
    public enum Method: String, Codable, CaseIterable, Sendable {
        /// The biggest cluster keeps its place, everything closer than the cluster distance joins its nearest kept marker.
        case anchors
        /// Every quadtree cell that holds points is one marker.
        case grid
    }

    public enum Position: String, Codable, CaseIterable, Sendable {
        /// The place of one of the cluster's own points, which it keeps at every zoom.
        case anchor
        /// The mean of the members; with `anchors` pulled towards the anchor as far as the distance demands.
        case centroid
        /// The member nearest to the middle of the grid cell.
        case nearest
        /// The mean of the members, kept half a cluster distance inside the grid cell, so that clusters keep the distance.
        case inset
    }

    public enum Output: String, Codable, CaseIterable, Sendable {
        /// Points and clusters.
        case markers
        /// The anchors alone, as plain points: what would overlap is hidden.
        case filter
    }

    public var method: Method
    public var output = Output.markers
    /// Whether a point of the output `filter` has `point_count`, for how many it stands.
    public var keepsCount = false
    public var position: Position
    /// Pixels of a 256-pixel tile, in ``distances``.
    public var clusterDistance: PixelsByZoom
    /// Pixels of a 256-pixel tile, powers of two in ``cellSizes``; the grid method's alone.
    public var cellSize: PixelsByZoom
    /// Clusters of fewer points are written as their points.
    public var minPoints: Int
    /// The column whose greater number keeps its place; `nil` for none.
    public var priorityColumn: String?
    /// The column that says for how many a point stands when clusters are ranked; `nil` where each stands for itself. In a
    /// manifest as it is written.
    public var weightColumn: String?
    /// The column whose different values never merge; `nil` where all points can. In a manifest as it is written.
    public var groupColumn: String?
    /// Which points are never merged; `nil` for none.
    public var unclustered: UnclusteredRule?
    /// The first zoom level that has tiles.
    public var minZoom: Int
    /// The last zoom level that has tiles; every point is there by itself.
    public var maxZoom: Int
    /// The last zoom level with clusters, below ``maxZoom``; -1 for none.
    public var clusterMaxZoom: Int

    public static let distances = 1...256
    public static let cellSizes = 4...256
    /// The zoom levels a pyramid can have: at 22 a pixel is 1.9 cm at the equator, and at 23 nothing is clustered.
    public static let zooms = 0...23

    public init(
        method: Method = .anchors, position: Position? = nil, clusterDistance: PixelsByZoom = 40,
        cellSize: PixelsByZoom = 64, minPoints: Int = 2, minZoom: Int = 0, maxZoom: Int = 14,
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

    /// The positions that a method can give its clusters; the first is its default.
    public static func positions(of method: Method) -> [Position] {
        switch method {
        case .anchors: [.anchor, .centroid]
        case .grid: [.centroid, .nearest, .inset]
        }
    }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        if !ClusteringOptions.positions(of: method).contains(position) {
            let allowed = ClusteringOptions.positions(of: method).map(\.rawValue).joined(separator: ", ")
            return "\(.position) is \"\(position.rawValue)\", expected \(allowed) with \(.method) \(method.rawValue)"
        }
        if let distance = clusterDistance.values.first(where: { !ClusteringOptions.distances.contains($0) }) {
            return "\(.clusterDistance) is \(distance), expected 1 to 256 pixels"
        }
        if let size = cellSize.values.first(where: {
            !ClusteringOptions.cellSizes.contains($0) || $0 & ($0 - 1) != 0
        }) {
            return "\(.cellSize) is \(size), expected a power of two from 4 to 256 pixels"
        }
        if output == .filter, method != .anchors || position != .anchor || minPoints != 2 {
            return "\(.output) filter keeps the anchors where they are, "
                + "expected \(.method) anchors, \(.position) anchor and \(.minPoints) 2"
        }
        if keepsCount, output != .filter { return "\(.keepCount) needs \(.output) filter" }
        if minPoints < 2 { return "\(.minPoints) is \(minPoints), expected 2 or more" }
        if !ClusteringOptions.zooms.contains(maxZoom) { return "\(.maxZoom) is \(maxZoom), expected 0 to 23" }
        if minZoom < 0 || minZoom > maxZoom {
            return "\(.minZoom) is \(minZoom), expected 0 to \(maxZoom), the max zoom"
        }
        if clusterMaxZoom < -1 || clusterMaxZoom >= maxZoom {
            return "\(.clusterMaxZoom) is \(clusterMaxZoom), expected -1 to \(maxZoom - 1), one below the max zoom"
        }
        return clusteredZooms.lazy.compactMap { problem(atZoom: $0) }.first
    }

    private func problem(atZoom zoom: Int) -> OptionMessage? {
        if !hasDistinctIDs(atZoom: zoom) {
            let measure: OptionMessage =
                method == .anchors
                ? "\(.clusterDistance) is \(clusterDistance[zoom])" : "\(.cellSize) is \(cellSize[zoom])"
            return "\(measure) at zoom \(zoom), where clusters this close can't have distinct ids, "
                + "expected more there, or \(.clusterMaxZoom) below \(zoom)"
        }
        guard method == .grid else { return nil }
        if position == .inset && clusterDistance[zoom] > cellSize[zoom] {
            return "\(.clusterDistance) is \(clusterDistance[zoom]), "
                + "expected at most the cell size (\(cellSize[zoom])) with \(.position) inset"
        }
        if zoom < clusterMaxZoom && cellSize[zoom] * 2 < cellSize[zoom + 1] {
            return "\(.cellSize) is \(cellSize[zoom]) at zoom \(zoom), "
                + "expected at least half of the next zoom's (\(cellSize[zoom + 1])), whose cells must fit in"
        }
        return nil
    }

    /// A cluster's id tells places apart that are further than the diagonal of a quadtree node at depth 26.
    private func hasDistinctIDs(atZoom zoom: Int) -> Bool {
        switch method {
        // The diagonal is 256 * sqrt(2) * 2^(z - 26) pixels of zoom z; 363 is the next whole number.
        case .anchors: zoom <= 22 && clusterDistance[zoom] << (26 - zoom) >= 363
        case .grid: zoom <= 22 && cellDepth(atZoom: zoom) <= 26
        }
    }
}

extension ClusteringOptions {
    /// Whether the tiles tell which of two markers is the higher.
    package var ranksByCountAlone: Bool { priorityColumn == nil && weightColumn == nil }
}

/// The measures of the specification, in the tile's pixels and in world units (2³² to the world's width).
extension ClusteringOptions {
    /// The cluster distance in world units: floor(D * 2^(24 - z)). Markers closer than this are too close.
    public func distanceUnits(atZoom zoom: Int) -> UInt64 {
        (UInt64(clusterDistance[zoom]) << 24) >> UInt64(zoom)
    }

    /// The depth of the cells in the quadtree. A cell of the `anchors` method is at least a cluster distance wide; a cell
    /// of the `grid` method is exactly a cell size.
    public func cellDepth(atZoom zoom: Int) -> Int {
        switch method {
        case .anchors: zoom + Int(log2Floor: 256 / clusterDistance[zoom])
        case .grid: zoom + Int(log2Floor: 256 / cellSize[zoom])
        }
    }

    /// The depth of the micro-cells, whose points count as one from the start: at most a quarter of the last clustered
    /// zoom's cluster distance wide. With `grid` they are that zoom's cells.
    public var candidateDepth: Int {
        let distance = clusterDistance[clusterMaxZoom]
        return switch method {
        case .anchors: clusterMaxZoom + Int(log2Floor: (1024 + distance - 1) / distance * 2 - 1)
        case .grid: cellDepth(atZoom: clusterMaxZoom)
        }
    }

    /// The zoom levels at which points are clustered, from the last to the first.
    public var clusteredZooms: ReversedCollection<Range<Int>> {
        (min(minZoom, clusterMaxZoom + 1)..<clusterMaxZoom + 1).reversed()
    }

    /// No two markers of one group are closer than this many world units, or no two clusters where
    /// ``promiseCoversPoints`` is false; `nil` where nothing is promised. Points that are never merged can be anywhere.
    ///
    /// With `inset` the places are computed, and rounding each to a microdegree takes away at most
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

    /// Whether the promise is for points too. It is for clusters alone where points stand that are no anchors: the members
    /// of clusters too small to be written, and with `grid` every point by itself.
    public var promiseCoversPoints: Bool { method == .anchors && minPoints == 2 }
}

extension Int {
    /// The greatest power of two that is not above `value` has this exponent.
    fileprivate init(log2Floor value: Int) {
        self = Int.bitWidth - 1 - value.leadingZeroBitCount
    }
}
