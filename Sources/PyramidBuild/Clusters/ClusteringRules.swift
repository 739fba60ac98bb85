import PyramidTiles

/// The clustering options, resolved for every zoom before the algorithms see them.
struct ClusteringRules: Sendable {
    /// The measures of a clustered zoom.
    struct Zoom: Sendable {
        let zoom: Int
        /// The cluster distance in world units: markers closer than this are too close.
        let distanceUnits: UInt64
        /// The depth of the cells in the quadtree: with `anchors` a cell is at least a cluster distance wide.
        let cellDepth: Int
    }

    let method: ClusteringOptions.Method
    let position: ClusteringOptions.Position
    let mode: ClusteringOptions.Mode
    /// Clusters of fewer points are written as single points.
    let minPoints: Int
    /// More points than this at one place are a cluster at every zoom; `nil` if points are always apart in the end.
    let coincidentLimit: Int?
    /// Every zoom that has tiles.
    let tileZooms: ClosedRange<Int>
    /// The first zoom at which the markers are known: that of the tiles, or the one above, whose tiles another process writes.
    let firstZoom: Int
    /// The clustered zooms, from the last to the first.
    let zooms: [Zoom]
    /// Whether the last clustered zoom of the tileset is among these, whose clusters have pages of their points.
    let hasPages: Bool
    /// Whether another process goes on from the markers of the first zoom.
    let handsOver: Bool
    /// The depth of the quadtree nodes whose points are one candidate from the start.
    let candidateDepth: Int

    /// Which zooms are made.
    enum Span: Sendable {
        case whole
        /// Those beyond a clustered zoom, whose markers are made too, for the process that writes it.
        case below(cutZoom: Int)
        /// A clustered zoom, whose markers other processes have made, and all above.
        case above(cutZoom: Int)
    }

    /// - Parameter options: without a ``ClusteringOptions/problem``.
    init(_ options: ClusteringOptions, span: Span = .whole) {
        var options = options
        (hasPages, handsOver) =
            switch span {
            case .whole: (true, false)
            case .below: (true, true)
            case .above: (false, false)
            }
        switch span {
        case .whole:
            tileZooms = options.minZoom...options.maxZoom
            firstZoom = options.minZoom
        case .below(let cutZoom):
            tileZooms = cutZoom + 1...options.maxZoom
            firstZoom = cutZoom
            options.minZoom = cutZoom
        case .above(let cutZoom):
            tileZooms = options.minZoom...cutZoom
            firstZoom = options.minZoom
            options.clusterMaxZoom = cutZoom
        }
        method = options.method
        position = options.position
        mode = options.mode
        minPoints = options.minPoints
        coincidentLimit = options.coincidentLimit
        zooms = options.clusteredZooms.map { zoom in
            Zoom(
                zoom: zoom, distanceUnits: options.distanceUnits(atZoom: zoom),
                cellDepth: options.cellDepth(atZoom: zoom))
        }
        // Where no zoom is clustered, only points at one place can be together.
        candidateDepth = zooms.isEmpty ? 32 : options.candidateDepth
    }

    /// Whether points at one place can be a cluster at every zoom.
    var keepsPlacesTogether: Bool { coincidentLimit != nil }

    /// The first zoom without clusters.
    var firstUnclusteredZoom: Int { zooms.first.map { $0.zoom + 1 } ?? tileZooms.lowerBound }

    /// Whether clusters are shown at or near the means of their members.
    var needsMeans: Bool { position.isMean }

    /// The measures of a clustered zoom.
    subscript(zoom: Int) -> Zoom { zooms[firstUnclusteredZoom - 1 - zoom] }

    /// The number of markers of all zooms, assuming that clusters of any size are written.
    func markerCount(pointCount: Int, _ hierarchy: ClusterHierarchy?) -> Int {
        let pointsAlone = (tileZooms.count - zooms.count) * pointCount
        return zooms.reduce(pointsAlone) { count, zoom in
            count + pointCount - (hierarchy?.pointCount ?? pointCount)
                + (hierarchy?.joinZoom.count { $0 < zoom.zoom } ?? 0)
        }
    }
}

extension ClusteringOptions.Position {
    /// Whether clusters are shown at or near the means of their members.
    var isMean: Bool { self == .centroid || self == .inset }
}
