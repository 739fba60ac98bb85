import Foundation
import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

/// Damage to what only builds write: bundles, the page that shows the tiles, and directories of vector tiles.
@Suite struct DamagedFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A tileset with a preview, with bundles if its format can have them.
    private func build(_ codec: TileCodec) throws -> DirectoryTileset {
        var random = SeededRandom(seed: 31)
        let rows = (0..<150).map { index in
            // Most of them in a town.
            let size = index < 120 ? 40 : 60_000
            return "p\(index),\(Double(random.next(below: size)) / 1000 + 8),"
                + "\(Double(random.next(below: size)) / 1000 - 30)\n"
        }
        let input = try folder.file("points.csv", "name,lon,lat\n" + rows.joined())
        var options = BuildOptions(
            inputPaths: [input], outputPath: folder.path("out"), clustering: ClusteringOptions(maxZoom: 3))
        options.storage = TileStorage(codec: codec, layout: TilesetLayout(bundleLimit: codec.canBeBundled ? 40 : nil))
        if codec == .mvt { options.clustering.tileSize = 512 }
        options.previewPage = Array("<!DOCTYPE html><title>points</title>".utf8)
        options.syncs = false
        _ = try PyramidBuilder(options: options).build()
        let tileset = try #require(try LocalTileset.open(path: folder.path("out")) as? DirectoryTileset)
        #expect(try findings(in: tileset) == [])
        return tileset
    }

    private func findings(in tileset: DirectoryTileset) throws -> [Finding] {
        try PyramidVerifier(tileset: tileset, jobs: 1).checkedReport().findings
    }

    private static let damages: [@Sendable (inout Data) -> Void] = [
        { $0.removeLast() }, { $0.removeAll() }, { $0.append(0) }, { $0[$0.count / 2] ^= 4 },
        { $0 = Data($0.reversed()) },
    ]

    @Test(arguments: [TileCodec.geojson, .mvt])
    func `each damaged or missing file is one finding, of its kind`(codec: TileCodec) throws {
        let tileset = try build(codec)
        let list = try tileset.fileList()
        let addresses = try [#require(list.entries.last).address, #require(list[.tile].last).address]
        let cases: [(name: String, damaged: Finding.Kind, missing: Finding.Kind)] =
            addresses.map { (tileset.storage.relativePath(of: $0), .damagedTile, .missingTile) }
            + [(TilesetMetadata.previewName, .damagedPreviewPage, .damagedPreviewPage)]
        for (name, damaged, missing) in cases {
            let url = URL(fileURLWithPath: tileset.path(ofFile: name))
            let bytes = try Data(contentsOf: url)
            for (number, damage) in DamagedFilesTests.damages.enumerated() {
                var changed = bytes
                damage(&changed)
                try changed.write(to: url)
                let found = try findings(in: tileset)
                #expect(found.map(\.kind) == [damaged] && found[0].file == name, "damage \(number) of \(name)")
            }
            try FileManager.default.removeItem(at: url)
            #expect(try findings(in: tileset) == [Finding(kind: missing, file: name, detail: "is missing")])
            try bytes.write(to: url)
        }
        #expect(try findings(in: tileset) == [])
    }

    @Test(arguments: [TileCodec.geojson, .mvt])
    func `of single bits changed anywhere, all are found`(codec: TileCodec) throws {
        let tileset = try build(codec)
        let names = try FileManager.default.subpathsOfDirectory(atPath: tileset.path).sorted()
        let files = names.filter { $0.contains(".") }
        #expect(files.contains { $0.hasPrefix("bundles/") } == (codec == .geojson) && files.contains("index.html"))
        var random = SeededRandom(seed: 43)
        for _ in 0..<200 {
            let name = try #require(files.randomElement(using: &random))
            let url = URL(fileURLWithPath: tileset.path(ofFile: name))
            let bytes = try Data(contentsOf: url)
            let bit = random.next(below: bytes.count * 8)
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            try changed.write(to: url)
            #expect(!PyramidVerifier(tileset: tileset, jobs: 1).verify().isSound, "bit \(bit) of \(name)")
            try bytes.write(to: url)
        }
        #expect(PyramidVerifier(tileset: tileset, jobs: 1).verify().isSound)
    }
}
