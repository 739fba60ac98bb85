import PyramidTiles

/// The point count and the extent of a cluster's members, to compare with what the cluster states.
struct MemberTally: Sendable {
    let box: BoundingBox
    private(set) var pointCount = 0
    private var south = Int32.max
    private var north = Int32.min
    private var touchesWest = false
    private var touchesEast = false
    private var areInside = true
    /// Whether the whole box of every member is inside, not just its borders: a wide box can go the other way round the
    /// world.
    private var areWhole = true

    init(in box: BoundingBox) {
        self.box = box
    }

    mutating func add(_ member: BoundingBox, pointCount: Int) {
        self.pointCount = self.pointCount.saturatingAdd(pointCount)
        south = min(south, member.south)
        north = max(north, member.north)
        touchesWest = touchesWest || MemberTally.isSameMeridian(member.west, box.west)
        touchesEast = touchesEast || MemberTally.isSameMeridian(member.east, box.east)
        areInside = areInside && box.containsBorders(of: member)
        areWhole = areWhole && box.contains(member)
    }

    /// What the box is if it is wrong; `nil` if it contains the members and each of its borders touches one, or if
    /// there are no members.
    ///
    /// The western and eastern borders are not checked if a member's box goes the other way round the world, as its
    /// points may touch them somewhere inside it, nor if this box goes all round the world.
    var boxProblem: String? {
        guard pointCount > 0 else { return nil }
        if !areInside { return "too small for the members" }
        let touchesBoth = touchesWest && touchesEast || box.goesRoundTheWorld
        if south != box.south || north != box.north || areWhole && !touchesBoth {
            return "larger than the members need"
        }
        return nil
    }

    /// -180 and 180 degrees are the same.
    private static func isSameMeridian(_ left: Int32, _ right: Int32) -> Bool {
        (Int64(left) - Int64(right)) % 360_000_000 == 0
    }
}
