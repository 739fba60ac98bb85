import TestSupport
import Testing

@testable import PyramidTiles

struct PMTilesTests {
    // MARK: Numbers of tiles

    @Test func `the first tiles have the numbers of the specification`() throws {
        let tiles = ["0/0/0", "1/0/0", "1/0/1", "1/1/1", "1/1/0", "2/0/0"]
        #expect(tiles.compactMap { TileCoordinate($0)?.pmtilesID } == [0, 1, 2, 3, 4, 5])
        // From the tests of the format's own library.
        #expect(TileCoordinate("12/3423/1763")?.pmtilesID == 19_078_479)
    }

    @Test(arguments: 0...6)
    func `the numbers of a zoom go from neighbour to neighbour through every tile`(zoom: Int) throws {
        let first = TileCoordinate.firstPMTilesID(ofZoom: zoom)
        let tiles = try (0..<UInt64(1 << (2 * zoom))).map { try #require(TileCoordinate(pmtilesID: first + $0)) }
        #expect(Set(tiles).count == tiles.count && tiles.allSatisfy { $0.z == zoom })
        #expect(tiles.map(\.pmtilesID) == tiles.indices.map { first + UInt64($0) })
        for (one, next) in zip(tiles, tiles.dropFirst()) { #expect(abs(one.x - next.x) + abs(one.y - next.y) == 1) }
        #expect((tiles.first?.x, tiles.first?.y) == (0, 0))
        #expect((tiles.last?.x, tiles.last?.y) == ((1 << zoom) - 1, 0))
    }

    @Test func `tiles at all zooms come back from their numbers`() throws {
        var random = SeededRandom(seed: 30)
        for zoom in TileCoordinate.zooms {
            for _ in 0..<50 {
                let (x, y) = (random.next(below: 1 << zoom), random.next(below: 1 << zoom))
                let tile = try #require(TileCoordinate(z: zoom, x: x, y: y))
                #expect(TileCoordinate(pmtilesID: tile.pmtilesID) == tile)
                // A tile's parent is on the way to it.
                if zoom > 0 {
                    let position = { (tile: TileCoordinate) in
                        tile.pmtilesID - TileCoordinate.firstPMTilesID(ofZoom: tile.z)
                    }
                    let parent = try #require(TileCoordinate(z: zoom - 1, x: x / 2, y: y / 2))
                    #expect(position(tile) / 4 == position(parent))
                }
            }
        }
        #expect(TileCoordinate(pmtilesID: TileCoordinate.pmtilesIDLimit - 1)?.z == 30)
        #expect(TileCoordinate(pmtilesID: TileCoordinate.pmtilesIDLimit) == nil)
        #expect(TileCoordinate(pmtilesID: .max) == nil)
    }

    // MARK: Directories

    private func bytes(of entries: [PMTilesEntry]) -> [UInt8] {
        var buffer = ByteBuffer()
        PMTilesDirectory.encode(entries[...], into: &buffer)
        return buffer.withUnsafeBytes { Array($0) }
    }

    @Test func `directories come back`() throws {
        var random = SeededRandom(seed: 7)
        for round in 0..<40 {
            var (id, offset): (UInt64, UInt64) = (0, 0)
            let entries = (0..<1 + random.next(below: 300)).map { index in
                id += UInt64(1 + random.next(below: round % 3 == 0 ? 1 << 40 : 3))
                let run = UInt32(random.next(below: 3))
                if random.next(below: 4) == 0 { offset = UInt64(random.next(below: 1 << 50)) }
                defer {
                    id += UInt64(max(run, 1))
                    offset += 5
                }
                return PMTilesEntry(tileID: id, offset: offset, byteCount: 5, runLength: run)
            }
            #expect(try PMTilesDirectory(decoding: bytes(of: entries)).entries == entries)
        }
    }

    @Test func `a directory has the columns of the specification`() {
        let entries = [
            PMTilesEntry(tileID: 5, offset: 0, byteCount: 300, runLength: 2),
            PMTilesEntry(tileID: 42, offset: 300, byteCount: 7, runLength: 1),
            PMTilesEntry(tileID: 43, offset: 0, byteCount: 300, runLength: 0),
        ]
        #expect(bytes(of: entries) == [3] + [5, 37, 1] + [2, 1, 0] + [0xac, 2, 7, 0xac, 2] + [1, 0, 1])
    }

    private static let damagedDirectories: [([UInt8], String)] = [
        ([], "ends at byte 0"), ([0], "has 0 entries"), ([1, 5, 1, 7], "ends at byte 4"),
        ([1, 5, 1], "has 1 entries in 3 bytes"),
        ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0], "has 1152921504606846976 entries"),
        ([1, 5, 1, 7, 1, 9], "has 6 bytes, expected 5"), ([1, 5, 1, 0, 1], "has 0 bytes for tile number 5"),
        ([1, 5, 1, 7, 0], "has an impossible offset for tile number 5"),
        ([2, 5, 0, 1, 1, 7, 7, 1, 0], "one that is 0 greater"),
        ([2, 5, 3, 4, 1, 7, 7, 1, 0], "has 4 tiles from number 5 on, expected at most 3"),
        ([2, 5, 3, 1, 1, 7, 0x87, 0x80, 0x80], "ends at byte 9"),
        ([1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 7, 1], "18446744073709551615 greater"),
    ]

    @Test(arguments: damagedDirectories)
    func `what is no directory is refused`(bytes: [UInt8], problem: String) {
        let error = #expect(throws: MetadataError.self) { try PMTilesDirectory(decoding: bytes) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test func `an entry is found by every number of its run and by no other`() throws {
        let directory = try PMTilesDirectory(
            decoding: bytes(of: [
                PMTilesEntry(tileID: 5, offset: 0, byteCount: 9, runLength: 3),
                PMTilesEntry(tileID: 20, offset: 9, byteCount: 9, runLength: 1),
            ]))
        #expect((0...25).filter { directory.entry(of: $0) != nil } == [5, 6, 7, 20])
        let leaves = try PMTilesDirectory(
            decoding: bytes(of: [PMTilesEntry(tileID: 5, offset: 0, byteCount: 9, runLength: 0)]))
        #expect(leaves.entry(of: 4) == nil && leaves.entry(of: 1_000_000)?.isLeaf == true)
    }

    // MARK: Header

    private let header = PMTilesHeader(
        rootDirectory: 127..<200, metadata: 200..<1200, leafDirectories: 1200..<5000, tileData: 5000..<70_000,
        counts: (0x0102_0304, 777, 666), tileType: .mvt, zooms: 3...14,
        area: .init(
            west: -1_700_000_000, south: -100_000_000, east: 1_750_000_010, north: 834_567_890, centerZoom: 5,
            centerLongitude: -7, centerLatitude: 123_456_780))

    @Test func `the header has the fields of the specification and comes back`() throws {
        let bytes = header.encoded()
        #expect(bytes.count == 127 && bytes.starts(with: Array("PMTiles".utf8)) && bytes[7] == 3)
        func integer(_ offset: Int, _ count: Int) -> Int {
            Int(bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        #expect(
            stride(from: 8, to: 96, by: 8).map { integer($0, 8) } == [
                127, 73, 200, 1000, 1200, 3800, 5000, 65_000, 0x0102_0304, 777, 666,
            ])
        #expect(bytes[96..<102].elementsEqual([1, 2, 2, 1, 3, 14]))
        #expect(
            [102, 106, 110, 114].map { Int32(truncatingIfNeeded: integer($0, 4)) } == [
                -1_700_000_000, -100_000_000, 1_750_000_010, 834_567_890,
            ])
        #expect(bytes[118] == 5 && [119, 123].map { Int32(truncatingIfNeeded: integer($0, 4)) } == [-7, 123_456_780])
        #expect(try PMTilesHeader(decoding: bytes) == header)
        #expect(header.fileByteCount == 70_000)
    }

    private static let otherHeaders: [(Int, UInt8, String)] = [
        (0, 1, "not a PMTiles archive"), (7, 2, "a version other than 3"), (14, 0x80, "impossible position"),
        (97, 1, "directories with compression 1"), (98, 4, "tiles with compression 4"), (99, 2, "tiles of type 2"),
        (100, 15, "zooms 15 to 14"), (101, 31, "zooms 3 to 31"),
    ]

    @Test(arguments: otherHeaders)
    func `a header of another kind is refused`(offset: Int, byte: UInt8, problem: String) {
        var bytes = header.encoded()
        bytes[offset] = byte
        if offset == 14 { bytes[15] = 0xff }
        let error = #expect(throws: MetadataError.self) { try PMTilesHeader(decoding: bytes) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    private static let boxes: [(Int32, Int32, Int32, Int32)] = [
        (11_500_000, 48_100_000, 11_500_000, 48_100_000), (-180_000_000, -90_000_000, -180_000_000, -90_000_000),
        (179_999_999, 90_000_000, 179_999_999, 90_000_000), (-71_234_567, -33_456_789, 2_000_001, 89_999_999),
        (0, 0, 0, 0), (0, -7_000_000, 5_000_000, 0), (-3_000_000, 0, 0, 4_000_000), (-1, -1, 1, 1),
    ]

    @Test(arguments: boxes)
    func `bounds have an area, and are those of the TileJSON`(
        west: Int32, south: Int32, east: Int32, north: Int32
    ) {
        let box = BoundingBox(west: west, south: south, east: east, north: north)
        let tileJSON = TileJSON(tileTemplate: "", minZoom: 2, maxZoom: 5, bounds: box, fields: [:])
        let area = PMTilesHeader.Area(tileJSON)
        #expect(area.west < area.east && area.south < area.north)
        #expect(area.west >= -1_800_000_000 && area.east <= 1_800_000_000)
        #expect(area.south >= -900_000_000 && area.north <= 900_000_000)
        #expect((area.west...area.east).contains(area.centerLongitude))
        #expect((area.south...area.north).contains(area.centerLatitude))
        // As text, because 0 and -0 are equal as numbers.
        #expect(area.boundsInDegrees.description == tileJSON.bounds.description)
        #expect(area.centerInDegrees.description == tileJSON.center.description)
    }

    @Test func `varints come back, and those that are too long or cut off don't`() {
        func read(_ bytes: [UInt8]) -> (value: UInt64?, end: Int) {
            var position = 0
            let value = bytes.span.varint(at: &position)
            return (value, position)
        }
        for value in [0, 1, 127, 128, 300, 1 << 35, UInt64.max - 1, .max] {
            var buffer = ByteBuffer()
            buffer.append(varint: value)
            let bytes = buffer.withUnsafeBytes { Array($0) }
            #expect(read(bytes + [7]) == (value, bytes.count))
            #expect(read(bytes.dropLast()).value == nil)
        }
        #expect(read([UInt8](repeating: 0xff, count: 9) + [2]).value == nil)
        #expect(read([UInt8](repeating: 0x80, count: 10) + [1]).value == nil)
    }
}
