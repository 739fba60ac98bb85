import ArgumentParser
import PyramidPlatform
import PyramidPublishing
import PyramidStore
import PyramidTiles

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract:
            "List the files that were added, changed and removed between two builds.",
        discussion: """
            Prints one line per file on standard output, A for added, M for modified, D for deleted, and exits with 1. \
            If the tilesets are identical, prints nothing there and exits with 0. Compares the sizes and checksums that \
            the builds recorded; doesn't read the tiles, except those of archives.
            """)

    @Argument(
        help: ArgumentHelp(
            "A tileset's directory, an archive, a manifest.json, or a files.tsv.",
            valueName: "old"),
        completion: .file())
    var old: String

    @Argument(
        help: ArgumentHelp("The tileset to compare it with, in any of these forms.", valueName: "new"),
        completion: .file())
    var new: String

    @Flag(help: "Print the changes as one JSON object on standard output.")
    var json = false

    @Flag(help: "Print the URLs to purge from caches; also of added files, whose absence caches may remember.")
    var urls = false

    @Option(
        help: ArgumentHelp(
            "With --urls: the URL of the tileset. (default: the one in the new tilejson.json)",
            valueName: "url"))
    var baseURL: String?

    @Flag(name: .shortAndLong, help: "Print only changes and errors.")
    var quiet = false

    func validate() throws {
        if urls, json { throw ValidationError("--urls can't be used with --json") }
        if baseURL != nil, !urls { throw ValidationError("--base-url needs --urls") }
        if let problem = TileJSONOptions(baseURL: baseURL).problem { throw ValidationError(problem.withFlags) }
    }

    func run() throws {
        try reportingErrors {
            let base = try urls ? baseURLOfTiles() : nil
            let difference = PyramidDifference(from: try listing(old), to: try listing(new))
            if json {
                try StandardOutput.json([
                    "added": difference.paths(.added), "changed": difference.paths(.changed),
                    "removed": difference.paths(.removed),
                ])
            } else {
                try StandardOutput.lines(
                    difference.changes.lazy.map { change in base.map { $0 + change.path } ?? "\(change)" })
            }
            if !quiet { Console.line(closing(difference)) }
            if !difference.changes.isEmpty { throw Failure.findings }
        }
    }

    private func listing(_ path: String) throws -> TilesetListing {
        var status = stat()
        guard stat(path, &status) == 0 else {
            Console.error("\(path): no such file or directory")
            throw Failure.inputMissing
        }
        let listing = try TilesetListing(path: path)
        if status.st_mode & S_IFMT == S_IFDIR { warnIfIncomplete(DirectoryTileset(path: path)) }
        return listing
    }

    private func baseURLOfTiles() throws -> String {
        for path in [old, new] where (try? LocalTileset.open(path: path)) is ArchiveTileset {
            Console.error("\(path): --urls can't be used with an archive, whose tiles have no URLs")
            throw Failure.usage
        }
        if let base = TileJSONOptions(baseURL: baseURL).baseURLWithSlash { return base }
        var status = stat()
        let isDirectory = stat(new, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let path = isDirectory ? new : URL(fileURLWithPath: new).deletingLastPathComponent().path
        if let base = try? DirectoryTileset(path: path).tileJSON().baseURL { return base }
        Console.error("\(new): tilejson.json has no absolute URLs; --urls needs --base-url")
        throw Failure.usage
    }

    private func closing(_ difference: PyramidDifference) -> String {
        guard !difference.changes.isEmpty else { return "no differences" }
        let counts = PyramidDifference.Change.Kind.allCases.map { kind in
            (kind, difference.changes.count { $0.kind == kind })
        }
        return counts.map { "\(NumberText.grouped($1)) \($0)" }.joined(separator: ", ")
    }
}
