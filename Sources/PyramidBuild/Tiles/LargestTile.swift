import PyramidClusters
import PyramidTiles

/// How much a client loads with a tile. Unclustered points aren't counted, because the user asked for them.
public struct LargestTile: Codable, Sendable {
    public let tile: TileCoordinate
    /// Including unclustered points.
    public let markerCount: Int
    /// The size of its file, with all markers.
    public let storedBytes: Int
    /// Without unclustered points.
    public let countedMarkers: Int
    /// The stored bytes, less the share of unclustered points.
    public let countedBytes: Int
    /// Whether it has more than ``markerLimit`` or ``byteLimit``.
    private let isLarge: Bool
    /// The first higher zoom at which none of its descendants is large; `nil` if there is none.
    private var enoughZoom: Int?
    /// How many markers the tile would have with each of ``possibleLimits``; empty if it isn't large.
    private var markersByLimit: [Int] = []

    static let markerLimit = 5000
    static let byteLimit = 500_000
    /// The coincident limits to suggest.
    private static let possibleLimits = [1000, 100, 10, 1]

    /// - Parameters:
    ///   - codes: the Morton codes of the counted markers, ascending.
    ///   - markerCount: of all markers.
    init(_ tile: TileCoordinate, codes: [UInt64], markerCount: Int, storedBytes: Int) {
        self.tile = tile
        self.markerCount = markerCount
        self.storedBytes = storedBytes
        countedMarkers = codes.count
        countedBytes = storedBytes * codes.count / max(markerCount, 1)
        isLarge = countedMarkers > LargestTile.markerLimit || countedBytes > LargestTile.byteLimit
        guard isLarge else { return }
        enoughZoom = ClusteringOptions.zooms.dropFirst(tile.z + 1).first { zoom in
            isWithinLimits(LargestTile.runs(of: codes) { $0 >> UInt64(64 - 2 * zoom) }.max() ?? 0)
        }
        let places = LargestTile.runs(of: codes) { $0 }
        markersByLimit = LargestTile.possibleLimits.map { limit in places.reduce(0) { $0 + ($1 > limit ? 1 : $1) } }
    }

    /// Whether the numbers are possible for a tile; they may come from a damaged file.
    fileprivate var isSound: Bool {
        ([markerCount, storedBytes, countedMarkers, countedBytes] + markersByLimit)
            .allSatisfy((0..<1 << 31).contains) && enoughZoom.map(ClusteringOptions.zooms.contains) ?? true
    }

    /// The lengths of the runs of codes with equal keys.
    private static func runs(of codes: [UInt64], by key: (UInt64) -> UInt64) -> [Int] {
        var runs: [Int] = []
        var last: UInt64?
        for code in codes {
            if key(code) == last { runs[runs.count - 1] += 1 } else { runs.append(1) }
            last = key(code)
        }
        return runs
    }

    /// Whether the tile would be small enough with only this many of its markers.
    private func isWithinLimits(_ count: Int) -> Bool {
        count <= LargestTile.markerLimit && countedBytes * count <= LargestTile.byteLimit * countedMarkers
    }

    /// The options that would make the tile smaller; `nil` if it isn't large.
    /// - Parameters:
    ///   - options: the build's.
    ///   - content: the build's.
    public func cure(_ options: ClusteringOptions, _ content: ClusterContentOptions) -> OptionMessage? {
        guard isLarge else { return nil }
        guard tile.z <= options.clusterMaxZoom else {
            return cureByZoom(options) ?? cureByLimit(options) ?? cureByContent(content)
        }
        guard countedMarkers > LargestTile.markerLimit else { return cureByContent(content) }
        if options.minPoints > 2 { return "a smaller \(.minPoints)" }
        let distance: OptionMessage = "a greater \(.clusterDistance)"
        return options.groupColumn == nil ? distance : distance + " or fewer values in the \(.groupBy) column"
    }

    private func cureByZoom(_ options: ClusteringOptions) -> OptionMessage? {
        guard let enoughZoom else { return nil }
        var changed = options
        changed.maxZoom = max(options.maxZoom, enoughZoom)
        changed.clusterMaxZoom = enoughZoom - 1
        guard changed.problem == nil else { return nil }
        if enoughZoom <= options.maxZoom { return "\(.clusterMaxZoom) \(enoughZoom - 1)" }
        // By default, the last zoom with clusters is one lower than the max zoom.
        let isGiven = options.clusterMaxZoom < options.maxZoom - 1
        return isGiven
            ? "\(.maxZoom) \(enoughZoom) with \(.clusterMaxZoom) \(enoughZoom - 1)" : "\(.maxZoom) \(enoughZoom)"
    }

    private func cureByLimit(_ options: ClusteringOptions) -> OptionMessage? {
        let limits = zip(LargestTile.possibleLimits, markersByLimit).filter {
            $0.0 >= options.minPoints - 1 && $0.0 < options.coincidentLimit ?? .max
        }
        // If no limit makes the tile small enough, suggests the greatest limit that leaves at most 10% more markers than
        // the least one, provided that the least one saves a quarter.
        guard let least = limits.last?.1, isWithinLimits(least) || least * 4 <= countedMarkers * 3,
            let limit = limits.first(where: {
                isWithinLimits($0.1) || !isWithinLimits(least) && $0.1 * 10 <= least * 11
            })?.0
        else { return nil }
        let needed: OptionMessage = options.mode == .filter ? "\(.mode) markers with " : ""
        return needed + "\(.coincidentLimit) \(limit), because many points share a place,"
    }

    private func cureByContent(_ content: ClusterContentOptions) -> OptionMessage {
        if content.accumulate.contains(where: { [.concat, .comma].contains($0.operation) }) {
            return "\(.accumulateAttribute) without concat and comma"
        }
        if content.memberLimit != nil { return "a smaller \(.members)" }
        let columns: OptionName = content.properties.isEmpty ? .include : .clusterProperties
        return "fewer columns in \(columns)"
    }
}

/// The largest tiles so far; the order in which tiles are added doesn't matter.
package struct LargestTiles: Codable, Sendable {
    /// The one with the most bytes.
    package private(set) var byBytes: LargestTile?
    /// The one with the most markers.
    package private(set) var byMarkers: LargestTile?

    package init(byBytes: LargestTile? = nil, byMarkers: LargestTile? = nil) {
        self.byBytes = byBytes
        self.byMarkers = byMarkers
    }

    /// Adds a tile that was written.
    /// - Parameters:
    ///   - codes: of the places of its markers, ascending.
    ///   - numbers: of its markers.
    ///   - unclustered: the points that never merge.
    package mutating func add(
        _ tile: TileCoordinate, _ file: StoredFile, _ codes: some Collection<UInt64>,
        _ numbers: some Collection<MarkerNumber>, unclustered: Range<Int>
    ) {
        // All its markers and bytes are an upper bound of the counted ones.
        guard includes(markerCount: codes.count, countedBytes: file.byteCount) else { return }
        let counted =
            unclustered.isEmpty
            ? Array(codes) : zip(codes, numbers).filter { $1.isCluster || !unclustered.contains($1.index) }.map(\.0)
        guard !counted.isEmpty else { return }
        add(LargestTile(tile, codes: counted, markerCount: codes.count, storedBytes: file.byteCount))
    }

    private mutating func add(_ tile: LargestTile) {
        if byBytes.map({ LargestTiles.isLarger(tile, $0, by: \.countedBytes) }) ?? true { byBytes = tile }
        if byMarkers.map({ LargestTiles.isLarger(tile, $0, by: \.countedMarkers) }) ?? true { byMarkers = tile }
    }

    package mutating func add(_ other: LargestTiles) {
        for tile in [other.byBytes, other.byMarkers] { if let tile { add(tile) } }
    }

    /// Whether numbers read from a part's file are possible for tiles.
    package var isSound: Bool { byBytes?.isSound ?? true && byMarkers?.isSound ?? true }

    /// Whether a tile of this size may be one of the largest.
    func includes(markerCount: Int, countedBytes: Int) -> Bool {
        guard let byBytes, let byMarkers else { return true }
        return countedBytes >= byBytes.countedBytes || markerCount >= byMarkers.countedMarkers
    }

    /// Ties are broken by the order of tiles, so that the result doesn't depend on the order of adding.
    private static func isLarger(_ one: LargestTile, _ other: LargestTile, by size: KeyPath<LargestTile, Int>) -> Bool {
        if one[keyPath: size] != other[keyPath: size] { return one[keyPath: size] > other[keyPath: size] }
        return one.tile < other.tile
    }
}
