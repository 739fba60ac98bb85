import ArgumentParser
import Foundation
import PyramidBuild
import PyramidParts
import PyramidTiles

@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks", abstract: "Measures pyramid.",
        subcommands: [RunCommand.self, LevelsCommand.self, GenerateCommand.self, DropCommand.self, FloorCommand.self],
        defaultSubcommand: RunCommand.self)

    /// This program's own path, to run parts of it as other processes.
    static let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
}

/// What is built.
struct BuildOptionGroup: ParsableArguments {
    @Argument var input: String
    @Option var maxZoom = 14
    @Option var jobs = 2
    @Option var level = BuildOptions.defaultCompressionLevel
    @Option var output = OutputShape.plain

    func options() throws -> BuildOptions {
        let clustering = ClusteringOptions(maxZoom: maxZoom)
        var options = BuildOptions(
            inputPaths: [input], outputPath: "", clustering: clustering, compressionLevel: level, jobs: jobs)
        if output == .bundled || output == .filtered {
            options.storage.layout = .bundles(limit: OutputShape.bundleLimit)
        }
        if output == .filtered { options.clusters.filterBy = OutputShape.filterBy.compactMap { FacetColumn($0) } }
        options.storage.codec = output == .vectorArchive ? .mvt : .geojson
        return options
    }
}

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "generate", shouldDisplay: false)

    @Argument var shape: String
    @Argument var format: String
    @Argument var count: Int
    @Argument var directory: String

    func run() throws {
        guard let shape = PointFile.Shape(rawValue: shape), let format = PointFile.Format(rawValue: format) else {
            throw ValidationError("no such data")
        }
        print(try PointFile(shape: shape, format: format, count: count).path(in: directory), terminator: "")
    }
}

/// A build whose tiles are thrown away.
struct DropCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "drop", shouldDisplay: false)

    struct Report: Codable {
        let stages: [String: Double]
        let tiles: Int
    }

    @OptionGroup var build: BuildOptionGroup
    @Flag var compressed = false

    func run() throws {
        var options = try build.options()
        if !compressed { options.storage.compression = .none }
        let stages = StageClock()
        let built = try PyramidBuilder(options: options).build {
            stages.update($0)
        } to: { _ in
            DroppingWriter()
        }
        let report = Report(stages: stages.end(), tiles: built.manifest.zooms.reduce(0) { $0 + $1.tiles })
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    }
}

struct FloorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "floor", shouldDisplay: false)

    @OptionGroup var build: BuildOptionGroup
    @Option(help: "Where files go; without, there are none.") var directory: String?
    @Flag(help: "Keep the files, and wait until they are on the disk.") var isDisk = false

    func run() throws {
        let (level, threads) = (build.level, build.jobs)
        var bodies = try TileBodies(of: try build.options())
        if build.output.isArchive { bodies.removeDuplicates() }
        let floor = Floor(bodies: bodies)
        let thrownAway = try floor.compressing(level: level, threads: threads)
        var costs = [Work.floorGzip: thrownAway]
        if let directory, build.output.isArchive {
            costs[Work.floorGzipFile] = try floor.compressing(
                level: level, threads: threads, intoFile: "\(directory)/archive")
            _ = try MeasuredProcess(["rm", "-f", "\(directory)/archive"])
        } else if let directory {
            let averageBytes = thrownAway.storedBytes / max(floor.bodies.tiles.count, 1)
            let clock = ContinuousClock()
            for (work, measure) in [
                (Work.floorGzipFiles, { try floor.compressing(level: level, threads: threads, into: $0) }),
                (Work.floorFiles, { try floor.creatingFiles(ofBytes: averageBytes, threads: threads, in: $0) }),
            ] as [(String, (String) throws -> Floor.Cost)] {
                let path = "\(directory)/\(work.filter(\.isLetter))"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                let start = clock.now
                var cost = try measure(path)
                if isDisk { sync() }
                cost.seconds = (clock.now - start) / .seconds(1)
                costs[work] = cost
                if !isDisk { _ = try MeasuredProcess(["rm", "-rf", path]) }
            }
        }
        print(String(decoding: try JSONEncoder().encode(costs), as: UTF8.self))
    }
}

/// What each level of gzip costs in bytes and time.
struct LevelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "levels", abstract: "Compresses all tiles of an input with each level of gzip.")

    @OptionGroup var build: BuildOptionGroup
    @Option var runs = 3

    func run() throws {
        let floor = Floor(bodies: try TileBodies(of: try build.options()))
        let count = floor.bodies.tiles.count
        print("\(count) tiles, \(floor.bodies.bytes.count) bytes of JSON, \(build.jobs) threads")
        var results: [Int: [Floor.Cost]] = [:]
        for _ in 0..<runs {
            for level in Gzip.levels {
                results[level, default: []].append(try floor.compressing(level: level, threads: build.jobs))
            }
        }
        let usualBytes = results[BuildOptions.defaultCompressionLevel]?.first?.storedBytes ?? 1
        var table = TextTable(["level", "bytes", "to level 6", "seconds", "CPU s", "tiles/s"])
        for (level, runs) in results.sorted(by: { $0.key < $1.key }) {
            let seconds = runs.map(\.seconds).median
            table.add([
                "\(level)", "\(runs[0].storedBytes)",
                (Double(runs[0].storedBytes) / Double(usualBytes)).text(digits: 4),
                seconds.text(digits: 3), runs.map(\.cpuSeconds).median.text(digits: 3),
                "\(Int(Double(count) / seconds))",
            ])
        }
        print(table.text)
    }
}
