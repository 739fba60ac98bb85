import PyramidTiles

/// The markers of one file until their facets are known: the table that they refer to comes last, and in a bundle that has all
/// members of a cluster, they add up to what the cluster doesn't state.
struct FileFacets {
    /// A marker, without its place in ``ZoomMarkers/details``.
    struct Marker {
        let record: ZoomMarkers.Record
        /// `nil` for a point.
        let cluster: MarkerDetails.Cluster?
        let group: MarkerGroups.Key
        let idMask: UInt64
        /// At which a bundle shows it; `nil` in a tile.
        let zooms: ClosedRange<Int>?
        /// The id of the cluster that it is part of, as ``ZoomMarkers/Record/identity``, or a ``MarkerDetails/Parent``.
        let parent: UInt64
        /// Where the facets of a cluster stand.
        let facetRange: Range<Int>?
        /// Of a point, its own.
        var facets: [MarkerDetails.Facet]

        var pointCount: Int { cluster?.pointCount ?? 1 }
        var description: String { record.description(idMask: idMask) }
    }

    private(set) var markers: [Marker] = []
    private let numbers: FacetNumbers
    private(set) var problems: [String] = []

    init(_ numbers: FacetNumbers) { self.numbers = numbers }

    mutating func append(_ marker: Marker) { markers.append(marker) }

    /// Reads the facets of clusters when all markers are there.
    /// - Parameters:
    ///   - table: `nil` where combinations are spelled out.
    ///   - isTable: whether the format has tables.
    mutating func read(_ table: DecodedFacets?, isTable: Bool, _ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        let combinations = table?.combinations ?? []
        let rows = combinations.map { numbers.number(of: Array(bytes[$0])) }
        var isUsed = [Bool](repeating: false, count: rows.count)
        for index in markers.indices {
            guard let range = markers[index].facetRange, let cluster = markers[index].cluster else { continue }
            var found: [MarkerDetails.Facet] = []
            func add(_ number: UInt32, _ count: Int) {
                found.append(MarkerDetails.Facet(combination: number, count: UInt32(clamping: count)))
            }
            if let table {
                try table.forEachCount(in: range, pointCount: cluster.pointCount, of: bytes) { row, count in
                    isUsed[row] = true
                    add(rows[row], count)
                }
            } else if isTable {
                throw JSONFault(offset: bytes.count, expected: "a table of the combinations that facets refer to")
            } else {
                try DecodedFacets.forEachCount(in: range, pointCount: cluster.pointCount, of: bytes) {
                    add(numbers.number(of: Array(bytes[$0])), $1)
                }
            }
            markers[index].facets = FileFacets.sum(found)
            if markers[index].facets.count < found.count, !numbers.areMerged {
                problems.append("\(markers[index].description) counts a combination of values twice")
            }
            if found.contains(where: { $0.combination == numbers.unlisted }) {
                problems.append("\(markers[index].description) has facets that \(TileJSON.fileName) doesn't list")
            }
        }
        if !zip(combinations, combinations.dropFirst()).allSatisfy({ bytes[$0].lexicographicallyPrecedes(bytes[$1]) }) {
            problems.append("has a table of facets that is not in the order of its bytes, each once")
        }
        if isUsed.contains(false) { problems.append("has a table of facets with some that no cluster refers to") }
    }

    /// Checks that each cluster of a tile has facets.
    mutating func checkTile() {
        for marker in markers where marker.cluster != nil && marker.facetRange == nil {
            problems.append("\(marker.description) has no facets")
        }
    }

    /// Checks that clusters of a bundle have facets if some of their points are elsewhere, and adds up those of others.
    mutating func checkBundle() {
        // From the highest zoom to the lowest, members come before their clusters.
        let order = markers.indices.sorted { zooms($0).lowerBound > zooms($1).lowerBound }
        struct Span: Hashable { let id: UInt64, lastZoom: Int }
        var clusters: [Span: Int] = [:]
        for (index, marker) in markers.enumerated() where marker.cluster != nil {
            clusters[Span(id: marker.record.identity ^ marker.idMask, lastZoom: zooms(index).upperBound)] = index
        }
        var members = [[Int]](repeating: [], count: markers.count)
        var isKnown = [Bool](repeating: true, count: markers.count)
        for index in order {
            check(index, members[index], &isKnown)
            let marker = markers[index]
            let span = Span(id: marker.parent ^ marker.idMask, lastZoom: zooms(index).lowerBound - 1)
            if let parent = clusters[span] { members[parent].append(index) }
        }
    }

    /// - Parameter isKnown: of each marker, whether the bundle has all its points, or what never comes apart.
    private mutating func check(_ index: Int, _ members: [Int], _ isKnown: inout [Bool]) {
        // Of points at one place, bundles show none.
        guard let cluster = markers[index].cluster, cluster.expansionZoom != nil else {
            if markers[index].cluster != nil, markers[index].facetRange == nil {
                problems.append("\(markers[index].description) has no facets, expected them as it never comes apart")
            }
            return
        }
        let count = members.reduce(0) { $0.saturatingAdd(markers[$1].pointCount) }
        isKnown[index] = count == cluster.pointCount && members.allSatisfy { isKnown[$0] }
        if isKnown[index], markers[index].facetRange != nil {
            problems.append("\(markers[index].description) has facets, expected none as the bundle has all its points")
        } else if !isKnown[index], markers[index].facetRange == nil {
            problems.append(
                "\(markers[index].description) has no facets, expected them as the bundle has not all its "
                    + "\(cluster.pointCount) points")
        }
        guard markers[index].facetRange == nil else { return }
        markers[index].facets = FileFacets.sum(members.flatMap { markers[$0].facets })
    }

    private func zooms(_ index: Int) -> ClosedRange<Int> { markers[index].zooms ?? TileCoordinate.zooms }

    private static func sum(_ facets: [MarkerDetails.Facet]) -> [MarkerDetails.Facet] {
        // Those of a table ascend already.
        if zip(facets, facets.dropFirst()).allSatisfy({ $0.combination < $1.combination }) { return facets }
        var sums: [MarkerDetails.Facet] = []
        for facet in facets.sorted(by: { $0.combination < $1.combination }) {
            if let last = sums.last, last.combination == facet.combination {
                sums[sums.count - 1].count = UInt32(clamping: UInt64(last.count) + UInt64(facet.count))
            } else {
                sums.append(facet)
            }
        }
        return sums
    }
}
