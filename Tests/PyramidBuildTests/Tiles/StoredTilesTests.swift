import Foundation
import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

@Suite struct StoredTilesTests {
    private static let csv = """
        name,lat,lon
        Suva,-18.1416,178.4419
        Nuku'alofa,-21.1394,-175.2018
        Reykjavík,64.1466,-21.9426
        Hafnarfjörður,64.0671,-21.9377

        """

    /// Builds into the same directory again and again.
    private final class Rebuilds {
        let folder: TemporaryFolder
        let input: String
        var output: String { folder.path("out") }

        init() throws {
            folder = try TemporaryFolder()
            input = try folder.file("points.csv", StoredTilesTests.csv)
        }

        func build(_ storage: TileStorage) throws -> BuildReport {
            var options = BuildOptions(
                inputPaths: [input], outputPath: output,
                clustering: ClusteringOptions(maxZoom: 6), jobs: 2)
            options.storage = storage
            return try PyramidBuilder(options: options).build()
        }
    }

    @Test(arguments: [
        TileStorage(suffix: ".json.gz"), TileStorage(suffix: ".geojson", compression: .none),
        TileStorage(suffix: ".json", compression: .none),
    ])
    func `a pyramid is sound and read, however it is stored`(storage: TileStorage) throws {
        let builds = try Rebuilds()
        let usual = try builds.build(TileStorage())
        let bodies = try DirectoryTileset(path: builds.output).bodies()
        let report = try builds.build(storage)
        #expect(report.changes.written == bodies.count)
        #expect(report.changes.removed == (storage.suffix == ".json" ? 0 : bodies.count))

        let directory = DirectoryTileset(path: builds.output)
        #expect(directory.storage == storage)
        #expect(PyramidVerifier(tileset: directory).verify().findings.isEmpty)
        #expect(try directory.bodies() == bodies)
        #expect(try directory.tileJSON().tiles == ["tiles/{z}/{x}/{y}\(storage.suffix)"])
        #expect(report.manifest.zooms.map(\.bodyBytes) == usual.manifest.zooms.map(\.bodyBytes))
        for entry in try directory.tileEntries() {
            let stored = try #require(FileManager.default.contents(atPath: directory.path(of: entry.address)))
            #expect(stored.starts(with: Gzip.magic) == (storage.compression == .gzip))
            if storage.compression == .none { #expect(Array(stored) == bodies[entry.address]) }
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: builds.output + "/tiles")
            .filter { $0.contains(".") }
        #expect(files.count == bodies.count && files.allSatisfy { $0.hasSuffix(storage.suffix) })
    }

    @Test func `tiles of interrupted builds are removed, whatever their suffixes`() throws {
        let builds = try Rebuilds()
        _ = try builds.build(TileStorage(suffix: ".json.gz"))
        let stray = builds.output + "/tiles/6/0/7.geojson"
        try FileManager.default.createDirectory(
            atPath: builds.output + "/tiles/6/0", withIntermediateDirectories: true)
        try Data(#"{"type":"FeatureCollection","features":[{"ty"#.utf8).write(to: URL(fileURLWithPath: stray))
        try Data("A build of this pyramid is under way, or was interrupted.\n".utf8)
            .write(to: URL(fileURLWithPath: builds.output + "/.building"))
        _ = try builds.build(TileStorage())
        #expect(!FileManager.default.fileExists(atPath: stray))
        #expect(PyramidVerifier(tileset: DirectoryTileset(path: builds.output)).verify().findings.isEmpty)
    }

    @Test func `the verifier finds damage in tiles that are not compressed`() throws {
        let builds = try Rebuilds()
        _ = try builds.build(TileStorage(suffix: ".geojson", compression: .none))
        let directory = DirectoryTileset(path: builds.output)
        let path = directory.path(of: try #require(try directory.tileEntries().last).address)
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let findings = PyramidVerifier(tileset: directory).verify().findings
        #expect(findings.contains { $0.kind == .damagedTile && path.hasSuffix($0.file) })
    }
}

extension DirectoryTileset {
    /// The JSON of every tile of the list.
    fileprivate func bodies() throws -> [TileCoordinate: [UInt8]] {
        var bodies: [TileCoordinate: [UInt8]] = [:]
        for entry in try tileEntries() { bodies[entry.address] = try body(of: entry.address) }
        return bodies
    }
}
