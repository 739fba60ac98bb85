/// The options that determine which markers a tileset shows. They are part of the manifest, so that a verifier can
/// check the tiles against them.
public struct ClusteringOptions: Codable, Equatable, Sendable {
    public enum Method: String, Codable, CaseIterable, Sendable {
        /// The biggest clusters stay where they are. Others that are closer than the cluster distance join the nearest
        /// of them that isn't smaller.
        case anchors
        /// The points in a cell of a grid become one marker.
        case grid
    }

    public enum Position: String, Codable, CaseIterable, Sendable {
        /// At one of the cluster's points, the same one at every zoom.
        case anchor
        /// At the mean of the members; with `anchors`, pulled towards the anchor as far as the cluster distance
        /// requires.
        case centroid
        /// At the member nearest to the middle of the grid cell.
        case nearest
        /// At the mean of the members, but at least half a cluster distance inside the grid cell, so that clusters keep
        /// their distance.
        case inset
    }

    public enum Mode: String, Codable, CaseIterable, Sendable {
        /// Points and clusters.
        case markers
        /// Only the anchors, as plain points. Points that would overlap them are hidden.
        case filter
    }

    public var method: Method
    public var mode = Mode.markers
    public var position: Position
    /// The side of a tile on the map in pixels, one of ``tileSizes``. All distances are in these pixels.
    public var tileSize = ClusteringOptions.tileSizes[0]
    /// The minimum distance between markers in pixels. Must be in ``distances``, scaled by ``tileSize``.
    public var clusterDistance: PixelsByZoom
    /// The width of a grid cell in pixels, for the method `grid`. Must be a power of two in ``cellSizes``, scaled by
    /// ``tileSize``.
    public var cellSize: PixelsByZoom
    /// Clusters with fewer points are written as single points.
    public var minPoints: Int
    /// More points than this at one place are a cluster at every zoom, including the last. `nil` if zooms higher than
    /// ``clusterMaxZoom`` have no clusters at all.
    public var coincidentLimit: Int?
    /// The column that ranks points: of points too close together, the one with the greatest number keeps its place.
    /// `nil` for none.
    public var priorityColumn: String?
    /// The column with the number of points that a row counts as; `nil` if each counts as one. In a manifest, the
    /// name of its property in the tiles.
    public var weightColumn: String?
    /// Points with different values in this column never merge; `nil` if all points can merge. In a manifest, the
    /// name of its property in the tiles.
    public var groupColumn: String?
    /// Which points never merge; `nil` for none.
    public var unclustered: UnclusteredRule?
    /// The first zoom with tiles.
    public var minZoom: Int
    /// The last zoom with tiles. Every point stands alone there, except for ``coincidentLimit``.
    public var maxZoom: Int
    /// The last clustered zoom, lower than ``maxZoom``; -1 for none.
    public var clusterMaxZoom: Int

    /// The values that ``tileSize`` can have.
    public static let tileSizes = [256, 512]
    public static let distances = 1...256
    public static let cellSizes = 4...256
    /// The zooms that a tileset can have; 23 is never clustered. At zoom 22, 256-pixel tiles have pixels of 3.7 cm at
    /// the equator.
    public static let zooms = 0...23
    /// The max zoom if neither the user nor the data determine it.
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

    /// The positions that are available for a method; the first one is the default.
    public static func positions(of method: Method) -> [Position] {
        switch method {
        case .anchors: [.anchor, .centroid]
        case .grid: [.centroid, .nearest, .inset]
        }
    }
}

extension ClusteringOptions {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        let positions = ClusteringOptions.positions(of: method)
        if !positions.contains(position) {
            let allowed = positions.map(\.rawValue).joined(separator: ", ")
            return "\(.position) is \"\(position.rawValue)\", expected \(allowed) with \(.method) \(method.rawValue)"
        }
        if !ClusteringOptions.tileSizes.contains(tileSize) { return "\(.tileSize) is \(tileSize), expected 256 or 512" }
        if let distance = clusterDistance.values.first(where: { !scaled(ClusteringOptions.distances).contains($0) }) {
            return "\(.clusterDistance) is \(distance), expected \(pixels(ClusteringOptions.distances))"
        }
        if let size = cellSize.values.first(where: {
            !scaled(ClusteringOptions.cellSizes).contains($0) || $0 & ($0 - 1) != 0
        }) {
            return "\(.cellSize) is \(size), expected a power of two from \(pixels(ClusteringOptions.cellSizes))"
        }
        if mode == .filter, method != .anchors || position != .anchor || minPoints != 2 {
            return "\(.mode) filter needs \(.method) anchors, \(.position) anchor and \(.minPoints) 2"
        }
        if mode == .filter, coincidentLimit != nil {
            return "\(.coincidentLimit) can't be used with \(.mode) filter, which writes no clusters"
        }
        if let coincidentLimit, coincidentLimit < leastCoincidentLimit {
            return "\(.coincidentLimit) is \(coincidentLimit), expected \(leastCoincidentLimit) or more"
                + (minPoints > 2 ? ", because \(.minPoints) is \(minPoints)" : "")
        }
        if minPoints < 2 { return "\(.minPoints) is \(minPoints), expected 2 or more" }
        // More points than a tileset can have.
        if minPoints > UInt32.max { return "\(.minPoints) is \(minPoints), expected at most \(UInt32.max)" }
        if !ClusteringOptions.zooms.contains(maxZoom) { return "\(.maxZoom) is \(maxZoom), expected 0 to 23" }
        if minZoom < 0 || minZoom > maxZoom {
            return "\(.minZoom) is \(minZoom), expected 0 to \(maxZoom), the max zoom"
        }
        if clusterMaxZoom < -1 || clusterMaxZoom >= maxZoom {
            return "\(.clusterMaxZoom) is \(clusterMaxZoom), expected -1 to \(maxZoom - 1), one less than the max zoom"
        }
        return clusteredZooms.lazy.compactMap { problem(atZoom: $0) }.first
    }

    private func problem(atZoom zoom: Int) -> OptionMessage? {
        let (distance, size) = (clusterDistance[zoom], cellSize[zoom])
        if !hasDistinctIDs(atZoom: zoom) {
            let measure: OptionMessage =
                method == .anchors ? "\(.clusterDistance) is \(distance)" : "\(.cellSize) is \(size)"
            return "\(measure) at zoom \(zoom), too small for distinct cluster ids; "
                + "use a greater one, or \(.clusterMaxZoom) \(zoom - 1)"
        }
        guard method == .grid else { return nil }
        if position == .inset, distance > size {
            return
                "\(.clusterDistance) is \(distance), expected at most the cell size (\(size)) with \(.position) inset"
        }
        guard zoom < clusterMaxZoom, size * 2 < cellSize[zoom + 1] else { return nil }
        return "\(.cellSize) is \(size) at zoom \(zoom), "
            + "expected at least \(cellSize[zoom + 1] / 2), half of that at zoom \(zoom + 1)"
    }

    private func pixels(_ range: ClosedRange<Int>) -> OptionMessage {
        let scaled = scaled(range)
        let measure: OptionMessage = tileSize == 256 ? "" : " with \(.tileSize) \(tileSize)"
        return "\(scaled.lowerBound) to \(scaled.upperBound) pixels\(measure)"
    }

    /// The minimum of ``coincidentLimit``: coincident points can't be a cluster with fewer points than ``minPoints``.
    public var leastCoincidentLimit: Int { max(2, minPoints) - 1 }

    /// A range for 256-pixel tiles, scaled to tiles of ``tileSize``.
    public func scaled(_ pixels: ClosedRange<Int>) -> ClosedRange<Int> {
        pixels.lowerBound * tileSize / 256...pixels.upperBound * tileSize / 256
    }

    /// Clusters have distinct ids if their anchors are farther apart than the diagonal of a quadtree node at depth 26.
    private func hasDistinctIDs(atZoom zoom: Int) -> Bool {
        switch method {
        // At zoom z, the diagonal is T * sqrt(2) * 2^(z - 26) pixels if a tile has T. T * sqrt(2), rounded up, is 363
        // or 725.
        case .anchors: zoom <= 22 && clusterDistance[zoom] << (26 - zoom) >= (tileSize == 256 ? 363 : 725)
        case .grid: zoom <= 22 && cellDepth(atZoom: zoom) <= 26
        }
    }
}

extension ClusteringOptions {
    /// Whether there can be clusters that no zoom splits.
    package var keepsPlacesTogether: Bool { coincidentLimit != nil }

    /// Whether this many points at one place are a cluster that no zoom splits.
    package func staysTogether(pointCount: Int) -> Bool { coincidentLimit.map { pointCount > $0 } ?? false }

    /// Whether this many points in a box are a cluster that no zoom splits: they must all be at one place.
    package func staysTogether(pointCount: Int, in box: BoundingBox) -> Bool {
        guard staysTogether(pointCount: pointCount) else { return false }
        // Points of different latitudes beyond the map's edge are drawn at the same place on it.
        return box.west == box.east
            && WebMercator.project(Coordinate(longitudeMicrodegrees: box.west, latitudeMicrodegrees: box.south))
                == WebMercator.project(Coordinate(longitudeMicrodegrees: box.west, latitudeMicrodegrees: box.north))
    }

    /// Whether markers rank by their numbers of points alone. Only then do tiles show which of two markers ranks
    /// higher.
    package var ranksByCountAlone: Bool { priorityColumn == nil && weightColumn == nil }
}

/// The quantities that define the clustering, in pixels and in world units (the world is 2³² units wide).
extension ClusteringOptions {
    /// The cluster distance in world units: floor(D * 2^(32 - z) / T) for D pixels and tiles of T pixels. Markers that
    /// are closer than this merge.
    public func distanceUnits(atZoom zoom: Int) -> UInt64 {
        (UInt64(clusterDistance[zoom]) << 32 / UInt64(tileSize)) >> UInt64(zoom)
    }

    /// The depth of a zoom's cells in the quadtree. With `anchors`, a cell is at least a cluster distance wide; with
    /// `grid`, exactly a cell size.
    public func cellDepth(atZoom zoom: Int) -> Int {
        switch method {
        case .anchors: zoom + Int(log2Floor: tileSize / clusterDistance[zoom])
        case .grid: zoom + Int(log2Floor: tileSize / cellSize[zoom])
        }
    }

    /// The depth of the quadtree nodes whose points become one candidate from the start. With `anchors`, they are at
    /// most a quarter of the last clustered zoom's cluster distance wide; with `grid`, they are that zoom's cells.
    public var candidateDepth: Int {
        let distance = clusterDistance[clusterMaxZoom]
        return switch method {
        case .anchors: clusterMaxZoom + Int(log2Floor: (4 * tileSize + distance - 1) / distance * 2 - 1)
        case .grid: cellDepth(atZoom: clusterMaxZoom)
        }
    }

    /// The zooms at which points are clustered, from the last to the first.
    public var clusteredZooms: ReversedCollection<Range<Int>> {
        (min(minZoom, clusterMaxZoom + 1)..<clusterMaxZoom + 1).reversed()
    }

    /// The distance in world units that is promised between any two markers of a group, or only between its clusters if
    /// ``promiseCoversPoints`` is false; `nil` if none is promised. Points that never merge are exempt.
    ///
    /// With `inset`, it is less than the cluster distance, because each computed place is rounded to a microdegree.
    /// That moves it by up to ``WebMercator/roundingUnits(atLatitude:)``.
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

    /// Whether the promised distance holds for points too. It holds only for clusters if some points aren't anchors:
    /// the members of clusters that are too small to be written and, with `grid`, every single point.
    public var promiseCoversPoints: Bool { method == .anchors && minPoints == 2 }
}

extension Int {
    /// The exponent of the greatest power of two that is not greater than `value`.
    fileprivate init(log2Floor value: Int) {
        self = Int.bitWidth - 1 - value.leadingZeroBitCount
    }
}

extension OptionName {
    public static var method: OptionName { OptionName() }
    public static var mode: OptionName { OptionName() }
    public static var position: OptionName { OptionName() }
    public static var clusterDistance: OptionName { OptionName() }
    public static var cellSize: OptionName { OptionName() }
    public static var minPoints: OptionName { OptionName() }
    public static var coincidentLimit: OptionName { OptionName() }
    public static var tileSize: OptionName { OptionName() }
    public static var minZoom: OptionName { OptionName() }
    public static var maxZoom: OptionName { OptionName() }
    public static var clusterMaxZoom: OptionName { OptionName() }
    public static var priority: OptionName { OptionName() }
    public static var weight: OptionName { OptionName() }
    public static var groupBy: OptionName { OptionName() }
    public static var unclustered: OptionName { OptionName() }
}

/// Which points never merge. As text, `COLUMN` or `COLUMN=VALUE`.
public struct UnclusteredRule: Codable, Hashable, Sendable {
    public var column: String
    /// Points with this value never merge; `nil` for points with any value except ``noes``.
    public var value: String?

    /// Values that mean "no", compared without regard to case.
    public static let noes: Set<String> = ["", "0", "false", "no", "n", "off"]

    public init(column: String, value: String? = nil) {
        self.column = column
        self.value = value
    }

    /// `nil` if the column's name is empty.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let column = parts.first, !column.isEmpty else { return nil }
        self.init(column: column, value: parts.count > 1 ? parts[1] : nil)
    }

    /// The same rule with its value in the canonical form of numbers, in which `24.0` is `24`.
    package var forNumbers: UnclusteredRule {
        var (rule, text) = (self, [UInt8]())
        let bytes = ContiguousArray((value ?? "").utf8)
        if CanonicalNumber.write(bytes.span, 0..<bytes.count, into: &text) {
            rule.value = String(decoding: text, as: UTF8.self)
        }
        return rule
    }

    /// The same rule with its value in the canonical form of booleans, in which `True` is `true`.
    package var forBooleans: UnclusteredRule { UnclusteredRule(column: column, value: value?.lowercased()) }

    /// Whether a point with this value in the column never merges.
    public func holds(_ text: some Collection<UInt8>) -> Bool {
        guard let value else {
            return !UnclusteredRule.noes.contains(String(decoding: text, as: UTF8.self).lowercased())
        }
        return value.utf8.elementsEqual(text)
    }
}
