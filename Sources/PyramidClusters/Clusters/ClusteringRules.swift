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
    /// The lowest zoom whose markers are made: the lowest of the tiles, or one lower (``Span/above(_:)``).
    package let firstZoom: Int
    /// The clustered zooms, from the highest to the lowest.
    package let zooms: [Zoom]
    /// Whether the markers of the lowest zoom are candidates of lower zooms, elsewhere.
    package let isContinued: Bool
    /// The depth of the quadtree nodes from which candidates are made.
    let candidateDepth: Int

    /// The zooms to make.
    package enum Span: Sendable {
        case whole
        /// All zooms higher than this one. Its markers are made too, as candidates of lower zooms.
        case above(Int)
        /// This zoom, whose markers are made already, and all lower zooms.
        case through(Int)

        /// The zoom whose markers are candidates elsewhere; `nil` if there is none.
        package var continuedZoom: Int? { if case .above(let zoom) = self { zoom } else { nil } }
    }

    /// - Parameter options: valid ones (``ClusteringOptions/problem`` is `nil`).
    package init(_ options: ClusteringOptions, span: Span = .whole) {
        var options = options
        isContinued = span.continuedZoom != nil
        switch span {
        case .whole:
            tileZooms = options.minZoom...options.maxZoom
            firstZoom = options.minZoom
        case .above(let zoom):
            tileZooms = zoom + 1...options.maxZoom
            firstZoom = zoom
            options.minZoom = zoom
        case .through(let zoom):
            tileZooms = options.minZoom...zoom
            firstZoom = options.minZoom
            options.clusterMaxZoom = zoom
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
