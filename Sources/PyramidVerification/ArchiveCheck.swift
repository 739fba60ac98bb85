import PyramidStore
import PyramidTiles

/// Verifies that an archive has the structure that ``ArchiveTilesetWriter`` writes: every byte belongs to a section,
/// every section has the checksum in the manifest, and the header agrees with the directories and the TileJSON.
struct ArchiveCheck {
    let archive: ArchiveTileset
    private(set) var log = FindingLog()
    /// Where each body begins in the tile data, ascending. Only bodies that follow the one before without a gap.
    private var starts: [UInt64] = []
    private var byteCounts: [UInt32] = []

    init(_ archive: ArchiveTileset) { self.archive = archive }

    /// O(n log n)
    /// - Parameter hasTiles: whether the directories could be read; if not, that is a finding already.
    mutating func run(_ manifest: Manifest, _ tileJSON: TileJSON?, hasTiles: Bool) {
        checkSections(manifest)
        if hasTiles { checkEntries() }
        checkHeader(manifest, tileJSON)
        checkBodies()
    }

    private mutating func add(_ place: String, _ detail: String) { log.add(.damagedArchive, in: place, detail) }

    private mutating func checkSections(_ manifest: Manifest) {
        let header = archive.header
        let sections: [(name: String, range: Range<Int>)] = [
            (ArchiveSection.rootDirectory.rawValue, header.rootDirectory), ("metadata", header.metadata),
            (ArchiveSection.leafDirectories.rawValue, header.leafDirectories),
            (ArchiveSection.tileData.rawValue, header.tileData),
        ]
        var end = PMTilesHeader.byteCount
        for (name, range) in sections {
            if range.lowerBound != end { add(name, "begins at byte \(range.lowerBound), expected \(end)") }
            end = range.upperBound
        }
        if archive.file.byteCount != end {
            add("header", "adds up to \(end) bytes, but the file has \(archive.file.byteCount)")
        }
        do throws(StoreError) {
            for section in ArchiveSection.allCases {
                let (name, found) = (section.rawValue, try archive.summary(of: section))
                guard let expected = manifest.files[name] else {
                    log.add(.damagedManifest, in: Manifest.fileName, "has no checksum of \(name)")
                    continue
                }
                guard found != expected else { continue }
                add(
                    name,
                    Finding.mismatch(
                        of: (found.bytes, found.crc32), with: (expected.bytes, expected.crc32), in: "manifest"))
            }
            if try !archive.hasSoundMetadata() { add("metadata", "doesn't match the checksum in its gzip header") }
        } catch {
            add("sections", "\(error.reason)")
        }
    }

    /// Checks that bodies and leaf directories follow each other without gaps, and that the header's counts are right.
    private mutating func checkEntries() {
        let header = archive.header
        var counts = (tiles: 0, entries: 0)
        var (leafEnd, dataEnd): (UInt64, UInt64) = (0, 0)
        var (leafCount, last): (Int, PMTilesEntry?) = (0, nil)
        do throws(StoreError) {
            try archive.forEachEntry { entry throws(StoreError) in
                if entry.isLeaf {
                    if counts.entries > 0, leafCount == 0 {
                        add(ArchiveSection.rootDirectory.rawValue, "has both tiles and leaf directories")
                    }
                    leafCount += 1
                    if entry.offset != leafEnd {
                        add(
                            ArchiveSection.rootDirectory.rawValue,
                            "has a leaf directory at byte \(entry.offset), expected at \(leafEnd)")
                    }
                    leafEnd = entry.end
                    return
                }
                counts.entries += 1
                counts.tiles = counts.tiles.saturatingAdd(Int(entry.runLength))
                if let last, last.endID == entry.tileID, last.offset == entry.offset {
                    add(place(of: entry), "has its own entry, expected one together with the identical tile before it")
                }
                last = entry
                if entry.offset == dataEnd {
                    starts.append(entry.offset)
                    byteCounts.append(entry.byteCount)
                    dataEnd = entry.end
                    return
                }
                let index = starts.partitioningIndex { $0 >= entry.offset }
                if index == starts.count || starts[index] != entry.offset || byteCounts[index] != entry.byteCount {
                    add(
                        place(of: entry),
                        "has \(entry.byteCount) bytes from byte \(entry.offset), expected those of an earlier tile, "
                            + "or to begin at byte \(dataEnd)")
                    dataEnd = max(dataEnd, entry.end)
                }
            }
        } catch {
            add("directories", "\(error.reason)")
            starts = []
            return
        }
        if leafEnd != UInt64(header.leafDirectories.count) {
            add(
                ArchiveSection.leafDirectories.rawValue,
                "has \(header.leafDirectories.count) bytes, but the root directory refers to \(leafEnd)")
        }
        if dataEnd != UInt64(header.tileData.count) {
            add(
                ArchiveSection.tileData.rawValue,
                "has \(header.tileData.count) bytes, but the directories refer to \(dataEnd)")
        }
        let figures = [
            ("tiles", header.tileCount, counts.tiles), ("entries", header.entryCount, counts.entries),
            ("different tiles", header.contentCount, starts.count),
        ]
        for (name, found, expected) in figures where found != expected {
            add("header", "counts \(found) \(name), expected \(expected) (directories)")
        }
    }

    private func place(of entry: PMTilesEntry) -> String {
        TileCoordinate(pmtilesID: entry.tileID).map { archive.storage.relativePath(of: .tile($0)) } ?? "directories"
    }

    private mutating func checkHeader(_ manifest: Manifest, _ tileJSON: TileJSON?) {
        let header = archive.header
        if !header.isClustered { add("header", "doesn't state that tiles are in the order of their ids") }
        let tileType = PMTilesHeader.TileType(manifest.content.storage.codec)
        if header.tileType != tileType {
            add("header", "has tiles of type \(header.tileType.rawValue), expected \(tileType.rawValue)")
        }
        if let tileJSON, tileJSON.boundingBox != nil, tileJSON.center.count == 3,
            header.area != PMTilesHeader.Area(tileJSON)
        {
            add(
                "header",
                "has bounds or a center that aren't those of the TileJSON, rounded to microdegrees and the bounds widened"
            )
        }
    }

    /// Checks that equal bodies are stored once. Their gzip trailers, a checksum and a size, tell nearly all others apart.
    private mutating func checkBodies() {
        var bodies: [(byteCount: UInt32, trailer: UInt64, start: UInt64)] = []
        bodies.reserveCapacity(starts.count)
        do throws(StoreError) {
            var window = ArchiveWindow(of: archive.file)
            for (start, byteCount) in zip(starts, byteCounts)
            where start + UInt64(byteCount) <= UInt64(archive.header.tileData.count) {
                let trailer = try window.withBytes(range(start, byteCount)) {
                    $0.count < 8 ? 0 : $0.loadUnaligned(fromByteOffset: $0.count - 8, as: UInt64.self)
                }
                bodies.append((byteCount, trailer, start))
            }
            bodies.sort { $0 < $1 }
            for (one, other) in zip(bodies, bodies.dropFirst())
            where one.byteCount == other.byteCount && one.trailer == other.trailer {
                guard
                    try archive.file.bytes(range(one.start, one.byteCount))
                        == archive.file.bytes(range(other.start, one.byteCount))
                else { continue }
                add(
                    ArchiveSection.tileData.rawValue,
                    "has the same tile at bytes \(one.start) and \(other.start), expected it once")
            }
        } catch {
            add(ArchiveSection.tileData.rawValue, "\(error.reason)")
        }
    }

    private func range(_ start: UInt64, _ byteCount: UInt32) -> Range<Int> {
        let first = archive.header.tileData.lowerBound + Int(start)
        return first..<first + Int(byteCount)
    }
}
