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
    /// The ranges of the values of watched properties, in the order of the reader's `watchedNames`; `nil` if missing.
    package let watched: [Range<Int>?]
    /// Empty if the reader doesn't keep them. In a cluster, without those named in ``Cluster/PropertyName``.
    package let properties: [String: PropertyValue]
    /// The feature's bytes.
    package let range: Range<Int>
    /// The zooms at which a bundle shows the feature; `nil` in a tile.
    package let zooms: ClosedRange<Int>?
    /// The ranges of `minzoom` and `maxzoom`, which only a bundle has, in order.
    let zoomMembers: [Range<Int>]

    /// The ranges of the properties `facets` and `parent`, with the commas before them, in order.
    let filterMembers: [Range<Int>]

    /// The ranges that make up the feature in a tile: without its zooms.
    package var tileRanges: [Range<Int>] { ranges(without: zoomMembers) }

    /// The ranges that are the same in each file where clients filter: also without facets and parent.
    package var commonRanges: [Range<Int>] {
        ranges(without: (zoomMembers + filterMembers).sorted { $0.lowerBound < $1.lowerBound })
    }

    private func ranges(without members: [Range<Int>]) -> [Range<Int>] {
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
