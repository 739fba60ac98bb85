import Foundation
import PyramidParts
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidClusters
@testable import PyramidStore

struct MemoryLimitTests {
    @Test(arguments: [
        ("none", MemoryLimit.unlimited), ("Available", .available), ("7", .bytes(7)), ("3k", .bytes(3072)),
        ("800M", .bytes(800 << 20)), ("2.5G", .bytes(5 << 29)), ("1t", .bytes(1 << 40)), (".5K", .bytes(512)),
    ])
    func `a limit is read with its unit`(text: String, limit: MemoryLimit) {
        #expect(MemoryLimit(text) == limit)
    }

    @Test(arguments: ["", "G", "0", "0K", "-1", "+1", "1 G", "1GB", "1e9", "0x10", "nan", "99999999999T", "1.2.3", "٣"])
    func `what is no limit is refused`(text: String) {
        #expect(MemoryLimit(text) == nil)
    }

    @Test func `tiles are counted before they are made`() throws {
        var random = SeededRandom(seed: 3)
        let rows = (0..<400).map { index in
            let column = index % 3 == 0 ? 20 : random.next(below: 360_000)
            return "p\(index),\(Double(column) / 1000 - 180),\(Double(random.next(below: 160_000)) / 1000 - 80)\n"
        }
        let csv = "name,lon,lat\n" + rows.joined()
        for zooms in [0...9, 3...7, 4...4] {
            let table = try CSVReading.table(csv)
            let (quadtree, _) = LinearQuadtree.sorting(
                count: table.count, worldPoint: { WebMercator.project(table.coordinate($0)) },
                precedes: table.rowPrecedes)
            let count = TileCounts(of: quadtree).total(zooms)
            // If only a cluster of all points is allowed, every tile shows its points.
            var clustering = ClusteringOptions(minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
            clustering.minPoints = 1_000
            let pyramid = try BuiltPyramid(csv: csv, clustering: clustering)
            let written = try pyramid.directory.tileEntries().count
            #expect(written == count, "\(zooms)")

            clustering.groupColumn = "name"
            let sections = try PointGroups(clustering, of: table)
            let grouped = LinearQuadtree.sorting(
                count: table.count, worldPoint: { WebMercator.project(table.coordinate($0)) },
                precedes: table.rowPrecedes, groupNumbers: sections.numbers, idMasks: sections.idMasks)
            #expect(TileCounts(of: grouped.quadtree).total(zooms) == count, "groups share tiles")
        }
        #expect(TileCounts(of: LinearQuadtree(codes: [], groups: [])).total(0...3) == 0)
    }

    @Test(arguments: [1, 3, 20, 100, 10_000])
    func `files of bundles are not underestimated`(limit: Int) throws {
        var random = SeededRandom(seed: UInt64(limit))
        // A town, and places all over the map.
        let rows = (0..<700).map { index in
            let (width, height) = index < 400 ? (900, 700) : (300_000, 150_000)
            let (east, north) = (random.next(below: width), random.next(below: height))
            return "\(Double(east) / 1000 - 150),\(Double(north) / 1000 - 70)\n"
        }
        let csv = "lon,lat\n" + rows.joined()
        let folder = try TemporaryFolder()
        let input = try folder.file("t.csv", csv)
        for (zooms, position) in [(0...11, .anchor), (3...9, .centroid), (5...5, .anchor)]
            as [(ClosedRange<Int>, ClusteringOptions.Position)]
        {
            let table = try CSVReading.table(csv)
            let (quadtree, _) = LinearQuadtree.sorting(
                count: table.count, worldPoint: { WebMercator.project(table.coordinate($0)) },
                precedes: table.rowPrecedes)
            let count = quadtree.bundledTileCount(zooms: zooms, limit: limit)
            var clustering = ClusteringOptions(minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
            clustering.position = position
            var options = BuildOptions(inputPaths: [input], outputPath: "", clustering: clustering)
            options.storage.layout = .bundles(limit: limit)
            let written = try options.memoryTileset().fileList().entries.count
            #expect(count >= written && count <= TileCounts(of: quadtree).total(zooms), "\(zooms)")
        }
        #expect(LinearQuadtree(codes: [], groups: []).bundledTileCount(zooms: 0...3, limit: limit) == 0)
    }

    private static let csv = "lat,lon,n\n" + (0..<50).map { "\($0),\(-2 * $0),\($0)\n" }.joined()

    private func build(limit: MemoryLimit, _ change: (inout BuildOptions) -> Void = { _ in }) throws -> Bool {
        let folder = try TemporaryFolder()
        let input = try folder.file("t.csv", MemoryLimitTests.csv)
        let output = folder.path("out")
        var options = BuildOptions(
            inputPaths: [input], outputPath: output, clustering: ClusteringOptions(maxZoom: 4))
        options.memoryLimit = limit
        change(&options)
        defer { #expect(limit == .unlimited || !FileManager.default.fileExists(atPath: output)) }
        var builder = PyramidBuilder(options: options)
        builder.worksInParts = false
        _ = try builder.build()
        return FileManager.default.fileExists(atPath: output)
    }

    @Test func `a build that needs more is refused before anything is written`() throws {
        let base = MemoryEstimate.baseBytes
        let points = base + 50 * MemoryEstimate.bytesPerPoint
        let few = #expect(throws: MemoryError.self) { try build(limit: .bytes(points - 1)) }
        #expect(few?.estimate == MemoryEstimate(pointCount: 50))
        #expect(few?.description.hasPrefix("50 points need about ") == true)

        let tiles = #expect(throws: MemoryError.self) { try build(limit: .bytes(points)) }
        #expect((tiles?.estimate?.tileCount ?? 0) > 4)
        #expect(tiles?.description.contains("; lower max zoom, raise the limit or set it to none") == true)

        // All points are apart at all five zooms.
        let markers = #expect(throws: MemoryError.self) {
            try build(limit: .bytes(tiles?.estimate?.bytes ?? 0)) { $0.clustering.clusterDistance = PixelsByZoom(1) }
        }
        #expect(markers?.estimate?.markerBytes == 50 * 5 * 4)
        let places = #expect(throws: MemoryError.self) {
            let records = 50 * MemoryEstimate.bytesPerRecord
            return try build(
                limit: .bytes(points + MemoryEstimate.bundleBytes + MemoryEstimate.bytesPerTile + records)
            ) {
                $0.jobs = 1
                $0.clustering.clusterDistance = PixelsByZoom(1)
                $0.clustering.position = .centroid
                $0.storage.layout = .bundles(limit: 10_000)
            }
        }
        #expect(places?.estimate?.tileCount == 1)
        #expect(places?.estimate?.markerBytes == 50 * 5 * 20)

        let columns = #expect(throws: MemoryError.self) {
            try build(limit: .bytes(points + 50 * MemoryEstimate.bytesPerColumnAndPoint)) {
                $0.clustering.priorityColumn = "n"
                $0.clustering.weightColumn = "n"
            }
        }
        #expect(columns?.estimate?.columnCount == 2)
        #expect(try build(limit: .unlimited))
    }

    @Test func `what the system lacks is said with what to do`() {
        let estimate = MemoryEstimate(pointCount: 1_000_000, tileCount: 5_000_000)
        let error = MemoryError(estimate: estimate, limitBytes: (762 << 20) + 1, isAvailable: true)
        let need = NumberText.grouped(Int((Double(estimate.bytes) / 1_048_576).rounded(.up)))
        #expect(
            error.description
                == "1,000,000 points and 5,000,000 tiles need about \(need) MiB of memory, "
                + "the system has 762 MiB; lower max zoom, free some, or try with memory limit none")
    }

    /// The limit in the units in which it was given, and never rounded to what is needed.
    @Test(arguments: [
        ("5M", 1, "1 point needs about 20 MiB of memory, memory limit is 5 MiB;"),
        ("1.5k", 2, "2 points need about 20 MiB of memory, memory limit is 1.5 KiB;"),
        ("800", 0, "0 points need about 20 MiB of memory, memory limit is 800 bytes;"),
        ("1", 0, "0 points need about 20 MiB of memory, memory limit is 1 byte;"),
        ("19.99M", 7, "7 points need about 20 MiB of memory, memory limit is 19.9 MiB;"),
        ("1.25G", 20_000_000, "20,000,000 points need about 1,812 MiB of memory, memory limit is 1,280 MiB;"),
    ])
    func `a limit is said as it was given`(limit: String, pointCount: Int, start: String) throws {
        guard case .bytes(let bytes) = try #require(MemoryLimit(limit)) else {
            Issue.record("\(limit) is a number of bytes")
            return
        }
        let error = MemoryError(
            estimate: MemoryEstimate(pointCount: pointCount), limitBytes: bytes, isAvailable: false)
        #expect(error.description == "\(start) raise the limit or set it to none")
    }
}
