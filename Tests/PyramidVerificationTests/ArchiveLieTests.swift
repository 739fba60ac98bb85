import Foundation
import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Archives that are damaged, and archives that lie with all checksums right.
struct ArchiveLieTests {
    private let fixture = PyramidFixture(ClusteringOptions(maxZoom: 4), points: .asymmetric(count: 60, seed: 21))

    /// What the verifier finds in a file of these bytes; or why it can't be read at all.
    private func findings(in bytes: [UInt8], beside path: String) throws -> (kinds: Set<Finding.Kind>, text: String) {
        let other = path + ".forged"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try Data(bytes).write(to: URL(fileURLWithPath: other))
        let archive: ArchiveTileset
        do throws(StoreError) {
            archive = try ArchiveTileset(path: other)
        } catch {
            return ([.unreadableTile], "error: \(error)")
        }
        let findings = try PyramidVerifier(tileset: archive, jobs: 1).checkedReport().findings
        return (Set(findings.map(\.kind)), findings.map(\.description).joined(separator: "\n"))
    }

    /// What is found after `lie`.
    private func findings(after lie: (inout ForgedArchive) throws -> Void) throws -> (
        kinds: Set<Finding.Kind>, text: String
    ) {
        try fixture.withArchive { archive in
            var forged = try ForgedArchive(archive)
            try lie(&forged)
            return try findings(in: try forged.bytes(), beside: archive.name)
        }
    }

    @Test func `an archive is sound, and so is one that was put together again`() throws {
        try fixture.withArchive { archive in
            let report = PyramidVerifier(tileset: archive, jobs: 2).verify()
            #expect(report.findings == [])
            #expect(report.points == 60 && report.tiles == archive.header.tileCount)
        }
        #expect(try findings { _ in }.text == "")
        #expect(try findings { $0.leafEntryCount = 7 }.text == "")
    }

    @Test func `every flipped bit is found`() throws {
        let fixture = PyramidFixture(ClusteringOptions(maxZoom: 2), points: .asymmetric(count: 9, seed: 21))
        try fixture.withArchive { archive in
            var bytes = try archive.file.bytes(0..<archive.byteCount)
            let path = archive.name + ".flipped"
            defer { try? FileManager.default.removeItem(atPath: path) }
            var random = SeededRandom(seed: 4)
            let tileData = archive.header.tileData
            // Every bit of the header, and one of many bytes after it.
            var bits = Array(0..<127 * 8)
            for byte in 127..<bytes.count where byte % (tileData.contains(byte) ? 23 : 5) == 0 {
                bits.append(byte * 8 + random.next(below: 8))
            }
            for bit in bits {
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                let flipped = try? ArchiveTileset(path: path)
                let isSound = flipped.map { PyramidVerifier(tileset: $0, jobs: 1).verify().isSound } ?? false
                #expect(!isSound, "bit \(bit % 8) of byte \(bit / 8)")
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            }
        }
    }

    @Test func `an archive that is cut off, and one with more at its end, are found`() throws {
        try fixture.withArchive { archive in
            let bytes = try archive.file.bytes(0..<archive.byteCount)
            for count in [0, 5, 126, 127, 200, bytes.count - 1] {
                let found = try findings(in: Array(bytes[..<count]), beside: archive.name)
                #expect(found.kinds == [.unreadableTile] && found.text.contains("error: "), "\(count)")
            }
            #expect(try findings(in: bytes + [0], beside: archive.name).kinds == [.damagedArchive])
        }
    }

    @Test func `a header that counts wrong is found`() throws {
        let edits: [((inout PMTilesHeader) -> Void, String)] = [
            ({ $0.tileCount += 1 }, " tiles, expected"), ({ $0.entryCount -= 1 }, " entries that its header states"),
            ({ $0.contentCount = 0 }, "different tiles"), ({ $0.isClustered = false }, "order of their ids"),
            ({ $0.tileType = .mvt }, "tiles of type 1"), ({ $0.area.west += 1 }, "rounded to microdegrees"),
            ({ $0.tileData = $0.tileData.lowerBound + 1..<$0.tileData.upperBound }, "begins at byte"),
            ({ $0.leafDirectories = 0..<0 }, "begins at byte 0"),
        ]
        for (edit, text) in edits {
            let found = try findings { $0.editHeader = edit }
            // What is more than the header says is not read.
            let isFound = found.kinds.contains(.damagedArchive) || found.kinds.contains(.damagedFileList)
            #expect(isFound && found.text.contains(text), "\(text): \(found.text)")
        }
        // What the TileJSON would say is in the manifest.
        for edit: (inout PMTilesHeader) -> Void in [
            { $0.zooms = 0...5 }, { $0.area.north -= 10 }, { $0.area.centerZoom = 3 }, { $0.area.centerLatitude += 10 },
        ] {
            #expect(try findings { $0.editHeader = edit }.kinds.contains(.damagedTileJSON))
        }
    }

    @Test func `a tile that is missing, moved or another's is found`() throws {
        let missing = try findings { $0.entries.remove(at: $0.entries.count / 2) }
        #expect(!missing.kinds.isEmpty)
        let swapped = try findings { archive in
            let (one, other) = (archive.entries.count - 1, archive.entries.count - 2)
            (archive.entries[one].offset, archive.entries[other].offset) =
                (archive.entries[other].offset, archive.entries[one].offset)
            (archive.entries[one].byteCount, archive.entries[other].byteCount) =
                (archive.entries[other].byteCount, archive.entries[one].byteCount)
        }
        #expect(swapped.kinds.isSuperset(of: [.damagedArchive, .outsideTile]))
        let longer = try findings { $0.entries[3].runLength = 2 }
        #expect(longer.kinds.contains(.outsideTile) || longer.text.contains("tiles from number"), "\(longer.text)")
    }

    /// Entries of tiles that show one point, as their parents do by the same bytes.
    private func repeats(in archive: ForgedArchive) -> [Int] {
        archive.entries.indices.filter { index in
            let entry = archive.entries[index]
            guard let tile = TileCoordinate(pmtilesID: entry.tileID), tile.z == 4 else { return false }
            return archive.entries[..<index].contains { other in
                other.offset == entry.offset
                    && TileCoordinate(pmtilesID: other.tileID) == tile.ancestor(atZoom: tile.z - 1)
            }
        }
    }

    @Test func `a tile that repeats its parent but lies elsewhere, or is missing, is found`() throws {
        let moved = try findings { archive in
            let index = try #require(repeats(in: archive).last)
            let tile = try #require(TileCoordinate(pmtilesID: archive.entries[index].tileID))
            let sibling = TileCoordinate(z: tile.z, x: tile.x ^ 1, y: tile.y)
            let id = try #require(sibling).pmtilesID
            try #require(!archive.entries.contains { ($0.tileID..<$0.endID).contains(id) })
            archive.entries[index].runLength = 1
            archive.entries[index].tileID = id
            archive.entries.sort { $0.tileID < $1.tileID }
        }
        #expect(moved.kinds == [.outsideTile], "\(moved.text)")
        let missing = try findings { archive in
            archive.entries.remove(at: try #require(repeats(in: archive).last))
        }
        #expect(missing.kinds.contains(.wrongSum), "\(missing.text)")
    }

    @Test func `gaps, overlaps and places past the end are found`() throws {
        let gap = try findings { archive in
            archive.tileData += [1, 2, 3]
        }
        #expect(gap.kinds == [.damagedArchive] && gap.text.contains("but the directories refer to"))
        let past = try findings { archive in
            archive.entries[archive.entries.count - 1].offset += 1_000_000
        }
        #expect(past.kinds.contains(.damagedFileList) && past.text.contains("expected at most"))
        let overlap = try findings { archive in
            for index in archive.entries.indices { archive.entries[index].offset = UInt64(index) }
        }
        #expect(
            overlap.text.contains("tiles that overlap") || overlap.text.contains("expected those of an earlier tile"))
    }

    @Test func `a tile that is stored twice is found`() throws {
        let found = try findings { archive in
            var tileData: [UInt8] = []
            for (index, entry) in archive.entries.enumerated() {
                archive.entries[index].offset = UInt64(tileData.count)
                tileData += archive.tileData[Int(entry.offset)..<Int(entry.end)]
            }
            try #require(tileData.count > archive.tileData.count)
            archive.tileData = tileData
        }
        #expect(found.kinds == [.damagedArchive] && found.text.contains("expected it once"), "\(found.text)")
    }

    @Test func `leaf directories that are not in order or nested are found`() throws {
        let swapped = try findings { archive in
            archive.leafEntryCount = 9
            archive.editRoot = { root in (root[0].offset, root[1].offset) = (root[1].offset, root[0].offset) }
        }
        #expect(swapped.kinds.contains(.damagedFileList))
        let twice = try findings { archive in
            archive.leafEntryCount = 9
            archive.editRoot = { $0[1].offset = $0[0].offset }
        }
        #expect(twice.text.contains("doesn't begin with tile number") || twice.text.contains("can't be inflated"))
        let loop = try findings { archive in
            // A leaf directory whose only entry is itself.
            archive.leafEntryCount = 1
            archive.entries = [PMTilesEntry(tileID: 0, offset: 0, byteCount: 24, runLength: 0)]
        }
        #expect(loop.text.contains("refers to another one"), "\(loop.text)")
    }

    @Test func `entries that the writer would put together or elsewhere are found`() throws {
        let split = try findings { archive in
            let index = try #require(
                archive.entries.indices.dropLast().first {
                    archive.entries[$0].endID == archive.entries[$0 + 1].tileID
                })
            archive.entries[index + 1].offset = archive.entries[index].offset
            archive.entries[index + 1].byteCount = archive.entries[index].byteCount
        }
        #expect(split.text.contains("has its own entry, expected one together"), "\(split.text)")
        let mixed = try findings { archive in
            archive.leafEntryCount = 9
            let first = archive.entries.prefix(9)
            archive.editRoot = { $0.replaceSubrange(0..<1, with: first) }
        }
        #expect(mixed.text.contains("has both tiles and leaf directories"), "\(mixed.text)")
        #expect(mixed.text.contains("has a leaf directory at byte"), "\(mixed.text)")
        let overlapping = try findings { archive in
            archive.leafEntryCount = 9
            archive.entries[8].runLength = 1 << 20
        }
        #expect(
            overlapping.text.contains("in the root directory after tiles up to"), "\(overlapping.text)")
    }

    @Test func `a directory of 2^60 entries and one that inflates without end are errors`() throws {
        let huge = try findings { archive in
            archive.editDirectory = { $0 = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10] + $0 }
        }
        #expect(huge.text.contains("has 1152921504606846976 entries"))
        let bomb = try findings { archive in
            // Compressed, the root directory would be too large.
            archive.leafEntryCount = 9
            var isFirst = true
            archive.editDirectory = { bytes in
                if isFirst { bytes += [UInt8](repeating: 0, count: PMTilesDirectory.limitBytes + 1) }
                isFirst = false
            }
        }
        #expect(bomb.text.contains("content is longer than the limit"))
        let tiles = try findings { archive in
            archive.entries = [PMTilesEntry(tileID: 0, offset: 0, byteCount: 30, runLength: .max)]
        }
        #expect(tiles.text.contains("more than 4194304 tiles"), "\(tiles.text)")
    }

    @Test func `leaf directories with millions of entries in all end as one finding`() throws {
        let found = try findings { archive in
            archive.leafEntryCount = 1
            archive.entries = (0..<8).map { index in
                PMTilesEntry(tileID: UInt64(index) << 22, offset: 0, byteCount: 1, runLength: 1)
            }
            var leafCount = 0
            archive.editDirectory = { bytes in
                leafCount += 1
                guard leafCount <= 8 else { return }
                // One leaf stays below the limit, and all others are past it.
                let count = leafCount == 1 ? 4_190_000 : 5_000
                var buffer = ByteBuffer()
                buffer.append(varint: UInt64(count))
                buffer.append(varint: UInt64(leafCount - 1) << 22)
                // The next tile, one tile, one byte, from the first on.
                bytes = buffer.withUnsafeBytes { Array($0) } + [UInt8](repeating: 1, count: 4 * count - 1)
            }
            archive.editHeader = { ($0.entryCount, $0.tileCount) = (.max, .max) }
        }
        #expect(found.kinds.contains(.damagedFileList), "\(found.text)")
        #expect(found.text.split(separator: "\n").count { $0.contains("more than 4194304 entries") } == 1)
    }

    @Test func `an archive of another program, or with another manifest, is no tileset`() throws {
        let foreign = try findings { archive in
            archive.editMetadata = { $0 = Array(#"{"name":"roads","vector_layers":[]}"#.utf8) }
        }
        #expect(foreign.kinds == [.damagedManifest] && foreign.text.contains("another program wrote it"))
        let directory = try findings { archive in
            archive.editMetadata = { json in
                let text = String(decoding: json, as: UTF8.self)
                json = Array(text.replacing("\"rows_read\" : ", with: "\"rows_read\" : 1").utf8)
            }
        }
        #expect(directory.kinds == [.damagedManifest] && directory.text.contains("is damaged"))
        let name = try findings { $0.metadata.name = "another name" }
        #expect(name.kinds == [.damagedTileJSON])
    }
}
