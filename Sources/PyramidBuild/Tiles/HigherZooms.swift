import PyramidTiles

/// A bundle that isn't written yet, because a tile that contains it, at a lower zoom, may become the bundle instead.
package protocol OpenBundle: Sendable {
    var tile: TileCoordinate { get }

    /// Calls `body` with every record, in the bundle's order.
    func forEachRecord(_ body: (OpenRecord) -> Void)
}

/// A record of an ``OpenBundle``.
package struct OpenRecord {
    /// Of its place.
    package let code: UInt64
    /// At which it is shown.
    package let zooms: ClosedRange<Int>
    /// Without the members that only bundles have.
    package let feature: UnsafeRawBufferPointer
    package let summary: RecordSummary

    package init(code: UInt64, zooms: ClosedRange<Int>, feature: UnsafeRawBufferPointer, summary: RecordSummary) {
        (self.code, self.zooms, self.feature, self.summary) = (code, zooms, feature, summary)
    }
}

/// Takes an ``OpenBundle``, whose features are valid during the call.
package typealias OpenBundleOutput = @Sendable (_ bundle: TileCoordinate, _ records: [OpenRecord]) throws -> Void

/// The existing files and open bundles of the zooms higher than a band's.
package struct HigherZooms: Sendable {
    /// A tile of the band's last zoom.
    struct Node: Sendable {
        /// Its number in the quadtree.
        let node: UInt64
        /// Its open bundles; `nil` if its files are written, because it shows too many records for a bundle.
        let bundles: Range<Int>?
    }

    /// The last zoom of the band.
    let zoom: Int
    /// In the order of their numbers.
    private(set) var nodes: [Node]
    /// In the order of their codes.
    let bundles: [any OpenBundle]

    /// - Parameters:
    ///   - bundles: in any order.
    ///   - files: the tiles and bundles that are written.
    package init(_ bundles: [any OpenBundle], beside files: some Sequence<TileCoordinate>, zoom: Int) {
        self.zoom = zoom
        self.bundles = bundles.sorted { $0.tile.codes.lowerBound < $1.tile.codes.lowerBound }
        func node(_ tile: TileCoordinate) -> UInt64 { tile.node >> UInt64(2 * (tile.z - zoom)) }
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
    func nodes(in codes: ClosedRange<UInt64>) -> ArraySlice<Node> {
        let first = MortonCode(rawValue: codes.lowerBound).node(atDepth: zoom)
        let last = MortonCode(rawValue: codes.upperBound).node(atDepth: zoom)
        let start = nodes.partitioningIndex { $0.node >= first }
        return nodes[start..<(start..<nodes.count).partitioningIndex { nodes[$0].node > last }]
    }

    /// A subtree for each node with bundles that is in none of `subtrees`, because the band's last zoom shows no marker there.
    func subtrees(beside subtrees: [TileSubtree]) -> [TileSubtree] {
        let covered = subtrees.filter { $0.zooms.upperBound == zoom }.map(\.codes)
            .sorted { $0.lowerBound < $1.lowerBound }
        return nodes.filter { $0.bundles != nil }.compactMap { node in
            let codes = TileCoordinate(node: node.node, atZoom: zoom).codes
            let index = covered.partitioningIndex { $0.upperBound >= codes.lowerBound }
            if index < covered.count, covered[index].contains(codes.lowerBound) { return nil }
            return TileSubtree(zooms: zoom...zoom, ranges: [0..<0], codes: codes, depth: zoom)
        }
    }
}
