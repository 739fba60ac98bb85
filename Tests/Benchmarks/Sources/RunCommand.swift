import ArgumentParser
import Foundation
import PyramidBuild

/// Measures whole builds, their stages and their floors, each in a process of its own; one round after the other, so
/// that what is compared was measured close together.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures whole builds, their stages and their floors on generated data.")

    @Option(help: "The program.") var pyramid: String
    @Option(help: "Numbers of points, with commas or spaces between them.") var sizes = "100000 1000000"
    @Option(help: "How often everything is measured, but for disks.") var runs = 3
    @Option var maxZoom = 14
    @Option(help: "A directory in memory.") var memory = "/dev/shm"
    @Option(
        help: """
            A directory on a disk, measured once and with syncing. (default: the temporary directory, with at most \
            \(usualDiskPoints) points: removing the files takes longest of all)
            """)
    var disk: String?
    @Option(help: "A file for all measurements as JSON lines.") var json: String?

    private static let usualDiskPoints = 100_000

    func run() throws {
        let name = "pyramid-benchmarks-\(getpid())"
        let temporary = FileManager.default.temporaryDirectory.path
        let isMemory = FileManager.default.isWritableFile(atPath: memory)
        let round = Round(
            pyramid: pyramid, maxZoom: maxZoom, cache: "\(temporary)/pyramid-benchmarks",
            memory: isMemory ? "\(memory)/\(name)" : nil, disk: "\(disk ?? temporary)/\(name)")
        defer {
            // Only now: a file system is slow for a while after a large tree was removed.
            for path in [round.memory, round.disk].compactMap({ $0 }) { _ = try? MeasuredProcess(["rm", "-rf", path]) }
        }
        for path in [memory, disk ?? temporary] { removeLeftovers(in: path) }
        var results = Results()
        for points in sizes.split(whereSeparator: { ", ".contains($0) }).compactMap({ Int($0) }) {
            let inputs = try round.inputs(points)
            for run in 1...max(runs, 1) {
                try round.measure(inputs, points, run: run, into: &results)
            }
            if disk != nil || points <= RunCommand.usualDiskPoints {
                try round.measureDisk(inputs, points, into: &results)
            }
            print(ReportText(results: results, points: points, inputBytes: try inputs.mapValues(fileSize)).text)
            fflush(nil)
        }
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let lines = try results.measurements.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try lines.joined().write(toFile: json, atomically: true, encoding: .utf8)
    }

    /// Removes what runs have left that were interrupted: it can fill the memory.
    private func removeLeftovers(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            let parts = name.split(separator: "-")
            guard parts.dropLast() == ["pyramid", "benchmarks"], let process = parts.last.flatMap({ pid_t($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            _ = try? MeasuredProcess(["rm", "-rf", "\(directory)/\(name)"])
        }
    }

    private func fileSize(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}

/// Everything that is measured once.
struct Round {
    let pyramid: String
    let maxZoom: Int
    let cache: String
    /// Directories of this run's own.
    let memory: String?
    let disk: String

    /// The files by what is built of them. They are made by another process, whose memory is nobody's.
    func inputs(_ points: Int) throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        func input(_ shape: PointFile.Shape, _ format: PointFile.Format) throws -> String {
            let arguments = ["generate", shape.rawValue, format.rawValue, "\(points)", cache]
            return String(decoding: try MeasuredProcess([BenchmarkCommand.path] + arguments).output, as: UTF8.self)
        }
        let usual = try input(.clustered, .csv)
        return [
            DataSet.usual: usual, DataSet.uniform: try input(.uniform, .csv),
            DataSet.ndjson: try input(.clustered, .ndjson),
        ]
    }

    func measure(_ inputs: [String: String], _ points: Int, run: Int, into results: inout Results) throws {
        for (data, work, arguments) in [
            (DataSet.usual, Work.encodedByOne, ["--jobs", "1"]),
            (DataSet.usual, Work.encoded, []),
            (DataSet.uniform, Work.encoded, []),
            (DataSet.ndjson, Work.encoded, []),
            (DataSet.usual, Work.compressedByOne, ["--compressed", "--jobs", "1"]),
            (DataSet.usual, Work.compressed, ["--compressed"]),
        ] {
            note("\(points) points, run \(run): \(work) (\(data))")
            let process = try child("drop", inputs[data], arguments)
            let report = try JSONDecoder().decode(DropCommand.Report.self, from: process.output)
            var measurement = Measurement(points, work, run, process)
            (measurement.data, measurement.stages, measurement.tiles) = (data, report.stages, report.tiles)
            results.add(measurement)
        }
        let tiles = results.runs(points, Work.encoded).first?.tiles ?? 0
        let directory = memory.flatMap { hasRoom(in: $0, forFiles: tiles, trees: 1) ? $0 : nil }
        for shape in OutputShape.allCases {
            try measureFloor(inputs, points, shape, run: run, in: directory, into: &results)
        }
        guard let directory, let input = inputs[DataSet.usual] else { return }

        for shape in OutputShape.allCases {
            try measureBuilds(input, points, shape, run: run, in: directory, into: &results)
        }
    }

    /// Builds twice, and verifies.
    private func measureBuilds(
        _ input: String, _ points: Int, _ shape: OutputShape, run: Int, in directory: String,
        into results: inout Results
    ) throws {
        let tree = "\(directory)/tree\(shape.isArchive ? ".pmtiles" : "")"
        let build =
            [pyramid, "build", "--quiet", "--max-zoom", "\(maxZoom)", "--jobs", "2"] + shape.buildArguments
            + [input, tree]
        note("\(points) points, run \(run): \(shape.name(Work.build))")
        results.add(Measurement(points, shape.name(Work.build), run, try MeasuredProcess(build)))
        let stamp = "\(directory)/stamp"
        try Data().write(to: URL(fileURLWithPath: stamp))
        results.add(Measurement(points, shape.name(Work.rebuild), run, try MeasuredProcess(build)))
        let touched = try MeasuredProcess([
            "find", tree, "-mindepth", shape.isArchive ? "0" : "2", "-type", "f", "-newer", stamp,
        ]).output
        if !touched.isEmpty { print("The second build has touched tiles.") }
        let verify = try MeasuredProcess([pyramid, "verify", "--quiet", tree])
        results.add(Measurement(points, shape.name(Work.verify), run, verify))
        _ = try MeasuredProcess(["rm", "-rf", tree])
    }

    /// Into fresh directories, which stay until all is measured.
    func measureDisk(_ inputs: [String: String], _ points: Int, into results: inout Results) throws {
        let tiles = results.runs(points, Work.encoded).first?.tiles ?? 0
        guard let input = inputs[DataSet.usual], hasRoom(in: disk, forFiles: tiles, trees: 3) else { return }
        note("\(points) points: \(Work.diskBuild)")
        let directory = "\(disk)/\(points)"
        let build = [pyramid, "build", "--quiet", "--max-zoom", "\(maxZoom)", "--jobs", "2", input]
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        results.add(Measurement(points, Work.diskBuild, 1, try MeasuredProcess(build + ["\(directory)/tree"])))
        try measureFloor(inputs, points, .plain, run: 1, in: directory, isDisk: true, into: &results)
    }

    private func measureFloor(
        _ inputs: [String: String], _ points: Int, _ shape: OutputShape, run: Int, in directory: String?,
        isDisk: Bool = false, into results: inout Results
    ) throws {
        note("\(points) points, run \(run): \(shape.name("floor"))")
        let arguments =
            (directory.map { ["--directory", $0] } ?? []) + (isDisk ? ["--is-disk"] : [])
            + ["--output", shape.rawValue]
        let output = try child("floor", inputs[DataSet.usual], arguments).output
        let onDisk = [Work.floorGzipFiles: Work.diskFloorGzipFiles, Work.floorFiles: Work.diskFloorFiles]
        let costs = try JSONDecoder().decode([String: Floor.Cost].self, from: output)
        for (work, cost) in costs.sorted(by: { $0.key < $1.key }) {
            guard let work = isDisk ? onDisk[work] : shape.name(work) else { continue }
            results.add(
                Measurement(points: points, work: work, run: run, seconds: cost.seconds, cpuSeconds: cost.cpuSeconds))
        }
    }

    private func child(_ command: String, _ input: String?, _ arguments: [String]) throws -> MeasuredProcess {
        try MeasuredProcess(
            [BenchmarkCommand.path, command, input ?? "", "--max-zoom", "\(maxZoom)"] + arguments)
    }

    /// Whether trees of so many files fit; a file takes a block and an inode, and columns take some more.
    private func hasRoom(in directory: String, forFiles files: Int, trees: Int) -> Bool {
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        let bytes = (attributes?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        let nodes = (attributes?[.systemFreeNodes] as? NSNumber)?.intValue ?? .max
        let isRoom = bytes / 8192 > files * trees && nodes * 2 / 3 > files * trees
        if !isRoom { print("No room for \(trees) trees of \(files) files in \(directory): not measured there.") }
        return isRoom
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

extension Measurement {
    init(_ points: Int, _ work: String, _ run: Int, _ process: MeasuredProcess) {
        self.init(
            points: points, work: work, run: run, seconds: process.seconds, cpuSeconds: process.cpuSeconds,
            peakBytes: process.peakBytes, peakOwnBytes: process.peakOwnBytes)
    }
}
