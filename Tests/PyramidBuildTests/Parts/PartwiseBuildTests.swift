import Foundation
import PyramidStore
import PyramidTiles
import Synchronization
import TestSupport
import Testing

@testable import PyramidBuild

/// Builds that do their work in parts, because of tiny limits, against builds in memory.
@Suite struct PartwiseBuildTests {
    private static let seeds = 0..<(isCampaign ? 50 : 4)

    @Test(arguments: PointScatter.Shape.allCases, seeds)
    func `a build in parts writes the bytes of a build in memory`(shape: PointScatter.Shape, seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) * 1000 + UInt64(shape.number) + 500)
        let pyramid = try PartwisePyramid(shape, &random)
        let whole = try pyramid.build("whole")
        #expect(whole.partwise == nil)
        let limits = PartLimits(
            rowsRead: 20 + random.next(below: 60), rowsPerPart: 10 + random.next(below: 60),
            joinMarkers: 1 << random.next(below: 8), copiesRows: random.next(below: 2) == 0)
        if random.next(below: 3) == 0 { try pyramid.buildOthers("parts") }
        let parts: BuildReport
        do {
            parts = try pyramid.build("parts", limits, shuffledBy: &random)
        } catch let error as MemoryError {
            // The chosen max zoom can be so low that the world can't be cut.
            #expect(error.obstacle != nil && pyramid.choosesMaxZoom)
            return
        }
        #expect(parts.partwise != nil)
        #expect(try pyramid.differences() == [], "\(limits)")
        #expect(whole.input.rowsSkipped == parts.input.rowsSkipped && whole.input.columns == parts.input.columns)
        #expect(whole.warnings.map { $0.description }.sorted() == parts.warnings.map { $0.description }.sorted())
        #expect(whole.maxZoomChoice.map { "\($0)" } == parts.maxZoomChoice.map { "\($0)" })
        #expect(whole.separation.map { "\($0)" } == parts.separation.map { "\($0)" })
        #expect(whole.largestTile?.tile == parts.largestTile?.tile)
    }
}

/// A random input with random options, built in memory and in parts.
private final class PartwisePyramid {
    private let folder: TemporaryFolder
    private var options: BuildOptions
    private let suffix: String
    private let rows: [String]
    var choosesMaxZoom: Bool { options.choosesMaxZoom }
    private let header: String?

    init(_ shape: PointScatter.Shape, _ random: inout SeededRandom) throws {
        folder = try TemporaryFolder()
        let (clustering, suffix, change) = PartJoinerTests.options(&random)
        self.suffix = suffix
        let count = 100 + random.next(below: 150)
        let isCSV = random.next(below: 2) == 0
        rows =
            isCSV
            ? PointScatter.csvRows(shape, count: count, random: &random)
            : PointScatter.features(shape, count: count, random: &random)
        header = isCSV ? PointScatter.csvHeader : nil
        options = BuildOptions(inputPaths: [""], outputPath: "out" + suffix, clustering: clustering)
        options.syncs = false
        options.compressionLevel = 1
        options.memoryLimit = .bytes(1 << 40)
        change(&options)
        if isCSV {
            if options.input.idColumn != nil { options.input.idColumn = "key" }
            options.input.isStrict = false
        }
        if random.next(below: 4) == 0 {
            options.choosesMaxZoom = true
            options.freeTiles = random.next(below: 50)
        }
        try #require(options.problem == nil, "\(options.problem?.description ?? "")")
    }

    /// Builds into a folder, in memory unless there are limits.
    func build(
        _ name: String, _ limits: PartLimits? = nil, shuffledBy random: inout SeededRandom
    ) throws -> BuildReport {
        var options = options
        let rows = rows.shuffled(using: &random)
        let cut = random.next(below: rows.count)
        // The order of the inputs, too, has no effect.
        options.inputPaths = try [rows[..<cut], rows[cut...]].enumerated().filter { !$1.isEmpty }.map { number, rows in
            try folder.file("\(name)-\(number)", ([header].compactMap(\.self) + rows).map { $0 + "\n" }.joined())
        }
        options.outputPath = folder.path(name + suffix)
        options.jobs = 1 + random.next(below: 3)
        var builder = PyramidBuilder(options: options)
        builder.partLimits = limits
        return try builder.build()
    }

    func build(_ name: String) throws -> BuildReport {
        var random = SeededRandom(seed: 1)
        return try build(name, shuffledBy: &random)
    }

    /// Builds some of the rows, to be replaced.
    func buildOthers(_ name: String) throws {
        var options = options
        options.inputPaths = [
            try folder.file("others", ([header].compactMap(\.self) + rows.prefix(60)).map { $0 + "\n" }.joined())
        ]
        options.outputPath = folder.path(name + suffix)
        _ = try PyramidBuilder(options: options).build()
    }

    /// The paths of files that differ between the two, or are in only one of them.
    func differences() throws -> [String] {
        let (whole, parts) = (try files("whole" + suffix), try files("parts" + suffix))
        return Set(whole.keys).union(parts.keys).filter { whole[$0] != parts[$0] }.sorted()
    }

    private func files(_ name: String) throws -> [String: Data] {
        let root = folder.path(name)
        guard suffix.isEmpty else { return ["": try Data(contentsOf: URL(fileURLWithPath: root))] }
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            files[name] = FileManager.default.contents(atPath: root + "/" + name)
        }
        return files
    }
}

extension PointScatter {
    static let csvHeader = "key,kind,n,w,g,u,nr,lat,lon"

    /// Rows with a few columns of all types, some cells missing, some ids twice, and some rows bad.
    static func csvRows(_ shape: Shape, count: Int, random: inout SeededRandom) -> [String] {
        points(shape, count: count, random: &random).enumerated().map { index, point in
            let place = WebMercator.unproject(point)
            func cell(_ values: [String]) -> String {
                random.next(below: 10) == 0 ? "" : values[random.next(below: values.count)]
            }
            let key = random.next(below: 12) == 0 ? "7.0" : "\(index)"
            let latitude = random.next(below: 30) == 0 ? "north" : "\(place.latitude)"
            return [
                key, cell(["a", "b", "other", "ü", "7", "7.0", "true"]),
                cell(["\(random.next(below: 100))", "-0.25", "1e3", "none"]), cell(["0", "1", "7"]), cell(["x", "y"]),
                random.next(below: 12) == 0 ? "1" : "", "\(index)", latitude, "\(place.longitude)",
            ].joined(separator: ",")
        }
    }
}
