/// The options that determine which markers a tileset shows. They are part of the manifest, so that a verifier can
/// check the tiles against them. There, columns have the names of their properties in the tiles.
public struct ClusteringOptions: Codable, Equatable, Sendable {
    public enum Position: String, Codable, CaseIterable, Sendable {
        /// At one of the cluster's points, the same one at every zoom.
        case anchor
        /// At the mean of the members, pulled towards the anchor as far as the cluster distance requires.
        case centroid
    }

    public enum Mode: String, Codable, CaseIterable, Sendable {
        /// Points and clusters.
        case markers
        /// Only the anchors, as plain points. Points that would overlap them are hidden.
        case filter
    }

    public var mode = Mode.markers
    public var position: Position
    /// The side of a tile on the map in pixels, one of ``tileSizes``. All distances are in these pixels.
    public var tileSize = ClusteringOptions.tileSizes[0]
    /// The minimum distance between markers in pixels. Must be in ``distances``, scaled by ``tileSize``.
    public var clusterDistance: PixelsByZoom
    /// Clusters with fewer points are written as single points.
    public var minPoints: Int
    /// More points than this at one place are a cluster at every zoom, including the last. `nil` if zooms higher than
    /// ``clusterMaxZoom`` have no clusters at all.
    public var coincidentLimit: Int?
    /// The column that ranks points: of points too close together, the one with the greatest number keeps its place.
    /// `nil` for none.
    public var priorityColumn: String?
    /// The column with the number of points that a row counts as; `nil` if each counts as one.
    public var weightColumn: String?
    /// Points with different values in this column never merge; `nil` if all points can merge.
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
    /// The zooms that a tileset can have; 23 is never clustered. At zoom 22, 256-pixel tiles have pixels of 3.7 cm at
    /// the equator.
    public static let zooms = 0...23
    /// The max zoom if neither the user nor the data determine it.
    public static let defaultMaxZoom = 14

    public init(
        position: Position = .anchor, clusterDistance: PixelsByZoom = 40, minPoints: Int = 2, minZoom: Int = 0,
        maxZoom: Int = defaultMaxZoom, clusterMaxZoom: Int? = nil
    ) {
        self.position = position
        self.clusterDistance = clusterDistance
        self.minPoints = minPoints
        self.minZoom = minZoom
        self.maxZoom = maxZoom
        self.clusterMaxZoom = clusterMaxZoom ?? maxZoom - 1
    }
}

extension ClusteringOptions {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        if !ClusteringOptions.tileSizes.contains(tileSize) { return "\(.tileSize) is \(tileSize), expected 256 or 512" }
        if let distance = clusterDistance.values.first(where: { !scaled(ClusteringOptions.distances).contains($0) }) {
            return "\(.clusterDistance) is \(distance), expected \(pixels(ClusteringOptions.distances))"
        }
        if mode == .filter, position != .anchor || minPoints != 2 {
            return "\(.mode) filter needs \(.position) anchor and \(.minPoints) 2"
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
        return clusteredZooms.first { !hasDistinctIDs(atZoom: $0) }.map { zoom in
            "\(.clusterDistance) is \(clusterDistance[zoom]) at zoom \(zoom), too small for distinct cluster ids; "
                + "use a greater one, or \(.clusterMaxZoom) \(zoom - 1)"
        }
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
        // At zoom z, the diagonal is T * sqrt(2) * 2^(z - 26) pixels if a tile has T. T * sqrt(2), rounded up, is 363
        // or 725.
        zoom <= 22 && clusterDistance[zoom] << (26 - zoom) >= (tileSize == 256 ? 363 : 725)
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
}

/// The quantities that define the clustering, in pixels and in world units (the world is 2³² units wide).
extension ClusteringOptions {
    /// The cluster distance in world units: floor(D * 2^(32 - z) / T) for D pixels and tiles of T pixels. Markers that
    /// are closer than this merge.
    public func distanceUnits(atZoom zoom: Int) -> UInt64 {
        (UInt64(clusterDistance[zoom]) << 32 / UInt64(tileSize)) >> UInt64(zoom)
    }

    /// The depth of a zoom's cells in the quadtree. A cell is at least a cluster distance wide.
    public func cellDepth(atZoom zoom: Int) -> Int { zoom + Int(log2Floor: tileSize / clusterDistance[zoom]) }

    /// The depth of the quadtree nodes whose points become one candidate from the start. They are at most a quarter of
    /// the last clustered zoom's cluster distance wide.
    public var candidateDepth: Int {
        let distance = clusterDistance[clusterMaxZoom]
        return clusterMaxZoom + Int(log2Floor: (4 * tileSize + distance - 1) / distance * 2 - 1)
    }

    /// The zooms at which points are clustered, from the last to the first.
    public var clusteredZooms: ReversedCollection<Range<Int>> {
        (min(minZoom, clusterMaxZoom + 1)..<clusterMaxZoom + 1).reversed()
    }

    /// The distance in world units that is promised between any two markers of a group, or only between its clusters if
    /// ``promiseCoversPoints`` is false; `nil` if none is promised. Points that never merge are exempt.
    public func promisedDistanceUnits(atZoom zoom: Int) -> UInt64? {
        zoom <= clusterMaxZoom ? distanceUnits(atZoom: zoom) : nil
    }

    /// The promised distances in pixels, of which a tile has ``tileSize``, from the first zoom to the last with clusters;
    /// `nil` if none are promised.
    package var clusterDistances: [Double]? {
        guard minZoom <= min(clusterMaxZoom, maxZoom) else { return nil }
        return (minZoom...min(clusterMaxZoom, maxZoom)).map { zoom in
            // To a thousandth, because whole pixels become fractions of units.
            let pixels = Double(distanceUnits(atZoom: zoom)) / 0x1p32 * Double(tileSize << zoom)
            return (pixels * 1000).rounded() / 1000
        }
    }

    /// Whether the promised distance holds for points too. It doesn't if members of clusters that are too small are
    /// written as points.
    public var promiseCoversPoints: Bool { minPoints == 2 }
}

extension Int {
    /// The exponent of the greatest power of two that is not greater than `value`.
    fileprivate init(log2Floor value: Int) {
        self = Int.bitWidth - 1 - value.leadingZeroBitCount
    }
}

extension OptionName {
    public static var mode: OptionName { OptionName() }
    public static var position: OptionName { OptionName() }
    public static var clusterDistance: OptionName { OptionName() }
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
