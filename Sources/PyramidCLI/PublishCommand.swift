import ArgumentParser
import PyramidPlatform
import PyramidPublishing
import PyramidStore
import PyramidTiles
import Synchronization

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Upload the files that changed since the last publish.",
        discussion: """
            The destination is s3://bucket/prefix (needs aws), remote:path (needs rclone), or a directory. Its files.tsv \
            lists what was published before. Uploads tiles first, then their list, tilejson.json and \
            manifest.json, and removes old files last. If it is interrupted or fails, the next publish continues, and \
            uploads at most 1,000 files again.

            Prints the files to purge from caches on standard output: as URLs if --base-url or tilejson.json has the \
            tileset's URL, otherwise as paths.
            """)

    @Argument(
        help: ArgumentHelp("A directory or an archive written by pyramid build.", valueName: "tileset"),
        completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp("s3://bucket/prefix, remote:path or a directory.", valueName: "destination"),
        completion: .directory)
    var destination: String

    @Option(
        help: ArgumentHelp(
            "The endpoint of an S3 host other than AWS, such as R2 or MinIO. (default: as configured for aws)",
            valueName: "url"))
    var endpointURL: String?

    @Option(help: ArgumentHelp("Cache-Control of tiles.", valueName: "text"))
    var cacheControl = PublishingCaching.defaultTiles

    @Option(help: ArgumentHelp("Cache-Control of tilejson.json and the other files.", valueName: "text"))
    var metadataCacheControl = PublishingCaching.defaultMetadata

    @Option(
        help: ArgumentHelp(
            "The URL of the tileset, for the URLs to purge. (default: the one in tilejson.json)", valueName: "url"))
    var baseURL: String?

    @Flag(
        help: ArgumentHelp(
            """
            Put all files into a new folder, which caches keep for a year, then switch to it by replacing tilejson.json. Maps \
            see the old tileset or the new one, never both. Uploads every file.
            """))
    var versioned = false

    @Option(help: ArgumentHelp("With --versioned: how many older versions stay.", valueName: "n"))
    var keep = 2

    @Flag(help: "Upload every file, changed or not. Needed to change headers.")
    var all = false

    @Flag(
        help: ArgumentHelp(
            """
            Replace files in a directory that no publish has written, if the tileset has files with their names. Other \
            files stay.
            """))
    var force = false

    @Flag(
        help: ArgumentHelp(
            "Compare the sizes of all files at the destination too. Takes a request for every 1,000 files. (in a directory: always)"
        ))
    var check = false

    @Flag(
        name: .customLong("take-over"),
        help: "Take the destination from a publish that has died without saying so. Otherwise it is free after 6 hours."
    )
    var takesOver = false

    @Flag(
        inversion: .prefixedNo,
        help: "Wait until all files in a directory are on disk, so that a power cut can't damage the tileset.")
    var sync = true

    @Flag(name: .customLong("dry-run"), help: "Print what would be uploaded and removed, without changing anything.")
    var isDryRun = false

    @Flag(help: "Print the result as JSON on standard output.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print only results, warnings and errors.")
    var quiet = false

    private var caching: PublishingCaching {
        PublishingCaching(tiles: cacheControl, metadata: metadataCacheControl)
    }

    func validate() throws {
        for (name, value) in [("--cache-control", cacheControl), ("--metadata-cache-control", metadataCacheControl)]
        where !PublishingCaching.isValue(value) {
            throw ValidationError(
                "\(name) is \"\(value)\", expected printable ASCII such as \"\(PublishingCaching.defaultTiles)\"")
        }
        if keep < 0 { throw ValidationError("--keep is \(keep), expected 0 or more") }
        if keep != 2, !versioned { throw ValidationError("--keep needs --versioned") }
        if versioned, cacheControl != PublishingCaching.defaultTiles {
            throw ValidationError(
                "--cache-control can't be used with --versioned: caches may keep a version for a year")
        }
        if let problem = TileJSONOptions(baseURL: baseURL).problem { throw ValidationError(problem.withFlags) }
        if !sync, destination.contains(":") {
            throw ValidationError("--no-sync needs a directory, found \(destination)")
        }
        if let endpointURL {
            guard destination.hasPrefix("s3://") else {
                throw ValidationError("--endpoint-url needs an s3:// destination, found \(destination)")
            }
            guard TileJSONOptions.isBaseURL(endpointURL) else {
                throw ValidationError(
                    "--endpoint-url is \"\(endpointURL)\", expected http:// or https:// with a host and no user")
            }
        }
    }

    func run() throws {
        try reportingErrors {
            let tileset = try existingTileset(at: path)
            let archive = tileset as? ArchiveTileset
            if archive != nil, versioned {
                Console.error(
                    "--versioned isn't needed for \(path): an archive is one file, which is replaced as a whole")
                throw Failure.usage
            }
            let place = try publishingDestination(of: archive)
            if let archive { try publish(archive, to: place) } else { try publish(tileset, to: place) }
        }
    }

    private func publish(_ tileset: any TilesetReader, to place: any PublishingDestination) throws {
        var publisher = Publisher(tileset: tileset, destination: place)
        publisher.caching = caching
        publisher.uploadsAll = all
        publisher.replacesOthers = force
        publisher.checksSizes = check
        publisher.takesOver = takesOver
        publisher.keptVersionCount = versioned ? keep : nil
        let plan =
            try isDryRun
            ? publisher.plan()
            : stoppable(place) { line in try publisher.publish { progress in line?.show { step(of: progress) } } }
        let base = TileJSONOptions(baseURL: baseURL).baseURLWithSlash ?? (try? tileset.tileJSON().baseURL) ?? ""
        try print(
            Content(
                uploaded: plan.uploads, removed: plan.removals, purge: plan.purges.map { base + $0 },
                tileBytes: plan.tileByteCount))
        if !quiet { Console.line(closing(plan)) }
    }

    private func publish(_ archive: ArchiveTileset, to place: any PublishingDestination) throws {
        var publisher = ArchivePublisher(archive: archive, destination: place)
        publisher.caching = caching
        publisher.uploadsAll = all
        publisher.replacesOthers = force
        let plan = try isDryRun ? publisher.plan() : stoppable(place) { _ in try publisher.publish() }
        let base = TileJSONOptions(baseURL: baseURL).baseURLWithSlash ?? ""
        try print(
            Content(
                uploaded: plan.isUploaded ? [plan.name] : [], removed: [],
                purge: plan.isUploaded && plan.replaces ? [base + plan.name] : [],
                tileBytes: plan.isUploaded ? plan.byteCount : 0))
        guard !quiet else { return }
        let archive = "\(plan.name) (\(NumberText.bytes(plan.byteCount)))"
        guard plan.isUploaded else { return Console.line("nothing to do: \(archive) is already published") }
        Console.line(isDryRun ? "\(archive) to upload: nothing was changed" : "\(archive) uploaded")
    }

    /// Runs a publish that a signal may stop.
    private func stoppable<Plan>(
        _ place: any PublishingDestination, _ publish: (ProgressLine?) throws -> Plan
    ) throws -> Plan {
        let signals = Stopping(of: place)
        let line = quiet ? nil : ProgressLine()
        defer { line?.finish() }
        do {
            return try publish(line)
        } catch let error as PublishingError where error.kind == .stopped {
            line?.finish()
            Console.error(error.lineWithAdvice)
            throw signals.number.map { ExitCode(128 + $0) } ?? Failure.interrupted
        }
    }

    private func step(of progress: Publisher.Progress) -> ProgressStep {
        switch progress {
        case .uploading(let done, let all, let byteCount):
            let amount = "\(NumberText.grouped(done)) of \(NumberText.counted(all, "file"))"
            return ProgressStep(
                "uploading", done, of: all, "file", amount: "\(amount), \(NumberText.bytes(byteCount))", share: 0...0.9)
        case .removing(let done, let all):
            return ProgressStep("removing", done, of: all, "file", share: 0.9...1)
        }
    }

    /// - Parameter archive: the tileset if it is an archive, which keeps its name at the destination.
    private func publishingDestination(of archive: ArchiveTileset?) throws -> any PublishingDestination {
        if archive != nil, destination.lowercased().hasSuffix(ArchiveTilesetWriter.suffix) {
            Console.error("\(destination): is an archive, expected the folder for \(path)")
            throw Failure.usage
        }
        if destination.hasPrefix("s3://") { return try S3Destination(url: destination, endpointURL: endpointURL) }
        if let colon = destination.firstIndex(of: ":"), !destination[..<colon].contains("/") {
            guard !destination[colon...].hasPrefix("://") else {
                let scheme = destination[..<colon]
                Console.error("\(destination): expected s3://, a directory or a remote of rclone, found \(scheme)://")
                throw Failure.usage
            }
            return try RcloneDestination(remote: destination)
        }
        // An archive may go to a folder inside or around its own, but not to its own.
        let (here, there) = (FolderChain(archive?.location.folder ?? path), FolderChain(destination))
        guard !(archive == nil ? here.overlaps(there) : here.isSame(as: there)) else {
            Console.error("\(destination): contains the tileset or is inside it, expected another directory")
            throw Failure.outputUnusable
        }
        return DirectoryDestination(path: destination, syncs: sync)
    }

    /// The result for programs.
    private struct Content: Encodable {
        let uploaded, removed, purge: [String]
        let tileBytes: Int
    }

    private func print(_ content: Content) throws {
        if json { return try StandardOutput.json(content) }
        try StandardOutput.lines(
            isDryRun
                ? content.uploaded.map { "upload \($0)" } + content.removed.map { "remove \($0)" } : content.purge)
    }

    private func closing(_ plan: PublishingPlan) -> String {
        guard !plan.isEmpty else { return "nothing to do: already published" }
        let tiles = "\(NumberText.counted(plan.entries.count, "tile")) (\(NumberText.bytes(plan.tileByteCount)))"
        let uploads =
            "\(tiles) and \(NumberText.counted(plan.uploads.count - plan.entries.count, "other file"))"
        let removals = NumberText.counted(plan.removals.count, "file")
        return isDryRun
            ? "\(uploads) to upload, \(removals) to remove: nothing was changed"
            : "\(uploads) uploaded, \(removals) removed"
    }
}

/// Stops a publish at SIGINT and SIGTERM, so that a running program, such as aws, ends before this one does.
///
/// If the system allows no thread that waits for the signals, they end this process at once.
private final class Stopping: Sendable {
    private let received = Mutex<Int32?>(nil)

    /// The first signal received.
    var number: Int32? { received.withLock { $0 } }

    init(of destination: any PublishingDestination) {
        Interruption.block()
        let thread = WorkerThread {
            while let number = Interruption.next() {
                self.received.withLock { $0 = $0 ?? number }
                destination.stop()
            }
        }
        if thread == nil { Interruption.allow() }
    }
}
