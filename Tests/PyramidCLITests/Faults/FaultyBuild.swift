import Foundation
import PyramidStore
import PyramidTiles
import PyramidVerification
import Testing

/// Two versions of the same data, their pyramids from undisturbed builds, and a directory that a build with a fault
/// takes from one to the other.
final class FaultyBuild {
    enum Start: CaseIterable {
        /// There is no directory.
        case nothing
        /// The pyramid of the old data.
        case old
    }

    /// Which of the two pyramids have bundles, and tiles above them.
    enum Form: CaseIterable {
        case plain, bundled, bundling, unbundling

        fileprivate var old: [String] { self == .bundled || self == .unbundling ? Form.bundles : [] }
        fileprivate var new: [String] { self == .bundled || self == .bundling ? Form.bundles : [] }

        /// Fewer records than the first zoom has.
        private static let bundles = ["--bundle", "3"]
    }

    /// From what to what: all in a campaign, else as few as touch every kind of file.
    static let cases: [(Form, Start)] =
        FaultLibrary.isCampaign
        ? [(.plain, .nothing), (.bundled, .nothing)] + Form.allCases.map { ($0, .old) }
        : [(.plain, .nothing), (.plain, .old), (.bundling, .old)]

    let folder = try? TemporaryFolder()
    private let old, new: (input: String, options: [String], tree: [String: Data])
    let path: String

    /// - Parameter path: of the directory; in a temporary folder unless given.
    init(_ form: Form = .plain, jobs: Int = 1, maxZoom: Int = 3, path: String? = nil) throws {
        let folder = try #require(folder)
        self.path = path ?? folder.path("out")
        func version(_ name: String, _ rows: String, _ options: [String]) throws -> (String, [String], [String: Data]) {
            let options = ["--jobs", "\(jobs)", "--max-zoom", "\(maxZoom)", "--quiet"] + options
            let input = try folder.file(name, rows)
            let clean = input + "-pyramid"
            try #require(try CommandLineProgram.run(["build", input, clean] + options).exitCode == 0)
            return (input, options, try FaultyBuild.tree(at: clean))
        }
        old = try version("old.csv", FaultyBuild.oldRows, form.old)
        new = try version("new.csv", FaultyBuild.newRows, form.new)
    }

    /// What the directory holds at the start.
    func begin(with start: Start) throws {
        try? FileManager.default.removeItem(atPath: path)
        if start == .old { try FileManager.default.copyItem(atPath: old.input + "-pyramid", toPath: path) }
    }

    /// The files and directories that are there at the start.
    func oldNames(_ start: Start) -> Set<String> { start == .old ? Set(old.tree.keys) : [] }

    /// Builds the pyramid of one of the versions in the directory.
    func build(
        new isNew: Bool = true, with more: [String] = [], environment: [String: String] = [:], limit: String? = nil
    ) throws -> CommandLineProgram.Outcome {
        let version = isNew ? new : old
        return try CommandLineProgram.run(
            ["build", version.input, path] + version.options + more, environment: environment, limit: limit)
    }

    /// Builds the new pyramid up to a call that never returns, and calls `body` then, which has to end the program.
    func build(
        pausedAt number: Int, errorPath: String? = nil, _ body: (Process) throws -> Void
    ) throws -> CommandLineProgram.Outcome {
        let log = try #require(folder).path("calls")
        try? FileManager.default.removeItem(atPath: log)
        return try CommandLineProgram.run(
            ["build", new.input, path] + new.options, errorPath: errorPath,
            environment: FaultLibrary.environment("PAUSE", at: number, logPath: log)
        ) { process in
            poll { FileManager.default.contents(atPath: log)?.count { $0 == UInt8(ascii: "\n") } == number }
            try body(process)
        }
    }

    /// How many calls an undisturbed build makes that the library counts.
    func callCount(from start: Start) throws -> Int {
        try calls(from: start).count
    }

    /// What an undisturbed build writes: the names of the calls and the paths.
    func calls(from start: Start, _ options: [String] = []) throws -> [(name: String, path: String)] {
        try begin(with: start)
        let log = try #require(folder).path("calls")
        try? FileManager.default.removeItem(atPath: log)
        let outcome = try CommandLineProgram.run(
            ["build", new.input, path] + new.options + options,
            environment: FaultLibrary.environment("NONE", at: 0, logPath: log))
        try #require(outcome.exitCode == 0)
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return (String(words[0]), words.count > 1 ? String(words[1]) : "")
        }
    }

    /// Whatever happened: a pyramid that looks whole is the old one or the new one, one that a build reported is the
    /// new one, and the next build makes the new one, with nothing left behind.
    func check(_ outcome: CommandLineProgram.Outcome, after start: Start, _ what: Comment) throws {
        if outcome.exitCode == 0 && !outcome.wasKilled {
            #expect(try FaultyBuild.tree(at: path) == new.tree, what)
            #expect(outcome.standardError.isEmpty, what)
        } else {
            if !outcome.wasKilled {
                #expect([73, 74].contains(outcome.exitCode), what)
                #expect(outcome.standardError.hasPrefix("error: "), what)
                #expect(outcome.standardError.split(separator: "\n").count == 1, what)
            }
            let findings = PyramidVerifier(tileset: DirectoryTileset(path: path), jobs: 1).verify().findings
            if findings.isEmpty {
                let tree = try FaultyBuild.tree(at: path)
                #expect(tree == new.tree || (start == .old && tree == old.tree), what)
            } else if findings.map(\.kind) != [.incomplete] {
                // Before anything of a new pyramid is there, not even the marker is.
                let tree = (try? FaultyBuild.tree(at: path)) ?? [:]
                #expect(start == .nothing && tree.isEmpty, "\(what): \(findings)")
            }
        }
        try checkRepair(what)
    }

    /// The pyramid says that it is incomplete.
    func checkMarked() throws {
        let findings = PyramidVerifier(tileset: DirectoryTileset(path: path), jobs: 1).verify().findings
        #expect(findings.map(\.kind) == [.incomplete])
    }

    /// The next build makes the new pyramid, with nothing left behind.
    func checkRepair(_ what: Comment) throws {
        let repair = try build()
        #expect(repair.exitCode == 0, "\(what): \(repair.standardError)")
        let tree = try FaultyBuild.tree(at: path)
        #expect(tree == new.tree, "\(what): \(Set(tree.keys).symmetricDifference(new.tree.keys))")
    }

    /// The files by their paths, with their bytes, and the directories, without.
    static func tree(at path: String) throws -> [String: Data] {
        var tree: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            if let content = FileManager.default.contents(atPath: path + "/" + name) {
                tree[name] = content
            } else {
                tree[name + "/"] = Data()
            }
        }
        return tree
    }

    private static let oldRows = """
        name,lat,lon
        Suva,-18.1416,178.4419
        Reykjavík,64.1466,-21.9426
        Ushuaia,-54.8019,-68.3030
        Lagos,6.4550,3.3841
        """
    // The first row stays, one is edited, one goes and leaves its folders empty, two come.
    private static let newRows = """
        name,lat,lon
        Suva,-18.1416,178.4419
        Reykjavik,64.1466,-21.9426
        Lagos,6.4550,3.3841
        Porto-Novo,6.4969,2.6289
        Sapporo,43.0618,141.3545
        """
}
