import Foundation
import PyramidStore
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

/// Two versions of the same data, their outputs from undisturbed builds, and a place where a build with a fault goes from
/// one to the other.
final class FaultyBuild {
    enum Start: CaseIterable {
        /// There is no output.
        case nothing
        /// The output of the old data.
        case old
    }

    /// What is written, and by which command.
    enum Form: CaseIterable {
        /// Directories; which of the two versions have bundles, and tiles above them.
        case plain, bundled, bundling, unbundling
        case archive
        /// The same outputs, built in parts on disk.
        case inParts, bundlingInParts, archiveInParts
        /// What is written of a part of the world, and all that is joined of such parts.
        case part, joined, joinedBundles, joinedArchive

        /// Whether the output is a file, and there as a whole or not at all.
        var isFile: Bool { [.archive, .archiveInParts, .part, .joinedArchive].contains(self) }

        fileprivate var isJoined: Bool { [.joined, .joinedBundles, .joinedArchive].contains(self) }

        fileprivate var outputName: String {
            [.archive, .archiveInParts, .joinedArchive].contains(self) ? "out.pmtiles" : "out"
        }

        fileprivate func options(isNew: Bool) -> [String] {
            switch self {
            case .plain, .archive, .part, .joined, .joinedArchive: []
            case .bundled, .joinedBundles: Form.bundles
            case .bundling: isNew ? Form.bundles : []
            case .unbundling: isNew ? [] : Form.bundles
            case .inParts, .archiveInParts: Form.parts
            case .bundlingInParts: (isNew ? Form.bundles : []) + Form.parts
            }
        }

        /// Fewer records than the first zoom has.
        private static let bundles = ["--bundle", "3"]
        /// So few rows and markers at a time that parts are needed.
        private static let parts = ["--part-limits", "3,2,1"]
    }

    /// From what to what: all in a campaign, else as few as touch every kind of file.
    static let cases: [(Form, Start)] =
        directoryCases
        + (isCampaign
            ? [(.archive, .nothing), (.archive, .old), (.part, .nothing), (.part, .old), (.joined, .nothing)]
                + [(.joined, .old), (.joinedBundles, .old), (.joinedArchive, .old), (.archiveInParts, .nothing)]
                + [(.archiveInParts, .old)]
            : [(.archive, .nothing), (.archive, .old), (.part, .old), (.joined, .old), (.archiveInParts, .old)])

    /// Those whose output is a directory that `build` makes.
    static let directoryCases: [(Form, Start)] =
        isCampaign
        ? [(.plain, .nothing), (.bundled, .nothing)]
            + [.plain, .bundled, .bundling, .unbundling, .inParts, .bundlingInParts].map { ($0, .old) }
            + [(.inParts, .nothing), (.bundlingInParts, .nothing)]
        : [(.plain, .nothing), (.plain, .old), (.bundling, .old), (.bundlingInParts, .old)]

    /// A system call that writes.
    struct Call {
        let name: String
        let path: String
    }

    let form: Form
    let folder: TemporaryFolder
    /// The folder of the output, and nothing else.
    let place: String
    /// The output.
    var path: String { place + "/" + form.outputName }
    private let commands: (old: [String], new: [String])
    private let trees: (old: [String: Data], new: [String: Data])

    /// - Parameters:
    ///   - rowCount: how many rows there are besides those that are always there.
    ///   - place: an empty folder; one that is temporary unless given.
    init(
        _ form: Form = .plain, jobs: Int = 1, maxZoom: Int = 3, rowCount: Int = 0, place: String? = nil
    ) throws {
        let folder = try TemporaryFolder()
        (self.form, self.folder, self.place) = (form, folder, place ?? folder.path("place"))
        let run = ["--quiet", "--jobs", "\(jobs)"]
        let zooms = ["--max-zoom", "\(maxZoom)"]

        /// The command for a version of the data, without its output.
        func command(isNew: Bool) throws -> [String] {
            let rows = FaultyBuild.rows(isNew: isNew, more: rowCount)
            let name = isNew ? "new" : "old"
            let options = zooms + form.options(isNew: isNew)
            guard form.isJoined || form == .part else {
                let lines = rows.map { "\($0.name),\($0.latitude),\($0.longitude)\n" }
                return ["build", try folder.file(name + ".csv", "name,lat,lon\n" + lines.joined())] + options + run
            }
            let input = try folder.file(name + ".ndjson", rows.map(\.feature).joined())
            let schema = try folder.file(
                "schema.json", #"{"columns":[{"name":"name","types":["string"]}],"version":1}"#)
            func part(_ tile: String) -> [String] {
                ["build", input, "--part", tile, "--cut-zoom", "1", "--schema", schema] + options + run
            }
            guard form.isJoined else { return part("1/1/0") }
            return ["join"]
                + (try ["1/0/0", "1/1/0", "1/0/1", "1/1/1"].map { tile in
                    let path = folder.path(name + tile.replacing("/", with: "-"))
                    try #require(try CommandLineProgram.run(part(tile) + [path]).exitCode == 0)
                    return path
                }) + run
        }
        /// What the command writes if nothing disturbs it.
        func tree(of command: [String], _ name: String) throws -> [String: Data] {
            let clean = folder.path(name)
            let outcome = try CommandLineProgram.run(command + [clean + "/" + form.outputName])
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
            return try fileTree(at: clean, listsDirectories: true)
        }
        commands = (try command(isNew: false), try command(isNew: true))
        trees = (try tree(of: commands.old, "old-clean"), try tree(of: commands.new, "new-clean"))
        try #require(trees.old != trees.new)
    }

    /// What is there at the start.
    func begin(with start: Start) throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: place) {
            try FileManager.default.removeItem(atPath: place + "/" + name)
        }
        if start == .old {
            try FileManager.default.copyItem(atPath: folder.path("old-clean/" + form.outputName), toPath: path)
        }
    }

    private func before(_ start: Start) -> [String: Data] { start == .old ? trees.old : [:] }

    /// The files and directories that are there at the start.
    func oldNames(_ start: Start) -> Set<String> { Set(before(start).keys) }

    /// Builds one of the versions.
    func build(
        new isNew: Bool = true, with more: [String] = [], environment: [String: String] = [:], limit: String? = nil,
        whileRunning body: (Process) throws -> Void = { _ in }
    ) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(
            (isNew ? commands.new : commands.old) + more + [path], environment: environment, limit: limit,
            whileRunning: body)
    }

    /// Builds the new version up to a call that never returns, and calls `body` then, which has to end the program.
    /// - Parameter fault: `DELAY` for a call that returns a little later.
    func build(
        pausedAt number: Int, errorPath: String? = nil, fault: String = "PAUSE", environment: [String: String] = [:],
        _ body: (Process) throws -> Void
    ) throws -> CommandLineProgram.Outcome {
        let log = folder.path("calls")
        try? FileManager.default.removeItem(atPath: log)
        return try CommandLineProgram.run(
            commands.new + [path], errorPath: errorPath,
            environment: FaultLibrary.environment(fault, at: number, logPath: log).merging(environment) { $1 }
        ) { process in
            poll { FileManager.default.contents(atPath: log)?.count { $0 == UInt8(ascii: "\n") } == number }
            try body(process)
        }
    }

    /// What an undisturbed build of the new version writes.
    func calls(from start: Start, _ options: [String] = []) throws -> [Call] {
        try begin(with: start)
        let log = folder.path("calls")
        try? FileManager.default.removeItem(atPath: log)
        let outcome = try build(with: options, environment: FaultLibrary.environment("NONE", at: 0, logPath: log))
        try #require(outcome.exitCode == 0)
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return Call(name: String(words[0]), path: words.count > 1 ? String(words[1]) : "")
        }
    }

    /// Why a build may succeed although a call fails; `nil` if it must say so.
    private func excuse(for call: Call, from start: Start) -> String? {
        switch call.name {
        case "mkdir" where place.hasPrefix(call.path) || call.path == path && start == .old:
            "the directory is there already"
        case "close" where call.path.hasSuffix(".building (deleted)"):
            "nothing of the marker is needed any more"
        case "unlink" where call.path.contains("/pyramid-spool-"):
            "a temporary file outside the output stays"
        default: nil
        }
    }

    /// A build that reports success has done without the calls that failed, and every one of them is excused.
    func expectFailure(
        _ outcome: CommandLineProgram.Outcome, of calls: ArraySlice<Call>, from start: Start, _ what: Comment
    ) {
        guard outcome.exitCode == 0 else { return }
        for call in calls where excuse(for: call, from: start) == nil {
            Issue.record("success although \(call.name) \(call.path) failed: \(what)")
        }
    }

    /// Whatever happened: what looks whole is the old version or the new one, what a build reported is the new one, and the
    /// next build makes the new one, with nothing left behind.
    /// - Parameter canRemove: whether what the build tried to remove is gone.
    func check(
        _ outcome: CommandLineProgram.Outcome, after start: Start, canRemove: Bool = true, _ what: Comment
    ) throws {
        let message = outcome.standardError
        let found = try tree()
        let before = before(start)
        // A file that is written beside another one.
        let output = form.isFile ? found.filter { $0.key == form.outputName } : found
        if outcome.exitCode == 0 && !outcome.wasKilled {
            #expect(found == trees.new, what)
            #expect(message.isEmpty, what)
        } else {
            if !outcome.wasKilled {
                #expect([73, 74, 143].contains(outcome.exitCode), what)
                #expect(message.hasPrefix("error: ") && message.split(separator: "\n").count == 1, what)
            }
            // An empty directory is as good as none, if it can't be removed.
            let isAsBefore = output == before || start == .nothing && Set(output.keys).isSubset(of: ["out/"])
            let isWhole = output == trees.new || isAsBefore
            if form.isFile {
                #expect(isWhole, what)
                let left = Set(found.keys).subtracting(output.keys)
                let name = form.outputName
                #expect(left.isSubset(of: [".\(name).building", "\(name).pyramid-tmp"]), what)
                #expect(left.isEmpty || outcome.wasKilled || !canRemove, what)
            } else if !isWhole {
                #expect(try findings().map(\.kind) == [.incomplete], what)
                #expect(outcome.wasKilled || message.contains(" is incomplete"), "\(what): \(message)")
            }
            #expect(outcome.exitCode != 74 || message.contains("; \(path) is "), "\(what): \(message)")
            #expect(!message.contains("is unchanged") || isAsBefore, "\(what): \(message)")
            #expect(!message.contains("is the new version") || output == trees.new, "\(what): \(message)")
        }
        try checkRepair(what)
    }

    /// The output is the new version.
    func checkIsNew() throws {
        let found = try tree()
        #expect(form.isFile ? found[form.outputName] == trees.new[form.outputName] : found == trees.new)
    }

    private func findings() throws -> [Finding] {
        PyramidVerifier(tileset: DirectoryTileset(path: path), jobs: 1).verify().findings
    }

    /// The directory says that it is incomplete.
    func checkMarked() throws { #expect(try findings().map(\.kind) == [.incomplete]) }

    /// The next build makes the new version, with nothing left behind. So does one of the old version before, which may find
    /// that a file needn't be written.
    func checkRepair(_ what: Comment) throws {
        for isNew in form.isFile ? [false, true] : [true] {
            let repair = try build(new: isNew)
            #expect(repair.exitCode == 0, "\(what): \(repair.standardError)")
            let (found, expected) = (try tree(), isNew ? trees.new : trees.old)
            #expect(found == expected, "\(what): \(Set(found.keys).symmetricDifference(expected.keys))")
        }
    }

    /// All that is in the place.
    func tree() throws -> [String: Data] { try fileTree(at: place, listsDirectories: true) }

    /// What a client can read while builds go from the old version to the new one: files of either, none of them in part.
    var liveReader: LiveReader {
        LiveReader(place: place, output: form.outputName, isFile: form.isFile, old: trees.old, new: trees.new)
    }
}

extension FaultyBuild {
    private struct Row {
        let name: String
        let latitude: Double
        let longitude: Double

        var feature: String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"#
                + #""properties":{"name":"\#(name)"}}"# + "\n"
        }
    }

    // The first row stays, one is edited, one goes and leaves its folders empty, two come.
    private static func rows(isNew: Bool, more count: Int) -> [Row] {
        let common = [
            Row(name: "Suva", latitude: -18.1416, longitude: 178.4419),
            Row(name: isNew ? "Reykjavik" : "Reykjavík", latitude: 64.1466, longitude: -21.9426),
            Row(name: "Lagos", latitude: 6.4550, longitude: 3.3841),
        ]
        let others =
            isNew
            ? [
                Row(name: "Porto-Novo", latitude: 6.4969, longitude: 2.6289),
                Row(name: "Sapporo", latitude: 43.0618, longitude: 141.3545),
            ] : [Row(name: "Ushuaia", latitude: -54.8019, longitude: -68.3030)]
        return common + others
            + (0..<count).map { index in
                // Every third is elsewhere in the new version.
                let place = index + (isNew && index % 3 == 0 ? count : 0)
                return Row(
                    name: "place \(place)", latitude: Double(place * 613 % 1600) / 10 - 80.5,
                    longitude: Double(place * 7919 % 3590) / 10 - 179)
            }
    }
}

/// A client that reads an output over and over, on a thread of its own, and notes what it must never see.
final class LiveReader: @unchecked Sendable {
    private let place: String
    private let isFile: Bool
    /// The path of what leads to all the rest.
    private let entry: String
    private let old, new: [String: Data]
    private let ended = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var isStopped = false
    private var problem: String?
    private var roundCount = 0

    fileprivate init(place: String, output: String, isFile: Bool, old: [String: Data], new: [String: Data]) {
        (self.place, self.isFile, self.old, self.new) = (place, isFile, old, new)
        entry = isFile ? output : output + "/" + TileJSON.fileName
    }

    /// Reads while `body` runs.
    /// - Returns: what was wrong, or `nil`, and how many times everything was read.
    func read(while body: () throws -> Void) rethrows -> (problem: String?, roundCount: Int) {
        Thread.detachNewThread { [self] in
            repeat {
                if let found = readAll() { lock.withLock { problem = problem ?? found } }
                lock.withLock { roundCount += 1 }
            } while !lock.withLock({ isStopped })
            ended.signal()
        }
        do {
            defer {
                lock.withLock { isStopped = true }
                ended.wait()
            }
            try body()
        }
        return (problem, roundCount)
    }

    private func content(_ name: String) -> Data? { FileManager.default.contents(atPath: place + "/" + name) }

    /// Reads everything once.
    /// - Returns: what was wrong.
    private func readAll() -> String? {
        let start = content(entry)
        guard start == old[entry] || start == new[entry] else {
            return "\(entry) is neither the old one nor the new one"
        }
        guard !isFile else { return nil }
        let version = start == new[entry] ? new : old
        for name in version.keys where ["tiles/", "bundles/"].contains(where: { name.contains("/" + $0) }) {
            guard !name.hasSuffix("/") else { continue }
            if let found = content(name) {
                if found != old[name], found != new[name] { return "\(name) is neither the old one nor the new one" }
            } else if start == new[entry] || content(entry) == start {
                return "\(name) is missing, and \(entry) is still the one that leads to it"
            }
        }
        return nil
    }
}
