import PyramidTiles

/// Which markers a marker can merge with: those of its group, or none.
struct MarkerGroup: Sendable {
    /// The bits in which the ids of the group's clusters differ from those without groups (``ClusterGroup``). They stand
    /// for the group.
    var idMask: UInt64 = 0
    /// Whether the marker is a point that never merges.
    var isUnclustered = false
    /// Whether markers of other groups can look as if they were of this one.
    var isRounded = false
}
