import Foundation
import PyramidTiles
import Synchronization
import Testing

@testable import PyramidBuild

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
        let begun = (1...6).reversed().flatMap { ["zoom \($0) begins", "writing zoom \($0)"] }
        #expect(
            stages.withLock { $0 } == ["reading", "sorting 90"] + clustered + begun)
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
        case .writing(let zoom, tiles: 0, _, _): "zoom \(zoom) begins"
        case .writing(let zoom, _, _, _): "writing zoom \(zoom)"
        case .writingLeaves: "writing pages"
        }
    }
}
