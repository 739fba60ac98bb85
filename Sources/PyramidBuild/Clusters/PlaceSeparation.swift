import PyramidTiles

/// The chosen max zoom, and why.
public struct MaxZoomChoice: Sendable {
    public enum Reason: Sendable {
        /// The lowest zoom at which enough places stand alone.
        case enough
        /// No zoom is enough; this is the highest one that separates notably more places than the next lower zoom.
        case lastGain
        /// No zoom separates notably more places than the next lower one.
        case noGain
        /// Higher zooms would add too many tiles for the places that they separate.
        case tiles
        /// All points are at one place, or no point can merge with another.
        case onePlace
        /// The min zoom or the max cluster zoom leaves no choice.
        case givenZooms
    }

    public let zoom: Int
    public let reason: Reason
    /// The highest zoom that could have been chosen.
    public let highestZoom: Int
    /// The share of places that stand alone at the highest zoom, in 0 ... 1.
    public let aloneShare: Double
    /// The number of different places.
    public let placeCount: Int
    /// What the next zoom would add; `nil` if tiles are bundled, and if no higher zoom could be chosen.
    var nextZoom: NextZoom?

    struct NextZoom: Sendable {
        let tileCount: Int
        /// How many markers the chosen zoom would have, which would be clustered then. Clusters of fewer points than the
        /// min points count as one.
        let clusteredMarkerCount: Int
    }
}

/// How many of the different places stand alone at each zoom. A place that stands alone needs no higher zoom.
public struct PlaceSeparation: Sendable {
    public let placeCount: Int
    /// From the lowest clustered zoom to the lowest unclustered one.
    private let zooms: ClosedRange<Int>
    /// By zoom: the number of places that stand alone.
    private let aloneCounts: [Int]
    /// By zoom: the number of markers.
    private let markerCounts: [Int]

    /// The share of places that must stand alone at the max zoom.
    static let enough = 0.95
    /// The share of places that a zoom must separate to be worth its tiles.
    static let gain = 0.01
    /// The highest zoom that can be chosen.
    static let highestChoice = 20
    /// How many further tiles one more place that stands alone pays for.
    static let tilesPerPlace = 3

    /// - Parameter hierarchy: of the rules' clustered zooms, at least one.
    init(of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, _ rules: ClusteringRules) {
        let zooms = rules.firstUnclusteredZoom - rules.zooms.count...rules.firstUnclusteredZoom
        self.zooms = zooms
        // By candidate: the highest zoom at which it joins another or is joined.
        var together = hierarchy.joinZoom
        for candidate in 0..<hierarchy.candidateCount where hierarchy.joinZoom[candidate] >= 0 {
            let parent = Int(hierarchy.parent[candidate])
            together[parent] = max(together[parent], hierarchy.joinZoom[candidate])
        }
        var places = 0
        var (leaving, appearing) = ([Int](repeating: 0, count: zooms.count), [Int](repeating: 0, count: zooms.count))
        for candidate in 0..<hierarchy.candidateCount {
            appearing[max(Int(hierarchy.joinZoom[candidate]) + 1 - zooms.lowerBound, 0)] += 1
            let points = hierarchy.points(of: candidate)
            var count = 1
            for point in points.dropFirst() where quadtree.codes[point] != quadtree.codes[point - 1] { count += 1 }
            places += count
            if count == 1 { leaving[max(Int(together[candidate]) + 1 - zooms.lowerBound, 0)] += 1 }
        }
        placeCount = places
        aloneCounts = leaving.runningTotals
        markerCounts = appearing.runningTotals.map { $0 + quadtree.unclustered.count }
    }

    /// The number of markers at a zoom, from the lowest clustered zoom to the lowest unclustered one.
    func markerCount(atZoom zoom: Int) -> Int { markerCounts[zoom - zooms.lowerBound] }

    /// The zoom with the most places alone, less one for every three tiles of this and all lower zooms, not counting the
    /// free ones. The highest of equally good zooms.
    /// - Parameters:
    ///   - candidates: the zooms to choose from.
    ///   - minZoom: the lowest zoom with tiles.
    func worthwhileZoom(
        in candidates: ClosedRange<Int>, _ tiles: TileCounts, fromMinZoom minZoom: Int, freeTiles: Int
    ) -> Int {
        func worth(_ zoom: Int) -> Int {
            let paidTiles = max(tiles.total(minZoom...zoom) - freeTiles, 0)
            return PlaceSeparation.tilesPerPlace * aloneCounts[zoom - zooms.lowerBound] - paidTiles
        }
        return candidates.reversed().max { worth($0) < worth($1) } ?? candidates.upperBound
    }

    /// The share of places that stand alone at a zoom, in 0 ... 1; `zoom` is at least the lowest clustered zoom.
    func share(atZoom zoom: Int) -> Double {
        zooms.contains(zoom) && placeCount > 0 ? Double(aloneCounts[zoom - zooms.lowerBound]) / Double(placeCount) : 1
    }

    /// The share of places that stand alone at the highest clustered zoom, in 0 ... 1.
    public var lastShare: Double { share(atZoom: zooms.upperBound - 1) }

    /// The lowest zoom at which 95% of the places stand alone; `nil` if no zoom suffices.
    public var sufficientZoom: Int? { zooms.first { share(atZoom: $0) >= PlaceSeparation.enough } }

    /// The highest clustered zoom that separates notably more places than the next lower one; `nil` if none does.
    var lastZoomWithGain: Int? {
        zooms.dropFirst().dropLast().last { share(atZoom: $0) - share(atZoom: $0 - 1) >= PlaceSeparation.gain }
    }
}
