/// How a bundle states the cluster that a feature is part of, at the zoom before the feature's first.
package enum BundleParent: Hashable, Sendable {
    /// The index of the cluster among the features of the bundle; the member `parent`.
    case record(Int)
    /// The id of a cluster in another file; the member `parent_id`.
    case id(UInt64)
}

/// A feature as it was read from a tile.
package struct DecodedFeature {
    package enum ID {
        case text(JSONText)
        case number(DecimalLiteral)
    }

    /// What makes a feature a cluster.
    package struct ClusterProperties {
        package let id: UInt64
        /// The whole world if the tile doesn't state the box and the members have different places.
        package let boundingBox: BoundingBox
        package let isCoincident: Bool
        package let pointCount: Int
        package let expansionZoom: Int?
        /// The JSON value as it stands.
        package let abbreviatedCount: Range<Int>
        /// Where the counts of combinations stand (``DecodedFacets``), if they are no column of the user's.
        package let facets: Range<Int>?
    }

    /// `nil` for a point without an id, and for a cluster.
    package let id: ID?
    package let coordinate: Coordinate
    /// The range of a point's `point_count`, which filter mode can add; `nil` for a cluster.
    package let pointCountOfPoint: Range<Int>?
    /// `nil` for a point.
    package let cluster: ClusterProperties?
    /// The ranges of the values of watched properties, in the order of the reader's `watchedNames`; `nil` if missing,
    /// and empty if all are.
    package let watched: [Range<Int>?]
    /// Empty if the reader doesn't keep them. In a cluster, without those named in ``Cluster/PropertyName``.
    package let properties: [String: PropertyValue]
    /// The feature's bytes.
    package let range: Range<Int>
    /// The zooms at which a bundle shows the feature; `nil` in a tile.
    package let zooms: ClosedRange<Int>?
    /// The cluster that a bundle states the feature to be part of at the zoom before its first; `nil` for none.
    package let parent: BundleParent?
    /// The offset of the brace that closes the properties.
    let propertiesEnd: Int
    /// The ranges of the members that only bundles have, with the commas before them, in order.
    let recordMembers: [Range<Int>]

    /// The ranges that make up the feature in a tile: without the members that only bundles have.
    package var tileRanges: [Range<Int>] {
        let members = recordMembers
        if members.isEmpty { return [range] }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(members.count + 1)
        var start = range.lowerBound
        for member in members {
            ranges.append(start..<member.lowerBound)
            start = member.upperBound
        }
        ranges.append(start..<range.upperBound)
        return ranges
    }
}
