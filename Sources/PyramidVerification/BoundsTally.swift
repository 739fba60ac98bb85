import PyramidTiles

/// Checks that bounds contain every point and are no larger than that needs. Latitudes past the map's edge count as its edge.
struct BoundsTally: Sendable {
    private let precision: PlacePrecision
    private let northWest, southEast: WorldPoint
    private var members: MemberTally
    private var hasMarkers = false
    private var areInside = true
    private var (touchesWest, touchesEast, touchesNorth, touchesSouth) = (false, false, false, false)

    init(in bounds: BoundingBox, _ precision: PlacePrecision) {
        self.precision = precision
        (northWest, southEast) = bounds.cornerPoints
        members = MemberTally(in: bounds.clampedToMap)
    }

    mutating func add(_ record: ZoomMarkers.Record, _ box: BoundingBox, atZoom zoom: Int) {
        hasMarkers = true
        guard !precision.isExact else { return members.add(box.clampedToMap, pointCount: 1) }
        let places = precision.places(shownAs: MortonCode(rawValue: record.code), atZoom: zoom)
        areInside =
            areInside && places.x.upperBound >= northWest.x && places.x.lowerBound <= southEast.x
            && places.y.upperBound >= northWest.y && places.y.lowerBound <= southEast.y
        touchesWest = touchesWest || places.x.contains(northWest.x)
        touchesEast = touchesEast || places.x.contains(southEast.x)
        touchesNorth = touchesNorth || places.y.contains(northWest.y)
        touchesSouth = touchesSouth || places.y.contains(southEast.y)
    }

    /// What the bounds are if they are wrong. As far as inexact places tell: each must possibly be in the bounds, and one
    /// possibly on each border.
    var problem: String? {
        guard !precision.isExact else { return members.boxProblem }
        if !areInside { return "too small for the members" }
        guard hasMarkers, !(touchesWest && touchesEast && touchesNorth && touchesSouth) else { return nil }
        return "larger than the members need"
    }
}

extension BoundingBox {
    /// The corners on the map. An eastern border at 180 degrees is on the map's eastern edge.
    fileprivate var cornerPoints: (northWest: WorldPoint, southEast: WorldPoint) {
        let northWest = WebMercator.project(Coordinate(longitudeMicrodegrees: west, latitudeMicrodegrees: north))
        let southEast = WebMercator.project(Coordinate(longitudeMicrodegrees: east, latitudeMicrodegrees: south))
        return (northWest, WorldPoint(x: east == 180_000_000 ? .max : southEast.x, y: southEast.y))
    }
}
