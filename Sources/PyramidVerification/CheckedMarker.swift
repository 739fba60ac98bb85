import PyramidTiles

/// A marker of a file, with all that its checks need.
struct CheckedMarker {
    let feature: DecodedFeature
    let code: MortonCode
    /// At which the file shows it, or others that needn't be checked by themselves.
    let zooms: ClosedRange<Int>
    /// By zoom after the first: where such files show it. Empty if it is ``code`` at all zooms.
    let repeatedPlaces: [WorldPoint]
    let group: MarkerGroup
    /// Reads the feature's bytes.
    let json: JSONReader

    func code(atZoom zoom: Int) -> MortonCode {
        let index = zoom - zooms.lowerBound - 1
        return repeatedPlaces.indices.contains(index) ? MortonCode(repeatedPlaces[index]) : code
    }

    /// The same for markers with one id, and 0 without one.
    var idHash: UInt64 {
        // Clusters of different groups can have the same id by chance.
        feature.cluster.map { StableHash.mixed($0.id) ^ StableHash.mixed(group.idMask | 1 << 63) }
            ?? json.hash(of: feature.id)
    }
}

extension DecodedFeature {
    /// The marker's kind and place, for a finding.
    var place: String {
        let place = "\(coordinate.longitude),\(coordinate.latitude)"
        return cluster.map { "cluster \($0.id) at \(place)" } ?? "point at \(place)"
    }
}
