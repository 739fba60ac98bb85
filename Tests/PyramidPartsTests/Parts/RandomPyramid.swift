import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts

/// A random input with random options, built in memory and in parts.
final class RandomPyramid {
    private let folder: TemporaryFolder
    private var options: BuildOptions
    private let suffix: String
    private var rows: [String]
    var choosesMaxZoom: Bool { options.choosesMaxZoom }
    private var header: String?

    /// - Parameter hasOddNames: whether columns have names that are taken or that options spell otherwise, and options for
    ///   the input are likely.
    init(_ shape: PointScatter.Shape, hasOddNames: Bool = false, _ random: inout SeededRandom) throws {
        folder = try TemporaryFolder()
        var (clustering, suffix, change) = PartJoinerTests.options(&random)
        // Halos that are narrow enough for parts of the few rows.
        let lessZooms = clustering.maxZoom - clustering.clusterMaxZoom
        clustering.maxZoom = 7 + random.next(below: 5)
        clustering.clusterMaxZoom = clustering.maxZoom - lessZooms
        if random.next(below: 12) > 0 { clustering.clusterDistance = PixelsByZoom([3, 8, 15][random.next(below: 3)]) }
        self.suffix = suffix
        let count = 100 + random.next(below: 150)
        let isCSV = random.next(below: 2) == 0
        rows =
            isCSV
            ? PointScatter.csvRows(shape, count: count, random: &random)
            : PointScatter.features(shape, count: count, random: &random)
                // So that there are rows in more than one part.
                + PointScatter.features(.everywhere, count: count / 2, random: &random)
        header = isCSV ? PointScatter.csvHeader : nil
        options = BuildOptions(inputPaths: [""], outputPath: "out" + suffix, clustering: clustering)
        options.syncs = false
        options.compressionLevel = 1
        options.memoryLimit = .bytes(1 << 40)
        change(&options)
        if isCSV {
            if options.input.idColumn != nil { options.input.idColumn = "key" }
        }
        // Some ids are repeated, and some rows are bad.
        (options.input.isStrict, options.input.maxSkipped) = (false, .unlimited)
        if random.next(below: 6) == 0 {
            options.choosesMaxZoom = true
            options.freeTiles = random.next(below: 50)
        }
        if hasOddNames { giveOddNames(&random) }
        try #require(options.problem == nil, "\(options.problem?.description ?? "")")
    }

    /// `cluster` and `point_count` are names of the program's own properties.
    private func giveOddNames(_ random: inout SeededRandom) {
        let names = ["g": "cluster", "w": "point_count", "nr": "Nr", "lat": "y°", "lon": "x, °", "u": "kind"]
        if let cells = header?.split(separator: ",") {
            // Two columns are called the same.
            header = cells.map { "\"\(names[String($0)] ?? String($0))\"" }.joined(separator: ",")
            options.input.longitudeColumn = "X, °"
            options.input.latitudeColumn = "y°"
            if random.next(below: 2) == 0 {
                options.input.types = [.init(column: "KIND", type: .string), .init(column: "cluster", type: .string)]
            }
        } else {
            for name in ["g", "w", "nr"] {
                rows = rows.map { $0.replacing("\"\(name)\":", with: "\"\(names[name] ?? name)\":") }
            }
        }
        let name = { (column: String) in column == "nr" ? "NR" : names[column] ?? column }
        options.clustering.groupColumn = options.clustering.groupColumn.map(name)
        options.clustering.weightColumn = options.clustering.weightColumn.map(name)
        options.clusters.properties = options.clusters.properties.map(name)
        options.clusters.memberProperties = options.clusters.memberProperties.map(name)
        for index in options.clusters.filterBy.indices {
            options.clusters.filterBy[index].name = name(options.clusters.filterBy[index].name)
        }
        if options.input.idColumn == "nr" { options.input.idColumn = "Nr" }
        options.input.include = options.input.include.map { $0.map(name) }
        options.input.exclude = options.input.exclude.map(name)
        if random.next(below: 2) == 0, options.clustering.weightColumn != nil {
            options.input.exclude.append("Point_Count")
        }
        if random.next(below: 2) == 0, options.clustering.mode == .markers {
            options.clusters.accumulate.append(Accumulation(name: "CLUSTER", operation: .count, output: "c"))
        }
    }

    /// Verifies what was built against the same rows, in another order, in other files.
    func verify(
        _ name: String, _ limits: PartLimits? = nil, shuffledBy random: inout SeededRandom
    ) throws -> InputVerificationReport {
        var verifier = InputVerifier(
            tileset: try LocalTileset.open(path: folder.path(name + suffix)),
            inputPaths: try inputs("verified", shuffledBy: &random), schema: options.schema,
            jobs: 1 + random.next(below: 3))
        verifier.memoryLimit = options.memoryLimit
        verifier.partLimits = limits
        return try verifier.verify()
    }

    /// Gives the rows a schema, if they are GeoJSON.
    func addSchema() throws {
        guard header == nil else { return }
        let path = try folder.file("all", rows.map { $0 + "\n" }.joined())
        options.schema = try PointSchema(reading: [path], options: options.input)
    }

    /// The rows in a random order, in two files.
    private func inputs(_ name: String, shuffledBy random: inout SeededRandom) throws -> [String] {
        let rows = rows.shuffled(using: &random)
        let cut = random.next(below: rows.count)
        // The order of the inputs, too, has no effect.
        return try [rows[..<cut], rows[cut...]].enumerated().filter { !$1.isEmpty }.map { number, rows in
            try folder.file("\(name)-\(number)", ([header].compactMap(\.self) + rows).map { $0 + "\n" }.joined())
        }
    }

    /// Builds into a folder, in memory unless there are limits.
    func build(
        _ name: String, _ limits: PartLimits? = nil, shuffledBy random: inout SeededRandom
    ) throws -> BuildReport {
        var options = options
        options.inputPaths = try inputs(name, shuffledBy: &random)
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
        let (whole, parts) = (
            try fileTree(at: folder.path("whole" + suffix)), try fileTree(at: folder.path("parts" + suffix))
        )
        return Set(whole.keys).union(parts.keys).filter { whole[$0] != parts[$0] }.sorted()
    }
}

extension PointScatter {
    static let csvHeader = "key,kind,n,w,g,u,nr,lat,lon"

    /// Rows with a few columns of all types, some cells missing, some ids twice, and some rows bad.
    static func csvRows(_ shape: Shape, count: Int, random: inout SeededRandom) -> [String] {
        let points =
            points(shape, count: count, random: &random) + points(.everywhere, count: count / 2, random: &random)
        return points.enumerated().map { index, point in
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
