import PyramidTiles

/// Checks that bounds contain the boxes of markers and are no larger than that needs. Latitudes past the map's edge count
/// as its edge.
struct BoundsTally: Sendable {
    private let bounds: BoundingBox
    private var (south, north) = (Int32.max, Int32.min)
    private var (touchesWest, touchesEast) = (false, false)
    private var areInside = true
    /// Whether the whole box of every marker is inside, not just its borders: a wide box can go the other way round the
    /// world.
    private var areWhole = true

    init(in bounds: BoundingBox) { self.bounds = bounds.clampedToMap }

    mutating func add(_ box: BoundingBox) {
        let box = box.clampedToMap
        south = min(south, box.south)
        north = max(north, box.north)
        touchesWest = touchesWest || BoundsTally.isSameMeridian(box.west, bounds.west)
        touchesEast = touchesEast || BoundsTally.isSameMeridian(box.east, bounds.east)
        areInside = areInside && bounds.containsBorders(of: box)
        areWhole = areWhole && bounds.contains(box)
    }

    mutating func add(_ other: BoundsTally) {
        (south, north) = (min(south, other.south), max(north, other.north))
        touchesWest = touchesWest || other.touchesWest
        touchesEast = touchesEast || other.touchesEast
        areInside = areInside && other.areInside
        areWhole = areWhole && other.areWhole
    }

    /// What the bounds are if they are wrong: they don't contain all boxes, or one of their borders touches none.
    ///
    /// The western and eastern borders are not checked if a box goes the other way round the world, as its points may
    /// touch them somewhere inside it, nor if the bounds go all round the world.
    var problem: String? {
        guard south <= north else { return nil }
        if !areInside { return "too small for the members" }
        let touchesBoth = touchesWest && touchesEast || bounds.goesRoundTheWorld
        let isLarge = south != bounds.south || north != bounds.north || areWhole && !touchesBoth
        return isLarge ? "larger than the members need" : nil
    }

    /// -180 and 180 degrees are the same.
    private static func isSameMeridian(_ left: Int32, _ right: Int32) -> Bool {
        (Int64(left) - Int64(right)) % 360_000_000 == 0
    }
}
