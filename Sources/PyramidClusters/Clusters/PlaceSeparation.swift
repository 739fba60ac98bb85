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

    package init(zoom: Int, reason: Reason, highestZoom: Int, aloneShare: Double, placeCount: Int) {
        self.zoom = zoom
        self.reason = reason
        self.highestZoom = highestZoom
        self.aloneShare = aloneShare
        self.placeCount = placeCount
    }
}

/// How many of the different places stand alone at each zoom. A place that stands alone needs no higher zoom.
package struct PlaceSeparation: Sendable {
    package let placeCount: Int
    /// From the lowest clustered zoom to the lowest unclustered one.
    private let zooms: ClosedRange<Int>
    /// By zoom: the number of places that stand alone.
    private let aloneCounts: [Int]

    /// The share of places that must stand alone at the max zoom.
    package static let enough = 0.95
    /// The share of places that a zoom must separate to be worth its tiles.
    static let gain = 0.01
    /// The highest zoom that can be chosen.
    package static let highestChoice = 20
    /// How many further tiles one more place that stands alone pays for.
    static let tilesPerPlace = 3

    /// - Parameters:
    ///   - hierarchy: of the rules' clustered zooms, at least one.
    ///   - codes: only candidates whose anchors are there count; `nil` for all.
    package init(
        of hierarchy: ClusterHierarchy, in quadtree: LinearQuadtree, _ rules: ClusteringRules,
        codes: ClosedRange<UInt64>? = nil
    ) {
        let zooms = rules.firstUnclusteredZoom - rules.zooms.count...rules.firstUnclusteredZoom
        self.zooms = zooms
        let together = hierarchy.lastZoomsTogether
        var places = 0
        var leaving = [Int](repeating: 0, count: zooms.count)
        for candidate in 0..<hierarchy.candidateCount {
            if let codes, !codes.contains(quadtree.codes[Int(hierarchy.anchorPoint[candidate])]) { continue }
            let isAlone: Bool
            if !hierarchy.known.isEmpty {
                isAlone = hierarchy.known.areAlone[candidate]
            } else {
                let count = quadtree.placeCount(of: hierarchy.points(of: candidate))
                places += count
                isAlone = count == 1
            }
            if isAlone { leaving[max(Int(together[candidate]) + 1 - zooms.lowerBound, 0)] += 1 }
        }
        placeCount = places
        aloneCounts = leaving.runningTotals
    }

    /// Of all points, from areas that have their zooms apart and the lower zooms in common; `nil` if there are none.
    package init?(areas: [PlaceSeparation], lowerZooms: PlaceSeparation?) {
        guard let lower = lowerZooms, let first = areas.first else { return nil }
        placeCount = areas.reduce(0) { $0 + $1.placeCount }
        let lastLower = lower.zooms.upperBound - 1
        let zooms = lower.zooms.lowerBound...first.zooms.upperBound
        self.zooms = zooms
        aloneCounts = zooms.map { zoom in
            guard zoom > lastLower else { return lower.aloneCounts[zoom - lower.zooms.lowerBound] }
            return areas.reduce(0) { $0 + $1.aloneCounts[zoom - $1.zooms.lowerBound] }
        }
    }

    /// The zoom with the most places alone, less one for every three tiles of this and all lower zooms, not counting the
    /// free ones. The highest of equally good zooms.
    /// - Parameters:
    ///   - candidates: the zooms to choose from.
    ///   - minZoom: the lowest zoom with tiles.
    package func worthwhileZoom(
        in candidates: ClosedRange<Int>, _ tiles: TileCounts, fromMinZoom minZoom: Int, freeTiles: Int
    ) -> Int {
        func worth(_ zoom: Int) -> Int {
            let paidTiles = max(tiles.total(minZoom...zoom) - freeTiles, 0)
            return PlaceSeparation.tilesPerPlace * aloneCounts[zoom - zooms.lowerBound] - paidTiles
        }
        return candidates.reversed().max { worth($0) < worth($1) } ?? candidates.upperBound
    }

    /// The share of places that stand alone at a zoom, in 0 ... 1; `zoom` is at least the lowest clustered zoom.
    package func share(atZoom zoom: Int) -> Double {
        zooms.contains(zoom) && placeCount > 0 ? Double(aloneCounts[zoom - zooms.lowerBound]) / Double(placeCount) : 1
    }

    /// The lowest zoom at which 95% of the places stand alone; `nil` if no zoom suffices.
    package var sufficientZoom: Int? { zooms.first { share(atZoom: $0) >= PlaceSeparation.enough } }

    /// The highest clustered zoom that separates notably more places than the next lower one; `nil` if none does.
    package var lastZoomWithGain: Int? {
        zooms.dropFirst().dropLast().last { share(atZoom: $0) - share(atZoom: $0 - 1) >= PlaceSeparation.gain }
    }
}

extension ClusterHierarchy {
    /// By candidate: the highest zoom at which it joins another or is joined; ``neverJoins`` if there is none.
    var lastZoomsTogether: [Int8] {
        var together = joinZoom
        for candidate in 0..<candidateCount where joinZoom[candidate] >= 0 {
            let parent = Int(parent[candidate])
            together[parent] = max(together[parent], joinZoom[candidate])
        }
        return together
    }
}

extension LinearQuadtree {
    /// The number of different places of some neighbouring points of a group, at least one.
    package func placeCount(of points: Range<Int>) -> Int {
        points.dropFirst().reduce(1) { $0 + (codes[$1] == codes[$1 - 1] ? 0 : 1) }
    }
}
