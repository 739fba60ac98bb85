import Testing

@testable import PyramidTiles

struct BundleExpansionTests {
    @Test(arguments: [-1, 0, 2, 4])
    func `a bundle shows nothing where its tileset has no such zoom`(maxZoom: Int) throws {
        let bundle = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        let tile = try #require(TileCoordinate(z: 5, x: 16, y: 9))
        #expect(try BundleExpansion.tile(tile, from: [], of: bundle, maxZoom: maxZoom) == nil)
        #expect(try BundleExpansion.tile(bundle, from: [], of: tile, maxZoom: maxZoom) == nil)
    }
}
