/// A feature as it was read from a tile.
struct DecodedFeature {
    enum ID {
        case text(JSONText)
        case number(DecimalLiteral)
    }

    /// What makes a feature a cluster.
    struct ClusterProperties {
        let id: UInt64
        let boundingBox: BoundingBox
        let pointCount: Int
        let expansionZoom: Int
        /// The JSON value as it stands.
        let abbreviatedCount: Range<Int>
    }

    /// `nil` for a point without one, and for a cluster.
    let id: ID?
    let coordinate: Coordinate
    /// Where the `point_count` of a point stands that is no cluster.
    let pointCountOfPoint: Range<Int>?
    /// `nil` for a point.
    let cluster: ClusterProperties?
    /// Where the values of the properties stand that the reader watches, in the order of their names.
    let watched: [Range<Int>?]
    /// Empty where the reader doesn't keep them; without the names in ``Cluster/PropertyName`` in a cluster.
    let properties: [String: PropertyValue]
}
