import PyramidTiles

/// Checks that bounds contain every point and are no larger than that needs. Latitudes past the map's edge count as its edge.
struct BoundsTally: Sendable {
    private var members: MemberTally

    init(in bounds: BoundingBox) { members = MemberTally(in: bounds.clampedToMap) }

    mutating func add(_ box: BoundingBox) { members.add(box.clampedToMap, pointCount: 1) }

    /// What the bounds are if they are wrong.
    var problem: String? { members.boxProblem }
}
