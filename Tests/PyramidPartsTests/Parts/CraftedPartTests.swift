import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidParts
@testable import PyramidStore

/// Parts with the right checksums but contents that no build writes: an error that names the file, and no output.
@Suite struct CraftedPartTests {
    private let pyramid: JoinedPyramid
    private let parts: [String]
    /// The part that is changed.
    private var path: String { parts[1] }

    /// - Parameter isBundled: so that parts hand over records of bundles.
    private init(isBundled: Bool = false) throws {
        var random = SeededRandom(seed: 31)
        let rows = PointScatter.features(.everywhere, count: 300, random: &random)
        var clustering = ClusteringOptions(position: .centroid, maxZoom: 6)
        clustering.weightColumn = "w"
        clustering.unclustered = UnclusteredRule(column: "u", value: "1")
        let pyramid = try JoinedPyramid(rows: rows, clustering: clustering) { options in
            options.clusters.accumulate = [Accumulation(name: "n", operation: .sum)]
            options.clusters.countBy = [CategoryCount(name: "kind", limit: 3)]
            if isBundled { options.storage.layout = .bundles(limit: 60) }
        }
        parts = try [(0, 0), (1, 0), (0, 1), (1, 1)].map { x, y in
            try pyramid.build(try #require(TileCoordinate(z: 1, x: x, y: y)), cutZoom: 3)
        }
        self.pyramid = pyramid
    }

    init() throws { try self.init(isBundled: false) }

    /// Writes the part again with other contents and right checksums, and expects that it can't be joined.
    /// - Parameters:
    ///   - sections: changes the bytes of a section.
    ///   - entries: changes the list of files, with their bytes.
    private func expectFailure(
        _ what: Comment, section: String = "", _ change: ([UInt8]) throws -> [UInt8] = { $0 },
        entries: ([(FileAddress, [UInt8], StoredFile)]) -> [(FileAddress, [UInt8], StoredFile)] = { $0 }
    ) throws {
        let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        defer { try? Data(good).write(to: URL(fileURLWithPath: path)) }
        try good.withUnsafeBytes { bytes in
            let file = try PartFile(path: path, bytes)
            let writer = try PartFileWriter(path: path, syncs: false)
            let old = try file.entries().map { ($0.address, Array(file.body(of: $0)), $0.file) }
            for (address, body, stored) in entries(old) {
                try body.withUnsafeBytes { try writer.write($0, to: address, stored) }
            }
            for name in [
                PartSection.rows, PartSection.candidates, PartSection.texts, PartSection.totals, PartSection.ids,
                PartSection.cells, PartSection.manifest,
            ] {
                let content = Array(try file.section(name))
                let changed = name == section ? try change(content) : content
                try writer.writeSection(name) { append in try changed.withUnsafeBytes(append) }
            }
            try writer.finish()
        }
        var message = ""
        do { try pyramid.join(parts) } catch { message = "\(error)" }
        #expect(message.contains(pyramid.path("part-")) || message.hasPrefix("the parts: hold"), what)
        #expect(!FileManager.default.fileExists(atPath: pyramid.path("joined")), what)
    }

    @Test func `numbers of the manifest that no part has are found`() throws {
        let wild = [-1, 1 << 44, 1 << 62, Int.max]
        func expectFailure(_ what: Comment, changing change: (inout [String: Any]) throws -> Void) throws {
            try self.expectFailure(what, section: PartSection.manifest) { bytes in
                var json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
                try change(&json)
                return Array(try JSONSerialization.data(withJSONObject: json))
            }
        }
        func expectFailure(_ key: String, in object: String? = nil, _ value: Any) throws {
            try expectFailure("\(key) is \(value)") { json in
                guard let object else { return json[key] = value }
                var inner = try #require(json[object] as? [String: Any])
                inner[key] = value
                json[object] = inner
            }
        }
        for value in wild + [0, 6, 31] { try expectFailure("cutZoom", value) }
        for value in wild + [3] { try expectFailure("rowCount", value) }
        for value in wild { try expectFailure("unclusteredPoints", value) }
        for value in wild + [5] {
            try expectFailure("rowsAccepted", in: "input", value)
            try expectFailure("rowsRead", in: "input", value)
        }
        try expectFailure("a row more than markers stand for") { json in
            var input = try #require(json["input"] as? [String: Any])
            for key in ["rowsRead", "rowsAccepted"] { input[key] = 1 + (try #require(input[key] as? Int)) }
            json["input"] = input
        }
        try expectFailure("zooms", [])
        for figure in ["storedBytes", "bodyBytes"] {
            try expectFailure("other \(figure)") { json in
                var zooms = try #require(json["zooms"] as? [[String: Any]])
                zooms[0][figure] = 1 + (zooms[0][figure] as? Int ?? 0)
                json["zooms"] = zooms
            }
        }
        try expectFailure("bounds", [0, 0, -1, 1])
        try expectFailure("bounds", NSNull())
        try expectFailure("part", "9/300/4")
        try expectFailure("part", "1/2/0")
        try expectFailure("version", 1)
    }

    @Test func `markers that no part has are found`() throws {
        func expectFailure(_ what: Comment, _ change: (inout [PartCandidate], Int) -> Void) throws {
            try self.expectFailure(what, section: PartSection.candidates) { bytes in
                var candidates: [PartCandidate] = []
                bytes.withUnsafeBytes { bytes in
                    var reader = PartBytes(bytes)
                    while let candidate = reader.candidate(measureCount: 1, categories: [Array(0..<1000)]) {
                        candidates.append(candidate)
                    }
                    #expect(reader.isAtEnd)
                }
                let largest = candidates.indices.max {
                    candidates[$0].cluster?.pointCount ?? 1 < candidates[$1].cluster?.pointCount ?? 1
                }
                change(&candidates, try #require(largest))
                var changed = ByteBuffer()
                for candidate in candidates { changed.append(candidate) }
                return changed.withUnsafeBytes { Array($0) }
            }
        }
        for row in [1_000_000, Int(Int32.max)] {
            try expectFailure("the row of an anchor") { $0[$1].anchorRow = row }
            try expectFailure("a row") { $0[$1].rows[0] = row }
        }
        try expectFailure("no rows") { $0[$1].rows = [] }
        try expectFailure("rows twice") { $0[$1].rows += $0[$1].rows }
        try expectFailure("a marker twice") { $0.append($0[$1]) }
        try expectFailure("a marker less") { candidates, largest in candidates.remove(at: largest) }
        for edge in [Int32.min, Int32.max, -720_000_001, 720_000_001] {
            try expectFailure("a box") { $0[$1].cluster?.extent.east = edge }
            try expectFailure("a box") {
                $0[$1].cluster?.extent.box = BoundingBox(west: 0, south: edge, east: 1, north: 2)
            }
        }
        for sum in [Int64.min, 1 << 62, .max] {
            try expectFailure("a sum") { $0[$1].cluster?.eastSum = sum }
            try expectFailure("a sum") { $0[$1].cluster?.southSum = sum }
        }
        for count in [UInt32(1) << 31, .max] { try expectFailure("points") { $0[$1].cluster?.pointCount = count } }
        try expectFailure("points") { $0[$1].cluster?.pointCount += 1 }
        try expectFailure("points") { $0[$1].cluster?.pointCount -= 1 }
        for zoom in [Int8.min, 3, 7, .max] { try expectFailure("a zoom") { $0[$1].cluster?.expansionZoom = zoom } }
        for weight in [1 << 61, 1_000_000_000_000] {
            try expectFailure("a weight") { $0[$1].cluster?.aggregates.weight = weight }
        }
        try expectFailure("a sum") { candidates, largest in
            candidates[largest].cluster?.aggregates.measures[0].result = FixedDecimal(scaled: .max)
        }
        try expectFailure("a count") { $0[$1].cluster?.aggregates.measures[0].count = .max }
        try expectFailure("counts") { candidates, largest in
            candidates[largest].cluster?.aggregates.categories[0] = [.init(category: 0, count: .max)]
        }
        try expectFailure("the same value twice") { candidates, largest in
            candidates[largest].cluster?.aggregates.categories[0] = [
                .init(category: 0, count: 1), .init(category: 0, count: 1),
            ]
        }
    }

    @Test func `rows in another order or of another number are found`() throws {
        func lines(_ bytes: [UInt8]) -> [[UInt8]] { bytes.split(separator: UInt8(ascii: "\n")).map(Array.init) }
        try expectFailure("reversed", section: PartSection.rows) { bytes in
            Array(lines(bytes).reversed().joined(separator: [UInt8(ascii: "\n")]))
        }
        try expectFailure("one less", section: PartSection.rows) { bytes in
            Array(lines(bytes).dropLast().joined(separator: [UInt8(ascii: "\n")]))
        }
        try expectFailure("totals", section: PartSection.totals) { _ in [UInt8](repeating: 255, count: 30) }
    }

    @Test func `digests that no part has are found`() throws {
        try expectFailure("no cells", section: PartSection.cells) { _ in [] }
        try expectFailure("another digest", section: PartSection.cells) { $0.dropLast() + [~($0.last ?? 0)] }
        try expectFailure("a cell more", section: PartSection.cells) { $0 + [1, 1] + [UInt8](repeating: 7, count: 8) }
        try expectFailure("a cell again", section: PartSection.cells) { $0 + [0, 1] + [UInt8](repeating: 7, count: 8) }
        try expectFailure("a cell cut off", section: PartSection.cells) { $0 + [1, 1, 7] }
        try expectFailure("beyond the world", section: PartSection.cells) {
            $0 + [255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1] + [UInt8](repeating: 7, count: 8)
        }
    }

    @Test func `files that are not those of the part are found`() throws {
        try expectFailure("none", entries: { _ in [] })
        try expectFailure("one missing", entries: { Array($0.dropFirst()) })
        try expectFailure("one twice", entries: { $0 + $0.prefix(1) })
        for tile in ["4/0/0", "3/4/0", "7/64/0", "1/1/0"].compactMap({ TileCoordinate($0) }) {
            try expectFailure("\(tile)", entries: { $0 + [(.tile(tile), $0[0].1, $0[0].2)] })
        }
        try expectFailure(
            "another size",
            entries: { files in
                let file = files[0].2
                let smaller = StoredFile(
                    byteCount: file.byteCount - 1, crc32: file.crc32, bodyByteCount: file.bodyByteCount,
                    bodyCRC32: file.bodyCRC32)
                return [(files[0].0, files[0].1, smaller)] + files.dropFirst()
            })
    }

    @Test func `records of bundles that no part has are found`() throws {
        let bundled = try CraftedPartTests(isBundled: true)
        var found = 0
        /// Appends a record to each bundle that is handed over.
        func expectFailure(_ what: Comment, _ record: [UInt8]) throws {
            try bundled.expectFailure(
                what,
                entries: { files in
                    files.map { file in
                        guard file.0.kind == .bundle, file.2.bodyByteCount == 0 else { return file }
                        found += 1
                        let body = file.1 + record
                        let crc32 = body.withUnsafeBytes { Gzip.crc32($0) }
                        return (
                            file.0, body,
                            StoredFile(byteCount: body.count, crc32: crc32, bodyByteCount: 0, bodyCRC32: 0)
                        )
                    }
                })
        }
        let far = [UInt8](repeating: 255, count: 9) + [1]
        try expectFailure("a place elsewhere", far + [0, 1, 0])
        try expectFailure("a last zoom before the first", [0, 2, 1, 0])
        try expectFailure("a last zoom after all", [0, 0, 4, 0])
        try expectFailure("a wild zoom", [0, 0] + far + [0])
        try expectFailure("no feature", [0, 0, 0, 3, 1, 2, 3])
        try expectFailure("no end", [0, 0, 0, 127, 1, 2, 3])
        #expect(found > 6)
        try bundled.expectFailure(
            "a bundle within another",
            entries: { files in
                files
                    + files.compactMap { file in
                        let tile = file.0.tile
                        guard file.0.kind == .bundle, file.2.bodyByteCount == 0, tile.z < 6,
                            let child = TileCoordinate(z: tile.z + 1, x: 2 * tile.x, y: 2 * tile.y)
                        else { return nil }
                        return (.bundle(child), [], StoredFile(byteCount: 0, crc32: 0, bodyByteCount: 0, bodyCRC32: 0))
                    }
            })
    }
}
