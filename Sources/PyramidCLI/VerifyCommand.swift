import ArgumentParser
import PyramidPlatform
import PyramidStore
import PyramidTiles
import PyramidVerification

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that a tileset is sound: every point is there at every zoom, every file as it was written.",
        discussion: """
            Prints one line per finding on standard output and exits with 1. If the tileset is sound, prints nothing there \
            and exits with 0.
            """)

    @Argument(
        help: ArgumentHelp("A directory or an archive written by pyramid build.", valueName: "tileset"),
        completion: .file())
    var path: String

    @Option(help: ArgumentHelp("Number of threads. (default: all cores)", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            """
            Memory to use: 800M, 4G, or none for no limit. Larger tilesets are checked one region after the other, with \
            temporary files in TMPDIR. (default: what is available)
            """,
            valueName: "size"))
    var memoryLimit: MemoryLimit?

    @Flag(name: .shortAndLong, help: "Print only findings and errors.")
    var quiet = false

    @Flag(help: "Print the report as JSON on standard output.")
    var json = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs is \(jobs), expected 1 or more") }
    }

    func run() throws {
        try reportingErrors {
            let verifier = PyramidVerifier(
                tileset: try existingTileset(at: path), jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
            let line = quiet ? nil : ProgressLine()
            let report = try verifier.verify(within: memoryLimit ?? .available, temporaryFolder: SpoolFolder.temporary)
            {
                done, all in
                line?.show { ProgressStep("verifying", done, of: all, "tile") }
            }
            line?.finish()
            if json {
                try StandardOutput.json(report)
            } else {
                try StandardOutput.lines(report.findings.lazy.map { "\($0)" })
            }
            if !quiet {
                Console.line(closing(report))
                for allowance in report.allowances { Console.line(allowance) }
            }
            if !report.isSound { throw Failure.findings }
        }
    }

    private func closing(_ report: VerificationReport) -> String {
        let content =
            "\(NumberText.counted(report.tiles, "tile")), \(NumberText.counted(report.markers, "marker")), "
            + "\(NumberText.counted(report.points, "point"))"
            + (report.zooms.allSatisfy { $0.points == report.points } ? " at every zoom" : " at the last zoom")
        guard !report.isSound else { return "sound: \(content)" }
        let unlisted = report.findingCount - report.findings.count
        return "\(NumberText.counted(report.findingCount, "finding"))"
            + (unlisted > 0 ? ", of which \(NumberText.grouped(unlisted)) are not listed" : "")
    }
}
