/// A feature as it was read from a tile.
package struct DecodedFeature {
    package enum ID {
        case text(JSONText)
        case number(DecimalLiteral)
    }

    /// What makes a feature a cluster.
    package struct ClusterProperties {
        package let id: UInt64
        /// That of the whole world if the tile doesn't say it and the members have different places.
        package let boundingBox: BoundingBox
        package let isCoincident: Bool
        package let pointCount: Int
        package let expansionZoom: Int?
        /// The JSON value as it stands.
        package let abbreviatedCount: Range<Int>
    }

    /// `nil` for a point without one, and for a cluster.
    package let id: ID?
    package let coordinate: Coordinate
    /// Where the `point_count` of a point stands that is no cluster.
    package let pointCountOfPoint: Range<Int>?
    /// `nil` for a point.
    package let cluster: ClusterProperties?
    /// Where the values of the properties stand that the reader watches, in the order of their names.
    package let watched: [Range<Int>?]
    /// Empty where the reader doesn't keep them; without the names in ``Cluster/PropertyName`` in a cluster.
    package let properties: [String: PropertyValue]
    /// The feature's bytes.
    package let range: Range<Int>
    /// At which zooms a bundle shows the feature; `nil` in a tile.
    package let zooms: ClosedRange<Int>?
    /// The parts of its bytes that only a bundle has, in order.
    let zoomMembers: [Range<Int>]

    /// The feature's bytes as they are in a tile, in pieces.
    package var tileRanges: [Range<Int>] {
        let starts = [range.lowerBound] + zoomMembers.map(\.upperBound)
        let ends = zoomMembers.map(\.lowerBound) + [range.upperBound]
        return zip(starts, ends).map { $0..<$1 }
    }
}
