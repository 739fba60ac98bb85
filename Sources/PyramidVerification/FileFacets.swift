import PyramidTiles

/// The facets of the markers of one file. They are known at its end, because the table that they refer to comes last.
struct FileFacets {
    struct Marker {
        /// 0 for a point.
        let clusterID: UInt64
        let code: MortonCode
        let pointCount: Int
        /// Whether some zoom splits it; `false` for a point.
        let splits: Bool
        let zooms: ClosedRange<Int>
        /// The cluster that a bundle states as its parent.
        let parent: BundleParent?
        /// Where the facets of a cluster stand.
        let facets: Range<Int>?
        /// Of a point.
        let combination: UInt32

        init(_ marker: CheckedMarker, _ content: ContentTally, _ numbers: FacetNumbers?) {
            let cluster = marker.feature.cluster
            (code, zooms, parent) = (marker.code, marker.zooms, marker.feature.parent)
            (clusterID, pointCount) = (cluster?.id ?? 0, cluster?.pointCount ?? 1)
            (splits, facets) = (cluster?.expansionZoom != nil, cluster?.facets)
            combination =
                cluster == nil ? numbers.map { content.combination(of: marker.feature, marker.json, $0) } ?? 0 : 0
        }

        fileprivate var description: String { code.description(isCluster: clusterID != 0) }
    }

    private let markers: [Marker]
    private let numbers: FacetNumbers
    private(set) var problems: [String] = []

    init(_ numbers: FacetNumbers, _ markers: [Marker]) { (self.numbers, self.markers) = (numbers, markers) }

    /// Reads the facets when all markers are there.
    /// - Parameters:
    ///   - table: `nil` where combinations are spelled out.
    ///   - isTable: whether the format has tables.
    ///   - isBundle: whether clusters need no facets if the file has all their points.
    ///   - count: receives how many points with a combination the file has at some zooms.
    mutating func read(
        _ table: DecodedFacets?, isTable: Bool, isBundle: Bool, _ bytes: UnsafeRawBufferPointer,
        count: (_ points: Int, _ combination: UInt32, _ zooms: ClosedRange<Int>) -> Void
    ) throws(JSONFault) {
        let combinations = table?.combinations ?? []
        let rows = combinations.map { numbers.number(of: Array(bytes[$0])) }
        var isUsed = [Bool](repeating: false, count: rows.count)
        let firstZooms = isBundle ? firstCountedZooms() : markers.map(\.zooms.lowerBound)
        for (marker, firstZoom) in zip(markers, firstZooms) {
            let zooms = firstZoom...marker.zooms.upperBound
            guard marker.clusterID != 0 else {
                count(1, marker.combination, zooms)
                continue
            }
            guard let range = marker.facets else {
                if !isBundle || !marker.splits { problems.append("\(marker.description) has no facets") }
                continue
            }
            var (found, isUnlisted): (Set<UInt32>, Bool) = ([], false)
            var isRepeated = false
            func add(_ number: UInt32, _ points: Int) {
                isRepeated = !found.insert(number).inserted || isRepeated
                isUnlisted = isUnlisted || number == numbers.unlisted
                count(min(points, Int(UInt32.max)), number, zooms)
            }
            if let table {
                try table.forEachCount(in: range, pointCount: marker.pointCount, of: bytes) { row, count in
                    isUsed[row] = true
                    add(rows[row], count)
                }
            } else if isTable {
                throw JSONFault(offset: bytes.count, expected: "a table of the combinations that facets refer to")
            } else {
                try DecodedFacets.forEachCount(in: range, pointCount: marker.pointCount, of: bytes) {
                    add(numbers.number(of: Array(bytes[$0])), $1)
                }
            }
            if isRepeated, !numbers.areMerged {
                problems.append("\(marker.description) counts a combination of values twice")
            }
            if isUnlisted { problems.append("\(marker.description) has facets that \(TileJSON.fileName) doesn't list") }
        }
        if !zip(combinations, combinations.dropFirst()).allSatisfy({ bytes[$0].lexicographicallyPrecedes(bytes[$1]) }) {
            problems.append("has a table of facets that is not in the order of its bytes, each once")
        }
        if isUsed.contains(false) { problems.append("has a table of facets with some that no cluster refers to") }
    }

    /// By marker of a bundle: the first zoom at which its facets count. They also count for the clusters without facets that
    /// have it at lower zooms.
    private mutating func firstCountedZooms() -> [Int] {
        var firstZooms = markers.map(\.zooms.lowerBound)
        let clusters = markers.indices.filter { markers[$0].splits && markers[$0].facets == nil }
        guard !clusters.isEmpty else { return firstZooms }
        var memberCounts = [Int](repeating: 0, count: markers.count)
        // Clusters come before their members.
        for index in markers.indices.sorted(by: { markers[$0].zooms.lowerBound < markers[$1].zooms.lowerBound }) {
            let marker = markers[index]
            guard case .record(let cluster) = marker.parent, cluster < markers.count,
                markers[cluster].splits && markers[cluster].facets == nil,
                markers[cluster].zooms.contains(marker.zooms.lowerBound - 1)
            else { continue }
            firstZooms[index] = firstZooms[cluster]
            memberCounts[cluster] = memberCounts[cluster].saturatingAdd(marker.pointCount)
        }
        for index in clusters where memberCounts[index] != markers[index].pointCount {
            problems.append(
                "\(markers[index].description) has no facets, but the bundle has \(memberCounts[index]) of its "
                    + "\(markers[index].pointCount) points")
        }
        return firstZooms
    }
}
