import ArgumentParser
import Foundation
import PyramidPublishing
import PyramidStore
import PyramidTiles

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract:
            "Compares two pyramids by their lists of tiles and pages: which files were added, changed and removed.",
        discussion: """
            Prints one line for each file on standard output, A for added, M for changed, D for removed, and exits with 1; \
            prints nothing there and exits with 0 where the pyramids are the same, byte by byte. Tiles are not \
            read: what is compared are the sizes and checksums that the builds wrote.
            """)

    @Argument(
        help: ArgumentHelp(
            "A pyramid's directory, its manifest.json, or a tiles.tsv, which knows no pages.", valueName: "old"))
    var old: String

    @Argument(help: ArgumentHelp("What to compare it with, in any of these forms.", valueName: "new"))
    var new: String

    @Flag(help: "Print the changes as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print URLs that a cache must forget; added files too, whose absence may be cached.")
    var urls = false

    @Option(
        help: ArgumentHelp(
            "With --urls: where the pyramid is found. (default: as tilejson.json of the new one says)",
            valueName: "url"))
    var baseURL: String?

    @Flag(help: "Print nothing but the changes and errors.")
    var quiet = false

    func validate() throws {
        if urls, json { throw ValidationError("--urls and --json are given, expected one of them") }
        if baseURL != nil, !urls { throw ValidationError("--base-url is given without --urls") }
        if let problem = TileJSONOptions(baseURL: baseURL).problem { throw ValidationError(problem.withFlags) }
    }

    func run() throws {
        try reportingErrors {
            let base = try urls ? baseURLOfTiles() : nil
            let difference = PyramidDifference(from: try listing(old), to: try listing(new))
            if json {
                try StandardOutput.line(try text(of: difference))
            } else {
                var lines: [UInt8] = []
                for change in difference.changes {
                    lines += (base.map { $0 + change.path } ?? "\(change)").utf8
                    lines.append(UInt8(ascii: "\n"))
                }
                try StandardOutput.write(lines)
            }
            if !quiet { Console.line(closing(difference)) }
            if !difference.changes.isEmpty { throw Failure.findings }
        }
    }

    private func listing(_ path: String) throws -> PyramidListing {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            Console.error("\(path): there is no such file or directory")
            throw Failure.inputMissing
        }
        if isDirectory.boolValue, TileDirectory(path: path).isBeingBuilt {
            Console.warning(
                "\(path): a build is under way or was interrupted, its files may be others than its list says")
        }
        return try PyramidListing(path: path)
    }

    private func baseURLOfTiles() throws -> String {
        if let base = TileJSONOptions(baseURL: baseURL).baseURLWithSlash { return base }
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: new, isDirectory: &isDirectory)
        let path = isDirectory.boolValue ? new : URL(fileURLWithPath: new).deletingLastPathComponent().path
        if let base = try? TileDirectory(path: path).tileJSON().baseURL { return base }
        Console.error("\(new): has no tilejson.json with absolute URLs, expected --base-url")
        throw Failure.usage
    }

    private func text(of difference: PyramidDifference) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let content = [
            "added": difference.paths(.added), "changed": difference.paths(.changed),
            "removed": difference.paths(.removed),
        ]
        return String(decoding: try encoder.encode(content), as: UTF8.self)
    }

    private func closing(_ difference: PyramidDifference) -> String {
        guard !difference.changes.isEmpty else { return "no differences" }
        let counts = PyramidDifference.Change.Kind.allCases.map { kind in
            (kind, difference.changes.count { $0.kind == kind })
        }
        return counts.map { "\(NumberText.grouped($1)) \($0)" }.joined(separator: ", ")
    }
}
