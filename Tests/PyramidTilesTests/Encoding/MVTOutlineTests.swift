import TestSupport
import Testing

@testable import PyramidTiles

struct MVTOutlineTests {
    private static let place = Coordinate(longitude: -178.4415, latitude: 61.1416)
    private static let point = Feature(
        id: "007", coordinate: place, properties: ["city": "São Tomé", "n": -3, "flag": true])

    private static func tile(_ markers: [Marker], atZoom zoom: Int) -> (address: TileCoordinate, bytes: [UInt8]) {
        let address = TileCoordinate(containing: WebMercator.project(place), atZoom: zoom)
        return (address, markers.encodedTile(at: address, TileStorage(codec: .mvt)))
    }

    @Test func `tiles of all zooms that show one marker have the same outline, each with its place`() throws {
        let (first, bytes) = MVTOutlineTests.tile([.point(MVTOutlineTests.point)], atZoom: 0)
        let outline = try #require(MVTOutline(bytes, at: first))
        for zoom in 0...22 {
            let (address, bytes) = MVTOutlineTests.tile([.point(MVTOutlineTests.point)], atZoom: zoom)
            let other = try #require(MVTOutline(bytes, at: address))
            #expect(outline.isSame(as: other) && other.isSame(as: outline))
            #expect(other.place == MVTPlace.shown(WebMercator.project(MVTOutlineTests.place), atZoom: zoom))
        }
        let second = Feature(id: "8", coordinate: MVTOutlineTests.place)
        let (address, both) = MVTOutlineTests.tile([.point(MVTOutlineTests.point), .point(second)], atZoom: 1)
        #expect(try !#require(MVTOutline(both, at: address)).isSame(as: outline))
    }

    @Test func `bytes with the same outline are the same marker, wherever one of them is changed`() throws {
        let (address, bytes) = MVTOutlineTests.tile([.point(MVTOutlineTests.point)], atZoom: 9)
        let outline = try #require(MVTOutline(bytes, at: address))
        var sameCount = 0
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                guard let other = MVTOutline(changed, at: address), other.isSame(as: outline) else { continue }
                sameCount += 1
                let markers = try MVTTileDecoder.decode(changed, at: address, idProperty: "id").markers
                #expect(markers.count == 1)
                let found = try #require(markers.first?.point)
                #expect(found.id == MVTOutlineTests.point.id && found.properties == MVTOutlineTests.point.properties)
                #expect(found.coordinate == WebMercator.unproject(other.place))
            }
        }
        #expect(sameCount > 8 && sameCount < 64)
        for count in bytes.indices { #expect(MVTOutline(Array(bytes[..<count]), at: address) == nil) }
        #expect(MVTOutline(bytes + [0x1a, 0], at: address) == nil)
    }
}
