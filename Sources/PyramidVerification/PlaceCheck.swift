import PyramidStore
import PyramidTiles

/// Compares the markers of a zoom by their places.
struct PlaceCheck {
    private let zoom: Int
    private let options: ClusteringOptions
    /// `nil` if no distance is promised, or none that is greater than what rounded places hide.
    private let distanceUnits: UInt64?
    /// Whether more points at one place than the coincident limit are one cluster. Where places are rounded, different ones can
    /// look the same.
    private let keepsPlacesTogether: Bool

    init(_ manifest: Manifest, atZoom zoom: Int) {
        let precision = PlacePrecision(manifest)
        (self.zoom, options) = (zoom, manifest.options)
        let allowance = precision.distanceUnits(atZoom: zoom)
        distanceUnits = options.promisedDistanceUnits(atZoom: zoom).flatMap { $0 > allowance ? $0 - allowance : nil }
        keepsPlacesTogether =
            options.keepsPlacesTogether && zoom > options.clusterMaxZoom && precision.isExact(atZoom: zoom)
    }

    /// Whether clusters are compared.
    var comparesClusters: Bool { distanceUnits != nil || keepsPlacesTogether }
    /// Whether points are compared too.
    var comparesPoints: Bool { distanceUnits != nil && options.promiseCoversPoints || keepsPlacesTogether }

    /// - Parameters:
    ///   - markers: those that are compared, sorted.
    ///   - path: the path of a file by its index in the list, or by the tile of a place.
    func run(
        _ markers: StoredElements<PlacedMarker>, jobs: Int, path: (PlacedMarker) -> String
    ) -> FindingLog {
        var log = FindingLog()
        if let distanceUnits {
            for (one, other) in DistanceCheck(markers, distanceUnits: distanceUnits).pairsTooClose(jobs: jobs) {
                log.add(
                    .tooClose, in: path(one),
                    "\(one.description) is closer than \(distanceUnits) units to \(other.description)")
            }
        }
        guard keepsPlacesTogether else { return log }
        var start = 0
        while start < markers.count {
            let first = markers[start]
            var (end, hasCluster) = (start, false)
            while end < markers.count, markers[end].sortKey == first.sortKey {
                hasCluster = hasCluster || markers[end].isCluster
                end += 1
            }
            if hasCluster ? end - start > 1 : options.staysTogether(pointCount: end - start) {
                log.add(
                    .tooClose, in: path(first),
                    "\(first.description) is one of \(end - start) markers at its place, expected one cluster")
            }
            start = end
        }
        return log
    }
}

extension PlacedMarker {
    fileprivate var description: String { code.description(isCluster: isCluster) }
}
