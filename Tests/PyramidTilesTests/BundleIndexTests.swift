import Foundation
import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles

@Suite struct BundleIndexTests {
    /// Tiles and bundles as a tileset could have them: nothing below a bundle.
    private static func files(
        _ random: inout SeededRandom, _ tile: TileCoordinate, maxZoom: Int, into files: inout [TileCoordinate: Bool]
    ) {
        let choice = random.next(below: 6)
        if tile.z == maxZoom || choice == 0 {
            files[tile] = true
            return
        }
        if choice > 2 { files[tile] = false }
        let before = files.count
        for child in 0..<4 where random.next(below: 2) == 0 {
            guard let child = TileCoordinate(z: tile.z + 1, x: 2 * tile.x + child % 2, y: 2 * tile.y + child / 2)
            else { continue }
            BundleIndexTests.files(&random, child, maxZoom: maxZoom, into: &files)
        }
        // A tile has something below it.
        if files.count == before { files[tile] = true }
    }

    @Test(arguments: 0..<30)
    func `the index finds every file, and nothing else`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let maxZoom = 1 + random.next(below: 6)
        var files: [TileCoordinate: Bool] = [:]
        BundleIndexTests.files(&random, try #require(TileCoordinate(z: 0, x: 0, y: 0)), maxZoom: maxZoom, into: &files)
        let addresses = files.map { $1 ? FileAddress.bundle($0) : .tile($0) }
        let index = BundleIndex(limit: 9, files: addresses.shuffled(using: &random))
        let stored = TileJSON.Bundles(index, template: "bundles/{z}/{x}/{y}.json")
        #expect(try stored.decoded() == index)

        for zoom in 0...maxZoom + 1 {
            for x in 0..<1 << zoom {
                for y in 0..<1 << zoom {
                    let tile = try #require(TileCoordinate(z: zoom, x: x, y: y))
                    let above = (0...zoom).compactMap { tile.ancestor(atZoom: $0) }
                    let bundle = above.first { files[$0] == true }
                    let expected: FileAddress? =
                        bundle.map { .bundle($0) } ?? (files[tile] == false ? .tile(tile) : nil)
                    #expect(index.file(holding: tile) == expected)
                    let hasBelow = files.keys.contains { $0.z > zoom && $0.ancestor(atZoom: zoom) == tile }
                    let state: BundleIndex.State =
                        switch files[tile] {
                        case true?: .bundle
                        case false?: .tile
                        case nil: hasBelow ? .descendants : .nothing
                        }
                    #expect(index.state(of: tile) == state)
                }
            }
        }
    }

    /// Bits 0-1 are the north-west child, then north-east, south-west and south-east.
    @Test func `the bytes are the states of the children in preorder`() throws {
        let bundles = [(2, 1, 0), (2, 3, 3), (1, 0, 1)].compactMap { TileCoordinate(z: $0.0, x: $0.1, y: $0.2) }
        let tiles = [(0, 0, 0), (1, 1, 1)].compactMap { TileCoordinate(z: $0.0, x: $0.1, y: $0.2) }
        let index = BundleIndex(
            limit: 128, files: bundles.map { FileAddress.bundle($0) } + tiles.map { FileAddress.tile($0) })
        #expect(index.root == .tile)
        #expect(index.nodes == [0b10_01_00_11, 0b00_00_01_00, 0b01_00_00_00])
    }

    @Test(
        arguments: [
            ([], 2), ([0], 0), ([0], 1), ([0b10], 2), ([0, 0], 2), ([0b10, 0, 0], 3),
        ] as [([UInt8], UInt8)])
    func `bytes that are no tree of tiles are refused`(nodes: [UInt8], root: UInt8) throws {
        let state = try #require(BundleIndex.State(rawValue: root))
        #expect(BundleIndex(limit: 1, root: state, nodes: nodes) == nil)
    }

    @Test(arguments: [31, 1 << 16])
    func `trees that are too deep are refused`(depth: Int) {
        let nodes = [UInt8](repeating: 3, count: depth)
        #expect(BundleIndex(limit: 1, root: .descendants, nodes: nodes) == nil)
    }

    @Test(arguments: ["*", "AAAA", ""])
    func `damaged indices are errors`(text: String) {
        var stored = TileJSON.Bundles(BundleIndex(limit: 1, files: []), template: "")
        stored.root = .tile
        stored.index = text
        #expect(throws: MetadataError.self) { try stored.decoded() }
    }

    @Test func `an index can't fill the memory`() {
        var stored = TileJSON.Bundles(BundleIndex(limit: 1, files: []), template: "")
        stored.root = .tile
        stored.index =
            Data(GzipCompressor.deflated([UInt8](repeating: 0, count: (64 << 20) + 1))).base64EncodedString()
        #expect(
            throws: MetadataError(
                "has a bundle index that can't be inflated: content is longer than the limit of 67108864 bytes")
        ) {
            try stored.decoded()
        }
    }

    @Test func `of a tile and a bundle at one address, the bundle counts`() throws {
        let tile = try #require(TileCoordinate("2/1/3"))
        for files in [[FileAddress.tile(tile), .bundle(tile)], [.bundle(tile), .tile(tile)]] {
            let index = BundleIndex(limit: 5, files: files)
            #expect(index.state(of: tile) == .bundle)
        }
    }
}
