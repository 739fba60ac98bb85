import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts
@testable import PyramidStore

/// A tileset that is built twice from the same rows: at once, and from parts that are joined. Everything is in a temporary
/// folder, which is removed with it.
final class JoinedPyramid {
    let folder: TemporaryFolder
    private let options: BuildOptions
    private let suffix: String

    /// - Parameters:
    ///   - rows: GeoJSON, one feature a line.
    ///   - change: sets more options.
    init(
        rows: [String], clustering: ClusteringOptions, suffix: String = "",
        change: (inout BuildOptions) -> Void = { _ in }
    )
        throws
    {
        folder = try TemporaryFolder()
        self.suffix = suffix
        let input = try folder.file("points.ndjson", rows.map { $0 + "\n" }.joined())
        var options = BuildOptions(
            inputPaths: [input], outputPath: folder.path("whole" + suffix),
            clustering: clustering, jobs: 2)
        options.syncs = false
        options.compressionLevel = 1
        change(&options)
        try #require(options.problem == nil)
        options.schema = try PointSchema(reading: [input], options: options.input)
        self.options = options
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// Changes the input of all builds that follow. The schema stays as it was.
    func replace(rows: [String]) throws { try folder.file("points.ndjson", rows.map { $0 + "\n" }.joined()) }

    /// Builds everything at once.
    func buildWhole() throws { _ = try PyramidBuilder(options: options).build() }

    /// Builds a part.
    /// - Parameters:
    ///   - haloUnits: `nil` for as many as are needed.
    ///   - change: sets other options than the other parts have.
    /// - Returns: the path of its file.
    func build(
        _ tile: TileCoordinate, cutZoom: Int, haloUnits: UInt64? = nil, change: (inout BuildOptions) -> Void = { _ in }
    ) throws -> String {
        var options = options
        options.outputPath = path("part-\(tile.z)-\(tile.x)-\(tile.y)")
        change(&options)
        var builder = PartBuilder(
            options: PartOptions(build: options, part: WorldPart(tile: tile, cutZoom: cutZoom)))
        if let haloUnits { builder.haloUnits = haloUnits }
        _ = try builder.build()
        return options.outputPath
    }

    func join(_ parts: [String]) throws {
        var options = JoinOptions(partPaths: parts, outputPath: path("joined" + suffix))
        options.syncs = false
        options.jobs = 2
        _ = try PartJoiner(options: options).join()
    }

    /// The paths of files that differ between the two, or are in only one of them.
    func differences() throws -> [String] {
        let (whole, joined) = (
            try fileTree(at: folder.path("whole" + suffix)), try fileTree(at: folder.path("joined" + suffix))
        )
        return Set(whole.keys).union(joined.keys).filter { whole[$0] != joined[$0] }.sorted()
    }
}

/// Tiles that make up the world, of different zooms.
struct WorldCut {
    private(set) var tiles: [TileCoordinate] = []

    init(cutZoom: Int, random: inout SeededRandom) {
        guard let world = TileCoordinate(z: 0, x: 0, y: 0) else { return }
        cut(world, cutZoom: cutZoom, &random)
    }

    private mutating func cut(_ tile: TileCoordinate, cutZoom: Int, _ random: inout SeededRandom) {
        guard tile.z < cutZoom, tiles.count < 12, random.next(below: 10) < (tile.z == 0 ? 9 : 4) else {
            tiles.append(tile)
            return
        }
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            guard let child = TileCoordinate(z: tile.z + 1, x: 2 * tile.x + x, y: 2 * tile.y + y) else { continue }
            cut(child, cutZoom: cutZoom, &random)
        }
    }
}
