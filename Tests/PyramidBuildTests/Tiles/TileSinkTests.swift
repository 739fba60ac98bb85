import Foundation
import PyramidTiles
import Synchronization
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

/// Tiles that go elsewhere than into a directory.
@Suite struct TileSinkTests {
    @Test func `a sink gets the tiles of a build, and stages come in their order`() throws {
        var random = SeededRandom(seed: 5)
        let points = PointScatter.points(.lumps, count: 90, random: &random)
        let clustering = ClusteringOptions(minZoom: 1, maxZoom: 6)
        let built = try BuiltPyramid(csv: PointRows(points).csv, clustering: clustering)
        let options = BuildOptions(
            inputPaths: [built.folder.appendingPathComponent("points0").path],
            outputPath: built.folder.appendingPathComponent("none").path, clustering: clustering)

        let sink = KeptTiles()
        let stages = Mutex<[String]>([])
        let entries = try PyramidBuilder(options: options).writeTiles(to: sink) { progress in
            stages.withLock { stages in
                let stage = KeptTiles.name(of: progress)
                if stages.last != stage { stages.append(stage) }
            }
        }
        #expect(TileList(entries) == (try built.directory.tileList()))
        let files = try built.files().filter { $0.key.hasPrefix("tiles/") && $0.key.hasSuffix(".json") }
        #expect(sink.files.withLock { $0 } == files)
        #expect(!FileManager.default.fileExists(atPath: options.outputPath))
        let clustered = clustering.clusteredZooms.map { "clustering \($0)" }
        let arranged = (1...6).reversed().map { "arranging \($0)" }
        #expect(
            stages.withLock { $0 } == ["reading", "sorting 90"] + clustered + arranged + ["writing begins", "writing"])
    }

    /// At most one marker at a time means that nothing that was made for one zoom serves another.
    @Test(
        arguments: PointScatter.Shape.allCases,
        [
            ClusteringOptions(maxZoom: 9, clusterMaxZoom: 5), ClusteringOptions(minPoints: 4, maxZoom: 8),
            ClusteringOptions(method: .grid, position: .nearest, minZoom: 2, maxZoom: 7),
        ])
    func `tiles don't depend on how many markers a worker takes at a time`(
        shape: PointScatter.Shape, clustering: ClusteringOptions
    ) throws {
        var random = SeededRandom(seed: 8)
        var points = PointScatter.points(shape, count: 120, random: &random)
        points += points.prefix(20)
        let built = try BuiltPyramid(csv: PointRows(points).csv, clustering: clustering)
        var clusters = ClusterContentOptions()
        clusters.memberLimit = 3
        clusters.memberProperties = ["name"]
        let options = BuildOptions(
            inputPaths: [built.folder.appendingPathComponent("points0").path], outputPath: "",
            clustering: clustering, clusters: clusters)
        let files = try [1, 13, 150, TileWriter.usualMarkersPerSubtree].map { count in
            var builder = PyramidBuilder(options: options)
            builder.markersPerSubtree = count
            let sink = KeptTiles()
            let entries = try builder.writeTiles(to: sink)
            let files = sink.files.withLock { $0 }
            #expect(entries.count == files.count)
            for entry in entries {
                let file = files[TileStorage().relativePath(of: entry.tile)]
                #expect(file?.count == entry.file.byteCount && file.map { Gzip.crc32(Array($0)) } == entry.file.crc32)
            }
            return files
        }
        #expect(files.allSatisfy { $0 == files[0] })
    }
}

private final class KeptTiles: TileSink {
    let files = Mutex<[String: Data]>([:])

    func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) {
        files.withLock { $0[TileStorage().relativePath(of: entry.tile)] = Data(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, for entry: LeafList.Entry) {}

    static func name(of progress: BuildProgress) -> String {
        switch progress {
        case .reading: "reading"
        case .sorting(let points): "sorting \(points)"
        case .clustering(let zoom): "clustering \(zoom)"
        case .arranging(let zoom): "arranging \(zoom)"
        case .writing(tiles: 0, _, _): "writing begins"
        case .writing: "writing"
        case .writingLeaves: "writing pages"
        }
    }
}
