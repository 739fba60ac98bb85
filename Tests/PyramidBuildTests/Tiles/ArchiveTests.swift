import Foundation
import PyramidParts
import PyramidStore
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidTiles

/// Archives of builds, beside directories of the same rows.
@Suite(.tags(.threads)) struct ArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Builds both.
    private func build(
        _ csv: String, jobs: Int = 2, _ edit: (inout BuildOptions) -> Void = { _ in },
        _ body: (DirectoryTileset, ArchiveTileset) throws -> Void
    ) throws {
        let input = try folder.file("points.csv", csv)
        let outputs = ["out", "out.pmtiles"].map { folder.path($0) }
        for output in outputs {
            var options = BuildOptions(
                inputPaths: [input], outputPath: output, clustering: ClusteringOptions(maxZoom: 9), jobs: jobs)
            options.syncs = false
            edit(&options)
            _ = try PyramidBuilder(options: options).build()
        }
        try body(DirectoryTileset(path: outputs[0]), try ArchiveTileset(path: outputs[1]))
    }

    private func rows(_ count: Int, seed: UInt64) -> String {
        var random = SeededRandom(seed: seed)
        return PointRows(
            (0..<count).map { index in
                // Every third point near another.
                let spread = index % 3 == 0 ? 1 << 32 : 1 << 22
                return WorldPoint(
                    x: UInt32(truncatingIfNeeded: random.next(below: spread) + 77_000_000),
                    y: UInt32(truncatingIfNeeded: random.next(below: spread) / 2 + 1_200_000_000))
            }
        ).csv
    }

    @Test func `thousands of tiles can have the same few bytes`() throws {
        let side = 64
        let rows = (0..<side * side).map { index in
            // Beside the middle of a tile, so that rounding doesn't matter.
            let (x, y) = (UInt32(500 + index % side), UInt32(400 + index / side))
            let place = WebMercator.unproject(WorldPoint(x: x << 22 + 1 << 21 + 500, y: y << 22 + 1 << 21 + 500))
            return "\(place.longitude),\(place.latitude)\n"
        }
        try build("lon,lat\n" + rows.joined()) {
            $0.clustering = ClusteringOptions(minZoom: 10, maxZoom: 10)
            $0.storage = TileStorage(codec: .mvt, layout: $0.storage.layout)
            $0.tileJSON = TileJSONOptions(name: "Grid", description: "What it shows", attribution: "© nobody")
        } _: { directory, archive in
            #expect(try archive.tileJSON().description == "What it shows")
            #expect(try archive.tileJSON() == directory.tileJSON())
            #expect(archive.header.tileCount == side * side)
            #expect(archive.header.tileData.count < 200)
            #expect(try PyramidVerifier(tileset: archive, jobs: 2).checkedReport().findings == [])
            let list = try directory.fileList()
            #expect(try archive.fileList() == list)
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (300, 1), (300, 2), (6000, 3)])
    func `the tiles of an archive are those of the directory, byte for byte`(count: Int, jobs: Int) throws {
        try build(rows(count, seed: UInt64(count)), jobs: jobs) { directory, archive in
            let list = try directory.fileList()
            #expect(try archive.fileList() == list)
            for entry in try directory.tileEntries() {
                #expect(try archive.storedBytes(of: entry.address) == directory.storedBytes(of: entry.address))
            }
            #expect(try archive.tileJSON() == directory.tileJSON())
            var (found, expected) = (try archive.manifest(), try directory.manifest())
            (found.files, expected.files) = ([:], [:])
            (found.checksum, expected.checksum) = ("", "")
            #expect(found.content.storage.layout == .archive && expected.content.storage.layout == .files)
            found.content.storage.layout = .files
            #expect(found == expected)
            #expect(try PyramidVerifier(tileset: archive, jobs: 2).checkedReport().findings == [])
        }
    }

    @Test func `an archive of groups, bands of single zooms and few zooms is sound`() throws {
        try build(rows(500, seed: 8)) {
            $0.clustering = ClusteringOptions(position: .centroid, minZoom: 3, maxZoom: 6)
            $0.clustering.groupColumn = "rank"
        } _: { directory, archive in
            let (found, expected) = (try archive.fileList(), try directory.fileList())
            #expect(found == expected)
            #expect(archive.header.zooms == 3...6)
            #expect(try PyramidVerifier(tileset: archive, jobs: 2).checkedReport().findings == [])
        }
    }

    @Test func `what an archive has no place for is refused by name`() throws {
        let edits: [((inout BuildOptions) -> Void, String)] = [
            ({ $0.storage.layout = .bundles(limit: 9) }, "bundle "),
            ({ $0.previewPage = [] }, "preview "), ({ $0.storage.compression = .none }, "compression none "),
            ({ $0.storage.suffix = ".geojson" }, "tile suffix "),
            ({ $0.tileJSON.baseURL = "https://example.org/" }, "base url "),
        ]
        for (edit, name) in edits {
            var options = BuildOptions(inputPaths: ["a.csv"], outputPath: "out.pmtiles")
            #expect(options.problem == nil)
            edit(&options)
            #expect(options.problem?.description == "\(name)can't be used with .pmtiles output", "\(name)")
            options = BuildOptions(inputPaths: ["a.csv"], outputPath: "out")
            edit(&options)
            #expect(options.problem == nil)
            options.outputPath = "out.pmtiles"
            #expect(options.problem != nil)
        }
    }
}
