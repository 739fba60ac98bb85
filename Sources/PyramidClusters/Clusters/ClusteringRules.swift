import PyramidTiles

/// The clustering options, resolved for every zoom before clustering begins.
package struct ClusteringRules: Sendable {
    /// The distances of a clustered zoom.
    package struct Zoom: Sendable {
        package let zoom: Int
        /// The cluster distance in world units: no two anchors are closer.
        let distanceUnits: UInt64
        /// The depth of the cells in the quadtree. A cell is at least a cluster distance wide.
        package let cellDepth: Int

        package init(zoom: Int, distanceUnits: UInt64, cellDepth: Int) {
            self.zoom = zoom
            self.distanceUnits = distanceUnits
            self.cellDepth = cellDepth
        }
    }

    package let position: ClusteringOptions.Position
    package let mode: ClusteringOptions.Mode
    /// Smaller clusters are written as single points.
    package let minPoints: Int
    /// More points than this at one place are a cluster at every zoom; `Int.max` if points are always apart in the end.
    let placeLimit: Int
    /// The zooms that have tiles.
    package let tileZooms: ClosedRange<Int>
    /// The lowest zoom whose markers are made: the lowest of the tiles, or one lower, whose tiles another process
    /// writes.
    package let firstZoom: Int
    /// The clustered zooms, from the highest to the lowest.
    package let zooms: [Zoom]
    /// Whether another process clusters the markers of the lowest zoom further.
    package let handsOver: Bool
    /// The depth of the quadtree nodes from which candidates are made.
    let candidateDepth: Int

    /// The zooms to make.
    package enum Span: Sendable {
        case whole
        /// All zooms higher than `cutZoom`. The markers of `cutZoom` are made too, for the process that writes it.
        case from(cutZoom: Int)
        /// `cutZoom`, whose markers other processes have made, and all lower zooms.
        case before(cutZoom: Int)
    }

    /// - Parameter options: valid ones (``ClusteringOptions/problem`` is `nil`).
    package init(_ options: ClusteringOptions, span: Span = .whole) {
        var options = options
        handsOver = if case .from = span { true } else { false }
        switch span {
        case .whole:
            tileZooms = options.minZoom...options.maxZoom
            firstZoom = options.minZoom
        case .from(let cutZoom):
            tileZooms = cutZoom + 1...options.maxZoom
            firstZoom = cutZoom
            options.minZoom = cutZoom
        case .before(let cutZoom):
            tileZooms = options.minZoom...cutZoom
            firstZoom = options.minZoom
            options.clusterMaxZoom = cutZoom
        }
        position = options.position
        mode = options.mode
        minPoints = options.minPoints
        placeLimit = options.coincidentLimit ?? .max
        zooms = options.clusteredZooms.map { zoom in
            Zoom(
                zoom: zoom, distanceUnits: options.distanceUnits(atZoom: zoom),
                cellDepth: options.cellDepth(atZoom: zoom))
        }
        // If no zoom is clustered, only points at one place can be together.
        candidateDepth = zooms.isEmpty ? 32 : options.candidateDepth
    }

    /// Whether points at one place can be a cluster at every zoom.
    var keepsPlacesTogether: Bool { placeLimit < .max }

    /// The lowest zoom without clusters.
    package var firstUnclusteredZoom: Int { zooms.first.map { $0.zoom + 1 } ?? tileZooms.lowerBound }

    /// Whether clusters are shown at or near the means of their members.
    var needsMeans: Bool { position == .centroid }

    /// The distances of a clustered zoom.
    package subscript(zoom: Int) -> Zoom { zooms[firstUnclusteredZoom - 1 - zoom] }

    /// The number of markers of all zooms, assuming a minimum cluster size of 2.
    package func markerCount(pointCount: Int, _ hierarchy: ClusterHierarchy?) -> Int {
        let pointsAlone = (tileZooms.count - zooms.count) * pointCount
        return zooms.reduce(pointsAlone) { count, zoom in
            count + pointCount - (hierarchy?.pointCount ?? pointCount)
                + (hierarchy?.joinZoom.count { $0 < zoom.zoom } ?? 0)
        }
    }
}
