import Foundation
import PyramidParts
import PyramidTiles
import PyramidVerification
import Synchronization
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

/// Tilesets that go elsewhere than into a directory.
@Suite struct MemoryTilesetTests {
    @Test func `memory gets the files of a build, and stages come in their order`() throws {
        var random = SeededRandom(seed: 5)
        let points = PointScatter.points(.lumps, count: 90, random: &random)
        let clustering = ClusteringOptions(minZoom: 1, maxZoom: 6)
        let built = try BuiltPyramid(csv: PointRows(points).csv, clustering: clustering)
        let options = BuildOptions(
            inputPaths: [built.folder.path("points0")],
            outputPath: built.folder.path("none"), clustering: clustering)

        let tileset = MemoryTileset()
        let stages = Mutex<[String]>([])
        _ = try PyramidBuilder(options: options).build { progress in
            stages.withLock { stages in
                let stage = MemoryTilesetTests.name(of: progress)
                if stages.last != stage { stages.append(stage) }
            }
        } to: { _ in
            tileset
        }
        #expect(try tileset.files() == (try built.files().mapValues { Array($0) }))
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
            ClusteringOptions(position: .centroid, minZoom: 2, maxZoom: 7),
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
            inputPaths: [built.folder.path("points0")], outputPath: "",
            clustering: clustering, clusters: clusters)
        let files = try [1, 13, 150, TileWriter.defaultMarkersPerSubtree].map { count in
            var builder = PyramidBuilder(options: options)
            builder.markersPerSubtree = count
            let tileset = MemoryTileset()
            _ = try builder.build { _ in tileset }
            #expect(PyramidVerifier(tileset: tileset).verify().findings.isEmpty)
            return try tileset.files()
        }
        #expect(files.allSatisfy { $0 == files[0] })
    }

    @Test func `a chosen max zoom keeps how many markers a worker takes at a time`() throws {
        var random = SeededRandom(seed: 9)
        let built = try BuiltPyramid(
            csv: PointRows(PointScatter.points(.lumps, count: 90, random: &random)).csv,
            clustering: ClusteringOptions())
        var options = BuildOptions(
            inputPaths: [built.folder.path("points0")], outputPath: "")
        options.choosesMaxZoom = true
        let largest = try [1, TileWriter.defaultMarkersPerSubtree].map { count in
            var builder = PyramidBuilder(options: options)
            builder.markersPerSubtree = count
            let largest = Mutex(0)
            _ = try builder.build { progress in
                guard case .writing(let tiles, _, _) = progress else { return }
                largest.withLock { $0 = max($0, tiles) }
            } to: { _ in
                MemoryTileset()
            }
            return largest.withLock { $0 }
        }
        // One tile at a time, or all at once.
        #expect(largest[0] == 1)
        #expect(largest[1] > 17)
    }

    private static func name(of progress: BuildProgress) -> String {
        switch progress {
        case .copying: "copying"
        case .reading: "reading"
        case .sorting(let points): "sorting \(points)"
        case .clustering(let zoom): "clustering \(zoom)"
        case .counting: "counting"
        case .building: "building"
        case .arranging(let zoom): "arranging \(zoom)"
        case .writing(tiles: 0, _, _): "writing begins"
        case .writing: "writing"
        }
    }
}

extension MemoryTileset {
    /// Every file by its path.
    fileprivate func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in try tileEntries() {
            files[storage.relativePath(of: .tile(entry.address))] = try storedBytes(of: entry.address)
        }
        for name in try manifest().files.keys { files[name] = try metadataBytes(of: name) }
        files[Manifest.fileName] = try metadataBytes(of: Manifest.fileName)
        return files
    }
}
