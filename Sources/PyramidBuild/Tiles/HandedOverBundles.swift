import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// A bundle that a part hands over to the join as records, because a tile that contains it, at the cut zoom or a lower
/// one, may become the bundle instead.
package struct HandedOverBundle: @unchecked Sendable {
    package let tile: TileCoordinate
    package let part: TileCoordinate
    /// How many combinations of values the part has.
    package let combinationCount: Int
    /// The records as they were written; valid as long as the part is open.
    package let bytes: UnsafeRawBufferPointer

    package init(tile: TileCoordinate, part: TileCoordinate, combinationCount: Int, bytes: UnsafeRawBufferPointer) {
        self.tile = tile
        self.part = part
        self.combinationCount = combinationCount
        self.bytes = bytes
    }

    package struct Record {
        /// Of its place.
        package let code: UInt64
        /// At which it is shown.
        package let zooms: ClosedRange<Int>
        /// Without the members that only bundles have.
        let feature: UnsafeRawBufferPointer
        /// With the part's numbers of combinations.
        let summary: RecordSummary
    }

    /// Calls `body` with every record, in the bundle's order.
    /// - Returns: `false` if the bytes aren't records of this bundle; then `body` got only the records before the fault.
    @discardableResult
    package func forEachRecord(maxZoom: Int, _ body: (Record) -> Void) -> Bool {
        let codes = tile.codes
        var reader = PartBytes(bytes)
        var code: UInt64 = 0
        while !reader.isAtEnd {
            guard let step = reader.varint(), step <= codes.upperBound - code, code + step >= codes.lowerBound,
                let first = reader.count(), let last = reader.count(), first <= last, last <= maxZoom - tile.z,
                let length = reader.count(), let feature = reader.bytes(length), GeoJSONTileEncoder.isFeature(feature)
            else { return false }
            code += step
            guard let summary = reader.recordSummary(of: combinationCount) else { return false }
            body(Record(code: code, zooms: tile.z + first...tile.z + last, feature: feature, summary: summary))
        }
        return true
    }
}

extension ByteBuffer {
    /// Appends records of a ``HandedOverBundle``.
    /// - Parameters:
    ///   - features: holds their features.
    ///   - summaries: of each record.
    package mutating func append(
        _ records: some Sequence<BundleFold.Record>, of tile: TileCoordinate, features: borrowing ByteBuffer,
        summaries: [RecordSummary]
    ) {
        var code: UInt64 = 0
        for (index, record) in records.enumerated() {
            append(varint: record.code - code)
            append(varint: UInt64(Int(record.firstZoom) - tile.z))
            append(varint: UInt64(Int(record.lastZoom) - tile.z))
            append(varint: UInt64(record.feature.count))
            append(record.feature, of: features)
            code = record.code
            append(summaries[index])
        }
    }

    private mutating func append(_ summary: RecordSummary) {
        append(varint: summary.parentID)
        append(varint: summary.clusterID)
        guard summary.clusterID != 0 else { return }
        append(varint: UInt64(summary.pointCount))
        append(varint: summary.staysTogether ? 1 : 0)
        append(summary.facets)
    }
}

extension ByteBuffer {
    package mutating func append(_ counts: [CategoryColumn.Count]) {
        append(varint: UInt64(counts.count))
        for count in counts {
            append(varint: UInt64(count.category))
            append(varint: UInt64(count.count))
        }
    }
}

extension PartBytes {
    /// With the part's numbers of categories.
    package mutating func counts() -> [CategoryColumn.Count]? {
        guard let countCount = count() else { return nil }
        var counts: [CategoryColumn.Count] = []
        for _ in 0..<countCount {
            guard let category = count(), category < Int(UInt32.max), let count = count(), count <= Int(UInt32.max)
            else { return nil }
            counts.append(.init(category: UInt32(category), count: UInt32(count)))
        }
        return counts
    }

    /// - Returns: `nil` if they can't be those of a record.
    fileprivate mutating func recordSummary(of combinationCount: Int) -> RecordSummary? {
        let limit = UInt64(GeoJSONFeatureReader.integerLimit)
        guard let parentID = varint(), parentID < limit, let clusterID = varint(), clusterID < limit else { return nil }
        guard clusterID != 0 else { return RecordSummary(parentID: parentID) }
        guard let pointCount = count(), pointCount <= InputLimits.points, let staysTogether = count(),
            staysTogether <= 1,
            let facets = counts(), facets.allSatisfy({ Int($0.category) < combinationCount }),
            zip(facets, facets.dropFirst()).allSatisfy({ $0.category < $1.category }),
            facets.isEmpty || facets.reduce(0, { $0 + Int($1.count) }) == pointCount
        else { return nil }
        return RecordSummary(
            clusterID: clusterID, pointCount: pointCount, staysTogether: staysTogether == 1, parentID: parentID,
            facets: facets)
    }
}

/// What parts have made at zooms higher than the cut zoom, for bundles at the cut zoom and lower ones.
package struct HandedOverBundles: Sendable {
    /// A tile of the cut zoom.
    package struct Node: Sendable {
        /// Its number in the quadtree.
        package let node: UInt64
        /// Its bundles; `nil` if the parts have written its files, because it shows too many records for a bundle.
        package let bundles: Range<Int>?
    }

    package let cutZoom: Int
    /// In the order of their numbers.
    package private(set) var nodes: [Node]
    /// In the order of their codes.
    package let bundles: [HandedOverBundle]
    /// By part: the combinations of values to which its records refer.
    package var combinations: [TileCoordinate: [[UInt8]]] = [:]
    /// By part: the numbers of these combinations here.
    package private(set) var numbers: [TileCoordinate: [UInt32]] = [:]

    /// Finds the numbers of the combinations.
    package mutating func number(by facets: FacetCombinations?) {
        numbers = combinations.mapValues { texts in texts.map { facets?.combinations.number(of: $0) ?? 0 } }
    }

    /// - Parameters:
    ///   - bundles: in any order.
    ///   - files: the tiles and bundles that parts have written.
    package init(_ bundles: [HandedOverBundle], beside files: some Sequence<TileCoordinate>, cutZoom: Int) {
        self.cutZoom = cutZoom
        self.bundles = bundles.sorted { $0.tile.codes.lowerBound < $1.tile.codes.lowerBound }
        func node(_ tile: TileCoordinate) -> UInt64 { tile.node >> UInt64(2 * (tile.z - cutZoom)) }
        let written = Set(files.lazy.map(node))
        nodes = written.map { Node(node: $0, bundles: nil) }
        var start = 0
        while start < bundles.count {
            let number = node(self.bundles[start].tile)
            let end = (start..<bundles.count).partitioningIndex { node(self.bundles[$0].tile) > number }
            if !written.contains(number) { nodes.append(Node(node: number, bundles: start..<end)) }
            start = end
        }
        nodes.sort { $0.node < $1.node }
    }

    /// The nodes in a range of codes that another node covers.
    package func nodes(in codes: ClosedRange<UInt64>) -> ArraySlice<Node> {
        let first = MortonCode(rawValue: codes.lowerBound).node(atDepth: cutZoom)
        let last = MortonCode(rawValue: codes.upperBound).node(atDepth: cutZoom)
        let start = nodes.partitioningIndex { $0.node >= first }
        return nodes[start..<(start..<nodes.count).partitioningIndex { nodes[$0].node > last }]
    }

    /// A subtree for each node with bundles that is in none of `subtrees`, because the cut zoom shows no marker there.
    func subtrees(beside subtrees: [TileSubtree]) -> [TileSubtree] {
        let covered = subtrees.filter { $0.zooms.upperBound == cutZoom }.map(\.codes)
            .sorted { $0.lowerBound < $1.lowerBound }
        return nodes.filter { $0.bundles != nil }.compactMap { node in
            let codes = TileCoordinate(node: node.node, atZoom: cutZoom).codes
            let index = covered.partitioningIndex { $0.upperBound >= codes.lowerBound }
            if index < covered.count, covered[index].contains(codes.lowerBound) { return nil }
            return TileSubtree(zooms: cutZoom...cutZoom, ranges: [0..<0], codes: codes, depth: cutZoom)
        }
    }
}
