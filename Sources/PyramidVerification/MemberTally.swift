import PyramidTiles

/// The totals of a cluster's members, to compare with the cluster's own claims.
struct MemberTally: Sendable {
    let box: BoundingBox
    private(set) var pointCount = 0
    private var south = Int32.max
    private var north = Int32.min
    private var touchesWest = false
    private var touchesEast = false
    private var areInside = true
    /// No member's box extends round the world past the borders of the cluster's.
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

    /// What is wrong with the box; `nil` if it contains the members and each of its borders touches one, or if there
    /// are no members.
    ///
    /// If the box of a member extends past the borders, which wide boxes can, its points touch them somewhere inside.
    /// If the members' boxes go all round the world, there are no borders to touch.
    var boxProblem: String? {
        guard pointCount > 0 else { return nil }
        if !areInside { return "do not hold all members" }
        let touchesBoth = touchesWest && touchesEast || box.goesRoundTheWorld
        if south != box.south || north != box.north || areWhole && !touchesBoth {
            return "are larger than the members need"
        }
        return nil
    }

    /// -180 and 180 degrees are the same.
    private static func isSameMeridian(_ left: Int32, _ right: Int32) -> Bool {
        (Int64(left) - Int64(right)) % 360_000_000 == 0
    }
}
