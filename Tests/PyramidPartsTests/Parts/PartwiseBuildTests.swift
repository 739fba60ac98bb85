import Foundation
import PyramidStore
import PyramidTiles
import Synchronization
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts

/// Builds that do their work in parts, because of tiny limits, against builds in memory.
@Suite struct PartwiseBuildTests {
    private static let seedCount = isCampaign ? 50 : 2

    @Test(arguments: PointScatter.Shape.allCases)
    func `a build in parts writes the bytes of a build in memory`(shape: PointScatter.Shape) throws {
        var partCounts: [Int] = []
        for seed in 0..<PartwiseBuildTests.seedCount {
            var random = SeededRandom(seed: UInt64(seed) * 1000 + UInt64(shape.number) + 500)
            partCounts.append(try PartwiseBuildTests.compare(shape, seed, &random))
        }
        // A chosen max zoom can be so low that fewer parts do, or that the world can't be cut.
        #expect(partCounts.count { $0 >= 3 } * 2 >= partCounts.count, "\(partCounts)")
        if isCampaign {
            let (many, none) = (partCounts.count { $0 >= 3 }, partCounts.count { $0 == 0 })
            print("\(shape): \(many) of \(partCounts.count) in 3 or more parts; \(none) can't be cut")
        }
    }

    /// - Returns: the number of parts; 0 if the world can't be cut.
    private static func compare(
        _ shape: PointScatter.Shape, _ seed: Int, _ random: inout SeededRandom
    ) throws -> Int {
        let pyramid = try RandomPyramid(shape, &random)
        let whole = try pyramid.build("whole")
        #expect(whole.partwise == nil)
        let limits = PartLimits(
            rowsRead: 20 + random.next(below: 60), rowsPerPart: 10 + random.next(below: 60),
            joinMarkers: 512 << random.next(below: 8), copiesRows: random.next(below: 2) == 0)
        if random.next(below: 3) == 0 { try pyramid.buildOthers("parts") }
        let parts: BuildReport
        do {
            parts = try pyramid.build("parts", limits, shuffledBy: &random)
        } catch let error as MemoryError {
            #expect(error.obstacle != nil && pyramid.choosesMaxZoom)
            return 0
        }
        let (what, partCount) = ("seed \(seed): \(limits)", parts.partwise?.partCount ?? 0)
        #expect(partCount > 0, "\(what)")
        #expect(try pyramid.differences() == [], "\(what)")
        #expect(whole.input.rowsSkipped == parts.input.rowsSkipped && whole.input.columns == parts.input.columns)
        /// Without the first value that a sum leaves out: parts name another one, and not its line.
        func warnings(_ report: BuildReport) -> [String] {
            report.warnings.map { $0.description.replacing(/(left out of its \w+), .*/, with: { $0.1 }) }.sorted()
        }
        #expect(warnings(whole) == warnings(parts), "\(what)")
        #expect(whole.maxZoomChoice.map { "\($0)" } == parts.maxZoomChoice.map { "\($0)" }, "\(what)")
        #expect(whole.largestTile?.tile == parts.largestTile?.tile, "\(what)")
        return partCount
    }
}

/// What a build in parts refuses.
@Suite struct PartwiseLimitTests {
    private static let csv = "lat,lon,kind\n" + (0..<400).map { "\($0 % 80),\(($0 * 7) % 170),k\($0 % 3)\n" }.joined()

    private func build(
        _ csv: String = csv, limit: Int? = nil, _ limits: PartLimits? = nil, in folder: TemporaryFolder,
        change: (inout BuildOptions) -> Void = { _ in }
    ) throws -> BuildReport {
        var options = BuildOptions(
            inputPaths: [try folder.file("t.csv", csv)], outputPath: folder.path("out"),
            clustering: ClusteringOptions(maxZoom: 6))
        if let limit { options.memoryLimit = .bytes(limit) }
        change(&options)
        var builder = PyramidBuilder(options: options)
        builder.partLimits = limits
        return try builder.build()
    }

    @Test func `a limit that is too small for a part is refused with the one that will do`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: MemoryError.self) { try build(limit: 1 << 20, in: folder) }
        let message = try #require(error?.description)
        let points = try #require(message.firstMatch(of: #/^the area of tile .* for ([0-9]+) points?, /#)?.1)
        #expect((1...400).contains(Int(points) ?? 0))
        let enough = try #require(error?.description.firstMatch(of: /raise it to ([0-9]+)M$/)?.1)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
        let bytes = try #require(Int(enough)) << 20
        #expect(throws: MemoryError.self) { try build(limit: bytes - (2 << 20), in: folder) }
        #expect(try build(limit: bytes, in: folder).input.rowsAccepted == 400)
    }

    @Test func `parts are built because more memory would be needed than there is`() throws {
        // Forty towns.
        let rows = (0..<12_000).map { index in
            let (south, west) = (Double(index % 8 * 9), Double(index % 40 / 8 * 30))
            return "\(south + Double(index / 40 % 20) / 100),\(west + Double(index / 800) / 100),k\n"
        }
        let folder = try TemporaryFolder()
        let report = try build("lat,lon,kind\n" + rows.joined(), limit: 45_000_000, in: folder) {
            $0.clustering = ClusteringOptions(clusterDistance: PixelsByZoom(8), maxZoom: 9)
        }
        let parts = try #require(report.partwise)
        #expect(parts.partCount > 1 && parts.neededBytes > parts.limitBytes)
    }

    @Test func `options that need all points at once are named`() throws {
        let folder = try TemporaryFolder()
        let zooms = #expect(throws: MemoryError.self) {
            try build(limit: 1 << 20, in: folder) { $0.clustering.minZoom = 5 }
        }
        #expect(zooms?.description.contains("because of fewer than two zooms with clusters") == true)
        let rows = (0..<400_000).map { "\($0 % 80),\(($0 * 7) % 170),k\($0 % 3)\n" }.joined()
        let texts = #expect(throws: MemoryError.self) {
            try build("lat,lon,kind\n" + rows, limit: 70_000_000, in: folder) {
                $0.clusters.accumulate = [Accumulation(name: "kind", operation: .comma)]
            }
        }
        #expect(texts?.description.contains("leave out accumulate attribute") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    /// A fault in one of the last rows is found before the first part is written.
    @Test func `nothing is written before the columns of all rows are checked`() throws {
        let folder = try TemporaryFolder()
        let limits = PartLimits(rowsRead: 30, rowsPerPart: 20, joinMarkers: 8)
        let rows = (0..<200).map { index in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(index % 170),\#(index % 80)]},"#
                + #""properties":{"kind":\#(index == 190 ? "{\"a\":1}" : "\"b\"")}}"#
        }
        let error = #expect(throws: InputError.self) {
            try build(rows.joined(separator: "\n"), limit: 1 << 40, limits, in: folder) {
                $0.clusters.filterBy = [FacetColumn(name: "kind")]
            }
        }
        #expect(error?.description.contains("has objects or nested arrays") == true)
        #expect(throws: InputError.self) {
            try build(limit: 1 << 40, limits, in: folder) { $0.clustering.groupColumn = "none" }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    /// The numbers of all parts but one could be years.
    @Test func `dates are in the notation of all rows`() throws {
        let rows = (0..<400).map { index in
            "\(index % 80),\(index * 7 % 170),\(index == 11 ? "-5" : "\(1900 + index % 90)"),2024-\(10 + index % 4)-0\(1 + index % 9)\n"
        }
        let csv = "lat,lon,n,opened\n" + rows.joined()
        let folders = (try TemporaryFolder(), try TemporaryFolder())
        for (folder, limits) in [
            (folders.0, nil), (folders.1, PartLimits(rowsRead: 60, rowsPerPart: 40, joinMarkers: 8)),
        ] {
            let report = try build(csv, limit: 1 << 40, limits, in: folder) {
                $0.clusters.filterBy = ["n:year", "opened:week"].compactMap { FacetColumn($0) }
            }
            #expect((report.partwise != nil) == (limits != nil))
            // No month has the number 13.
            #expect(
                report.warnings.map(\.description).filter { $0.contains("99 other values that are no dates") }.count
                    == 1)
            #expect(
                report.warnings.map(\.description).contains {
                    $0.hasPrefix("1 value of \"n\" is no year, in ")
                        && $0.contains("/t.csv:13: \"-5\", so all are read as")
                })
        }
        #expect(try fileTree(at: folders.0.path("out")) == fileTree(at: folders.1.path("out")))
    }

    @Test func `the temporary files of an input and of its rows lie in the folder that is chosen`() throws {
        let folder = try TemporaryFolder()
        let limits = PartLimits(rowsRead: 30, rowsPerPart: 20, joinMarkers: 8, copiesRows: true)
        let report = try build(limit: 1 << 40, limits, in: folder)
        #expect(report.partwise != nil)
        // They have no names.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["out", "t.csv"])
    }
}
