import PyramidBuild
import PyramidInput
import PyramidTiles

/// The parts in which a tileset is built: a pure function of the number of rows in each cell.
///
/// The plan affects only memory and time. Every plan gives the same tileset, byte for byte.
public struct PartPlan: Equatable, Sendable {
    /// A tile that is built separately.
    public struct Part: Equatable, Sendable {
        public var tile: TileCoordinate
        /// The number of rows in the tile.
        public var rows: Int
        /// The number of rows that the part reads, including its halo; an upper bound, because cells are counted whole.
        public var rowsWithHalo: Int

        public init(tile: TileCoordinate, rows: Int, rowsWithHalo: Int) {
            self.tile = tile
            self.rows = rows
            self.rowsWithHalo = rowsWithHalo
        }
    }

    /// The join writes this zoom and all lower ones, the parts write the higher ones.
    public var cutZoom: Int
    /// The width of a part's halo, in world units.
    public var haloUnits: UInt64
    /// In the order of the Z curve; they cover the world without overlap.
    public var parts: [Part]

    /// Splits the world until no part reads more than `rowsPerPart` rows, or can't be split.
    ///
    /// O(c log c) for c occupied cells, and for each tile that is looked at, the occupied cells along its border.
    /// - Parameters:
    ///   - cells: at the zoom `countingZoom(cutZoom:)` of the clustering options.
    ///   - cutZoom: in `cutZooms` of the clustering options.
    public init(cells: CellCounts, clustering: ClusteringOptions, cutZoom: Int, rowsPerPart: Int) {
        self.cutZoom = cutZoom
        haloUnits = clustering.partHaloUnits(cutZoom: cutZoom)
        parts = []
        let slackUnits = haloUnits > 0 ? ClusteringOptions.haloSlackUnits(cutZoom: cutZoom) : 0
        let world = PartSplit(
            cells, haloUnits: haloUnits + slackUnits,
            deepestZoom: clustering.deepestPartZoom(cutZoom: cutZoom), rowsPerPart: rowsPerPart)
        _ = world.split(z: 0, x: 0, y: 0, into: &parts)
    }

    /// The default limit of the markers that are joined: about 1 GB of memory.
    public static let defaultJoinMarkers = 1_000_000
    /// The default limit of the rows that a part reads: about 400 MB of memory.
    public static let defaultRowsPerPart = 4_000_000

    /// The parts that read more than `rowsPerPart` rows, because they can't be split.
    public func parts(exceeding rowsPerPart: Int) -> [Part] { parts.filter { $0.rowsWithHalo > rowsPerPart } }
}

/// How the world is split.
private struct PartSplit {
    private let cellZoom: Int
    /// Of the cells with rows, ascending.
    private let nodes: [UInt64]
    /// By cell, and one more at the end: the number of rows in the cells before it.
    private let rowsBefore: [Int]
    private let haloUnits: UInt64
    private let deepestZoom: Int
    private let rowsPerPart: Int

    /// O(n log n)
    init(_ cells: CellCounts, haloUnits: UInt64, deepestZoom: Int, rowsPerPart: Int) {
        cellZoom = cells.zoom
        nodes = cells.counts.filter { $0.value > 0 }.keys.sorted()
        rowsBefore = [0] + nodes.map { cells.counts[$0] ?? 0 }.runningTotals
        self.haloUnits = haloUnits
        self.deepestZoom = deepestZoom
        self.rowsPerPart = rowsPerPart
    }

    /// The number of rows in the cells of the tile and in those at most `units` away from it, in world units.
    private func rows(within units: UInt64, of tile: TileCoordinate) -> Int {
        var sum = 0
        PartArea(tile, haloUnits: units).forEachRange(of: nodes, atZoom: cellZoom) {
            sum += rowsBefore[$0.upperBound] - rowsBefore[$0.lowerBound]
        }
        return sum
    }

    /// Appends the parts of a tile.
    /// - Returns: the most rows that any part would read if all were split as far as possible.
    func split(z: Int, x: Int, y: Int, into parts: inout [PartPlan.Part]) -> Int {
        guard let tile = TileCoordinate(z: z, x: x, y: y) else { preconditionFailure("no such tile") }
        let whole = PartPlan.Part(
            tile: tile, rows: rows(within: 0, of: tile), rowsWithHalo: rows(within: haloUnits, of: tile))
        guard whole.rowsWithHalo > rowsPerPart, z < deepestZoom else {
            parts.append(whole)
            return whole.rowsWithHalo
        }
        let first = parts.count
        let least = (0..<4).reduce(0) { least, child in
            max(least, split(z: z + 1, x: 2 * x + child & 1, y: 2 * y + child >> 1, into: &parts))
        }
        // If one spot has too many rows anyway, splitting the area around it only means that its rows are read by
        // several parts.
        if least > rowsPerPart, 4 * whole.rowsWithHalo <= 5 * least {
            parts.replaceSubrange(first..., with: [whole])
        }
        return least
    }
}

extension ClusteringOptions {
    /// The highest zoom at which the join is tried, unless the tileset starts at a higher one.
    private static let deepestCut = 14
    /// The highest zoom at which occupied cells are counted.
    private static let deepestCells = 18

    /// The zooms at which the world can be cut; `nil` if fewer than two zooms are clustered: one by the join, and one
    /// by the parts.
    public var cutZooms: ClosedRange<Int>? {
        let last = min(clusterMaxZoom - 1, max(ClusteringOptions.deepestCut, minZoom))
        return minZoom <= last ? minZoom...last : nil
    }

    /// The zoom whose tiles are about as large as the area that a marker has to itself.
    public func markerDepth(atZoom zoom: Int) -> Int { min(cellDepth(atZoom: zoom), ClusteringOptions.deepestCells) }

    /// The zooms of ``markerDepth(atZoom:)`` at which occupied tiles must be counted to choose the cut zoom, because
    /// there can be more than `joinMarkers` of them; ascending.
    public func countedDepths(joinMarkers: Int) -> [Int] {
        let depths = Set((cutZooms.map(Array.init) ?? []).map { markerDepth(atZoom: $0) })
        return depths.filter { 1 << (2 * $0) > joinMarkers }.sorted()
    }

    /// The highest zoom at which the join gets about `joinMarkers` markers or fewer; the lowest one if all have more.
    /// - Parameters:
    ///   - occupiedCells: the number of tiles with rows at a zoom. It is called for a few zooms, from the highest.
    ///   - joinMarkers: the most markers that the join should get.
    /// - Precondition: ``cutZooms`` isn't `nil`.
    public func cutZoom(occupiedCells: (_ depth: Int) throws -> Int, joinMarkers: Int) rethrows -> Int {
        guard let cutZooms else { preconditionFailure("fewer than two zooms are clustered") }
        return try cutZooms.last { zoom in
            let depth = markerDepth(atZoom: zoom)
            return try 1 << (2 * depth) <= joinMarkers || occupiedCells(depth) <= joinMarkers
        } ?? cutZooms.lowerBound
    }

    /// The zoom of the cells in which a plan counts rows; they are about as wide as the halo.
    public func countingZoom(cutZoom: Int) -> Int { max(0, cutZoom - 2, deepestPartZoom(cutZoom: cutZoom)) }

    /// The zoom of the smallest parts: at least twice as wide as their halo, so that a row is in at most three halos.
    func deepestPartZoom(cutZoom: Int) -> Int {
        let width = 2 * (partHaloUnits(cutZoom: cutZoom) + 2 * ClusteringOptions.haloSlackUnits(cutZoom: cutZoom))
        return (0...cutZoom).last { UInt64(1) << UInt64(32 - $0) >= width } ?? 0
    }

    /// A pixel. Programs that send rows to parts may send those too that miss a halo by up to this much.
    static func haloSlackUnits(cutZoom: Int) -> UInt64 { 1 << UInt64(24 - cutZoom) }
}

extension BuildOptions {
    /// Why these options can't be planned in parts, described for the user; `nil` if they can.
    /// - Parameter cutZoom: `nil` if it isn't chosen yet.
    public func planProblem(cutZoom: Int?) -> OptionMessage? {
        guard let world = TileCoordinate(z: 0, x: 0, y: 0) else { return nil }
        var options = self
        options.schema = PointSchema(columns: [])
        // Only the join has a use for it.
        options.input.maxSkipped = nil
        let part = WorldPart(tile: world, cutZoom: cutZoom ?? clustering.minZoom)
        return input.problem ?? PartOptions(build: options, part: part).problem
    }

    /// An estimate of the memory that a part needs, without its tiles' lists.
    /// - Parameter rows: how many rows it reads, including its halo.
    public func partMemoryBytes(rows: Int) -> Int {
        MemoryEstimate(pointCount: rows, clustering: clustering, clusters: clusters).bytes
    }
}
