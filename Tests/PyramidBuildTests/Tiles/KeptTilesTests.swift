import Foundation
import PyramidParts
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild

/// Builds over a pyramid, whose tiles are compressed anew only where they have to be.
@Suite struct KeptTilesTests {
    private static let csv = {
        var random = SeededRandom(seed: 3)
        let rows = (0..<80).map { number in
            "p\(number),\(random.next(below: 80_000) - 3_000)e-3,\(random.next(below: 300_000) - 150_000)e-3\n"
        }
        return "name,lat,lon\n" + rows.joined()
    }()

    private func options(_ pyramid: BuiltPyramid, level: Int = 6) -> BuildOptions {
        var options = BuildOptions(
            inputPaths: [pyramid.folder.path("points0")], outputPath: pyramid.path,
            clustering: ClusteringOptions(maxZoom: 5), compressionLevel: level, jobs: 2)
        options.syncs = false
        return options
    }

    private func pyramid() throws -> BuiltPyramid {
        try BuiltPyramid(csv: KeptTilesTests.csv, clustering: ClusteringOptions(maxZoom: 5))
    }

    /// The file of a tile at the last zoom.
    private func tile(of pyramid: BuiltPyramid) throws -> (entry: ListedFile<TileCoordinate>, file: URL) {
        let entry = try #require(try pyramid.directory.tileEntries().last)
        return (entry, URL(fileURLWithPath: pyramid.directory.path(of: entry.address)))
    }

    @Test func `a tile that was damaged is written again`() throws {
        let pyramid = try pyramid()
        let before = try pyramid.files()
        let (_, file) = try tile(of: pyramid)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: file)
        let report = try PyramidBuilder(options: options(pyramid)).build()
        #expect(report.changes.written == 1)
        #expect(try pyramid.files() == before)
    }

    @Test func `a tile of other content is written again, even where all checksums agree`() throws {
        let pyramid = try pyramid()
        let before = try pyramid.files()
        let (entry, file) = try tile(of: pyramid)
        let json = try #require(try pyramid.directory.body(of: entry.address))
        let forged = json.map { $0 == UInt8(ascii: "p") ? UInt8(ascii: "q") : $0 }
        #expect(forged != json)
        let stored = forged.gzipped()
        try Data(stored).write(to: file)
        // As if the checksum of the JSON could not tell the two apart.
        let entries = try pyramid.directory.tileEntries().map {
            $0.address != entry.address
                ? FileList.Entry(address: .tile($0.address), file: $0.file)
                : FileList.Entry(
                    address: .tile($0.address), byteCount: stored.count, crc32: Gzip.crc32(stored),
                    bodyByteCount: json.count,
                    bodyCRC32: Gzip.crc32(json))
        }
        try Data(FileList(entries).encoded())
            .write(to: URL(fileURLWithPath: pyramid.directory.path(ofFile: FileList.fileName)))
        _ = try PyramidBuilder(options: options(pyramid)).build()
        #expect(try pyramid.files() == before)
    }

    @Test func `another level of compression is that of a clean build`() throws {
        let pyramid = try pyramid()
        let (fast, small) = (1, 9)
        _ = try PyramidBuilder(options: options(pyramid, level: fast)).build()
        let fastFiles = try pyramid.files()
        _ = try PyramidBuilder(options: options(pyramid, level: small)).build()
        #expect(try pyramid.files() != fastFiles)
        let report = try PyramidBuilder(options: options(pyramid, level: fast)).build()
        #expect(report.changes.written > 0)
        #expect(try pyramid.files() == fastFiles)
    }

    @Test func `bundles replace tiles, and tiles bundles, and what is the same is kept`() throws {
        let pyramid = try pyramid()
        let plain = try pyramid.files()
        var options = options(pyramid)
        options.storage.layout = .bundles(limit: 9)
        let first = try PyramidBuilder(options: options).build()
        let bundled = try pyramid.files()
        #expect(bundled.keys.contains { $0.hasPrefix("bundles/") } && bundled.keys.contains { $0.hasPrefix("tiles/") })
        #expect(first.changes.removed > first.changes.written)

        let again = try PyramidBuilder(options: options).build()
        #expect(again.changes.written == 0 && again.changes.removed == 0)
        #expect(again.changes.unchanged == first.changes.written + first.changes.unchanged)
        #expect(try pyramid.files() == bundled)

        options.storage.layout = .files
        _ = try PyramidBuilder(options: options).build()
        #expect(try pyramid.files() == plain)
    }

    @Test func `after an interruption, bundles that don't belong there are removed`() throws {
        let pyramid = try pyramid()
        let plain = try pyramid.files()
        var options = options(pyramid)
        options.storage.layout = .bundles(limit: 9)
        _ = try PyramidBuilder(options: options).build()
        // As a build leaves it that is killed before its manifest.
        try FileManager.default.removeItem(atPath: pyramid.path + "/manifest.json")
        try Data("pyramid build, process 1\n".utf8).write(to: URL(fileURLWithPath: pyramid.path + "/.building"))
        options.storage.layout = .files
        _ = try PyramidBuilder(options: options).build()
        #expect(try pyramid.files() == plain)
    }
}
