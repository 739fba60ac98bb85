import PyramidTiles

/// A tile and how much a client loads with it. Points that never merge don't count: they are there by request.
public struct LargestTile: Sendable {
    public let tile: TileCoordinate
    /// Without the points that never merge.
    public let markerCount: Int
    /// As stored, with all markers.
    public let storedBytes: Int
    /// The stored bytes, less the share of points that never merge.
    let countedBytes: Int
    /// How many markers there would be with each of ``possibleLimits``, and with each place as one marker; empty if the
    /// tile is not too large.
    private let markersByLimit: [Int]

    static let usualMarkers = 5000
    static let usualBytes = 500_000
    /// The coincident limits that are proposed.
    private static let possibleLimits = [1000, 100, 10, 1]

    /// - Parameter codes: of the places of all markers, ascending.
    init(_ tile: TileCoordinate, codes: ArraySlice<UInt64>, unclusteredCount: Int, storedBytes: Int) {
        self.tile = tile
        self.storedBytes = storedBytes
        markerCount = codes.count - unclusteredCount
        countedBytes = unclusteredCount == 0 ? storedBytes : storedBytes * markerCount / codes.count
        guard markerCount > LargestTile.usualMarkers || countedBytes > LargestTile.usualBytes else {
            markersByLimit = []
            return
        }
        var counts = [Int](repeating: 0, count: LargestTile.possibleLimits.count)
        var start = codes.startIndex
        while start < codes.endIndex {
            let end = codes[start...].firstIndex { $0 != codes[start] } ?? codes.endIndex
            for (index, limit) in LargestTile.possibleLimits.enumerated() {
                counts[index] += end - start > limit ? 1 : end - start
            }
            start = end
        }
        markersByLimit = counts
    }

    /// What would make the tile smaller; `nil` if it is not too large.
    /// - Parameter options: that made it.
    public func cure(_ options: ClusteringOptions) -> OptionMessage? {
        guard let placeCount = markersByLimit.last else { return nil }
        if tile.z <= options.clusterMaxZoom {
            guard markerCount > LargestTile.usualMarkers else { return "\(.include) with fewer columns" }
            if options.minPoints > 2 { return "less than \(options.minPoints) as \(.minPoints)" }
            let distance: OptionMessage =
                options.method == .anchors ? "a greater \(.clusterDistance)" : "a greater \(.cellSize)"
            return options.groupColumn == nil ? distance : distance + ", or fewer values in the \(.groupBy) column"
        }
        guard placeCount * 2 <= codesCount else { return cureOfDifferentPlaces(options) }
        let limits = zip(LargestTile.possibleLimits, markersByLimit).filter {
            $0.0 >= options.minPoints - 1 && $0.0 < options.coincidentLimit ?? .max
        }
        guard let limit = (limits.first { isUsual($0.1) } ?? limits.last)?.0 else {
            return cureOfDifferentPlaces(options)
        }
        let needed: OptionMessage = options.output == .filter ? "\(.output) markers with " : ""
        return needed + "\(.coincidentLimit) \(limit), as many points are at one place"
    }

    private var codesCount: Int { max(markerCount, 1) }

    private func isUsual(_ count: Int) -> Bool {
        count <= LargestTile.usualMarkers && countedBytes / codesCount * count <= LargestTile.usualBytes
    }

    private func cureOfDifferentPlaces(_ options: ClusteringOptions) -> OptionMessage {
        if tile.z < options.maxZoom { return "\(.clusterMaxZoom) \(options.maxZoom - 1)" }
        var zoom = tile.z
        // Every zoom has a quarter of the markers in a tile, rounded up.
        var count = markerCount
        while zoom < ClusteringOptions.zooms.upperBound, !isUsual(count) {
            zoom += 1
            count = (count + 3) / 4
        }
        return zoom == tile.z ? "\(.include) with fewer columns" : "\(.maxZoom) \(zoom) or so"
    }
}

/// The largest tiles so far, whatever the order in which they come.
struct LargestTiles: Sendable {
    /// The one with the most bytes.
    private(set) var byBytes: LargestTile?
    /// The one with the most markers.
    private(set) var byMarkers: LargestTile?

    mutating func add(_ tile: LargestTile) {
        if let largest = byBytes, !LargestTiles.isLarger(tile, largest, by: \.countedBytes) {} else { byBytes = tile }
        if let largest = byMarkers, !LargestTiles.isLarger(tile, largest, by: \.markerCount) {
        } else {
            byMarkers = tile
        }
    }

    /// Adds a file with these markers.
    /// - Parameters:
    ///   - codes: of their places, ascending.
    ///   - unclustered: the points that are never merged.
    mutating func add(
        _ tile: TileCoordinate, _ file: StoredFile, _ codes: ArraySlice<UInt64>, _ numbers: ArraySlice<MarkerNumber>,
        unclustered: Range<Int>
    ) {
        // With all its markers, it may be larger than it counts.
        guard includes(markerCount: codes.count, countedBytes: file.byteCount) else { return }
        let unclusteredCount =
            unclustered.isEmpty ? 0 : numbers.count { !$0.isCluster && unclustered.contains($0.index) }
        add(LargestTile(tile, codes: codes, unclusteredCount: unclusteredCount, storedBytes: file.byteCount))
    }

    mutating func add(_ other: LargestTiles) {
        for tile in [other.byBytes, other.byMarkers] { if let tile { add(tile) } }
    }

    /// Whether a tile of this many markers and bytes must be added.
    func includes(markerCount: Int, countedBytes: Int) -> Bool {
        guard let byBytes, let byMarkers else { return true }
        return countedBytes >= byBytes.countedBytes || markerCount >= byMarkers.markerCount
    }

    /// The first one of equals is the one at the lowest zoom, in the north west.
    private static func isLarger(_ one: LargestTile, _ other: LargestTile, by size: KeyPath<LargestTile, Int>) -> Bool {
        if one[keyPath: size] != other[keyPath: size] { return one[keyPath: size] > other[keyPath: size] }
        return one.tile < other.tile
    }
}
