/// Which files hold the tiles of a bundled tileset, so that clients never request a file that doesn't exist.
///
/// It is a quadtree of the tiles that have a file, and of their ancestors. It has one byte for every node in preorder
/// whose state is 2 or 3. The byte holds the states of the four children: north-west in the lowest two bits, then
/// north-east, south-west and south-east.
public struct BundleIndex: Equatable, Sendable {
    /// What files there are for a tile and its descendants.
    public enum State: UInt8, Codable, Sendable {
        /// No file for the tile or any descendant.
        case nothing
        /// A bundle, which holds the tile and all its descendants.
        case bundle
        /// A file for the tile, and more files for its descendants.
        case tile
        /// No file for the tile, but some for its descendants.
        case descendants
    }

    /// The most records in a bundle, except at the last zoom, where bundles have no limit.
    public let limit: Int
    /// The state of 0/0/0.
    public let root: State
    /// The bytes of the nodes, in preorder.
    package let nodes: [UInt8]
    /// For each node, the index of the first node after its subtree.
    private let ends: [UInt32]

    /// The largest index that is read, once inflated: 64 MiB, enough for a billion points.
    static let limitBytes = 64 << 20

    /// The index of a tileset with these files.
    /// - Parameter files: tiles with a file of their own, and bundles; in any order.
    /// - Complexity: O(*n* log *n*)
    public init(limit: Int, files: some Sequence<FileAddress>) {
        // In preorder, a node comes before its descendants. If a tile and a bundle have the same address, the bundle
        // counts.
        let files = files.compactMap { File($0) }
            .sorted { ($0.firstCode, $0.depth, $0.state.rawValue) < ($1.firstCode, $1.depth, $1.state.rawValue) }
        var nodes: [UInt8] = []
        root = BundleIndex.add(files[...], depth: 0, to: &nodes)
        self.limit = limit
        self.nodes = nodes
        ends = BundleIndex.ends(of: nodes, root) ?? []
    }

    /// `nil` unless the bytes are exactly those of one tree.
    init?(limit: Int, root: State, nodes: [UInt8]) {
        guard let ends = BundleIndex.ends(of: nodes, root) else { return nil }
        self.limit = limit
        self.root = root
        self.nodes = nodes
        self.ends = ends
    }

    /// The state of a tile. O(zoom)
    public func state(of tile: TileCoordinate) -> State {
        let (state, depth) = findState(of: tile)
        return depth == tile.z ? state : .nothing
    }

    /// The file that holds a tile: its own, its bundle or an ancestor's bundle; `nil` if there is none. O(zoom)
    ///
    /// A bundle may have no markers in the tile.
    public func file(holding tile: TileCoordinate) -> FileAddress? {
        let (state, depth) = findState(of: tile)
        switch state {
        case .bundle: return tile.ancestor(atZoom: depth).map { .bundle($0) }
        case .tile: return depth == tile.z ? .tile(tile) : nil
        case .nothing, .descendants: return nil
        }
    }

    /// The state of the tile, or of the first ancestor from 0/0/0 on that is a bundle or has no files at all.
    private func findState(of tile: TileCoordinate) -> (State, depth: Int) {
        var state = root
        var node = 0
        for depth in 0..<tile.z {
            guard state.hasChildren else { return (state, depth) }
            let child = Int(tile.node >> UInt64(2 * (tile.z - depth - 1)) & 3)
            let states = nodes[node]
            node += 1
            for sibling in 0..<child where BundleIndex.state(sibling, in: states).hasChildren {
                node = Int(ends[node])
            }
            state = BundleIndex.state(child, in: states)
        }
        return (state, tile.z)
    }

    fileprivate static func state(_ child: Int, in states: UInt8) -> State {
        switch states >> UInt8(2 * child) & 3 {
        case 0: .nothing
        case 1: .bundle
        case 2: .tile
        default: .descendants
        }
    }
}

extension BundleIndex.State {
    fileprivate var hasChildren: Bool { self == .tile || self == .descendants }
}

extension BundleIndex {
    private struct File {
        let firstCode: UInt64
        let depth: Int
        let state: State

        init(_ address: FileAddress) {
            state = address.kind == .bundle ? .bundle : .tile
            firstCode = address.tile.codes.lowerBound
            depth = address.tile.z
        }
    }

    /// Appends the nodes of a tile and its descendants.
    /// - Parameter files: those of the tile and its descendants, in preorder.
    private static func add(_ files: ArraySlice<File>, depth: Int, to nodes: inout [UInt8]) -> State {
        guard let first = files.first else { return .nothing }
        let isFile = first.depth == depth
        if isFile, first.state == .bundle { return .bundle }
        var rest = isFile ? files.dropFirst() : files
        let index = nodes.count
        nodes.append(0)
        var states: UInt8 = 0
        let shift = UInt64(62 - 2 * depth)
        for child in UInt8(0)..<4 {
            let end = rest.partitioningIndex { UInt8(truncatingIfNeeded: $0.firstCode >> shift & 3) > child }
            states |= add(rest[..<end], depth: depth + 1, to: &nodes).rawValue << (2 * child)
            rest = rest[end...]
        }
        nodes[index] = states
        return isFile ? .tile : .descendants
    }

    /// The end of every node's subtree; `nil` unless the bytes are exactly those of one tree, no deeper than the last
    /// zoom.
    private static func ends(of nodes: [UInt8], _ root: State) -> [UInt32]? {
        guard nodes.count < Int(UInt32.max) else { return nil }
        var ends = [UInt32](repeating: 0, count: nodes.count)
        var next = 0
        func visit(depth: Int) -> Bool {
            guard next < nodes.count, depth < TileCoordinate.zooms.upperBound else { return false }
            let node = next
            next += 1
            for child in 0..<4 where state(child, in: nodes[node]).hasChildren {
                guard visit(depth: depth + 1) else { return false }
            }
            ends[node] = UInt32(next)
            return true
        }
        if root.hasChildren, !visit(depth: 0) { return nil }
        return next == nodes.count ? ends : nil
    }
}
