import ArgumentParser
import PyramidInput
import PyramidParts
import PyramidPlatform
import PyramidStore
import PyramidTiles
import PyramidVerification

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that a tileset is complete and undamaged, and compare it with its input.",
        usage: "pyramid verify [<options>] <tileset> [<input> ...]",
        discussion: """
            Prints one line per finding on standard output and exits with 1. If the tileset is sound, prints nothing there \
            and exits with 0.

            If the input is given too, builds it again with the options in the manifest, and compares every tile and \
            all metadata. Writes only temporary files.
            """)

    @Argument(
        help: ArgumentHelp("A directory or an archive written by pyramid build.", valueName: "tileset"),
        completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp(
            "The files from which the tileset was built (- for standard input), under any name and in any order.",
            valueName: "input"),
        completion: .file())
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp("With an input: the schema with which the tileset was built.", valueName: "file"),
        completion: .file())
    var schema: String?

    @Option(help: ArgumentHelp("Number of threads. (default: all cores)", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            """
            Memory to use: 800M, 4G, or none for no limit. For larger tilesets, uses temporary files in TMPDIR. \
            (default: what is available)
            """,
            valueName: "size"))
    var memoryLimit: MemoryLimit?

    @Flag(help: "If the input has changed since the build: print all findings, not just the first 10.")
    var all = false

    @Flag(name: .shortAndLong, help: "Print only findings and errors.")
    var quiet = false

    @Flag(help: "Print the report as JSON on standard output.")
    var json = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs is \(jobs), expected 1 or more") }
        if schema != nil, inputs.isEmpty { throw ValidationError("--schema needs an input") }
        if inputs.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input (-) can be given only once") }
    }

    func run() throws {
        try reportingErrors {
            let (report, ofInput) = try verified()
            let listed = listed(report, ofInput)
            if json {
                try StandardOutput.json(VerificationSummary(report: report, input: ofInput))
            } else {
                try StandardOutput.lines((ofInput?.inputChange.map { ["\($0)"] } ?? []) + listed)
            }
            if !quiet {
                Console.line(closing(report, ofInput, listedCount: listed.count))
                if ofInput?.isSame != true { for allowance in report.allowances { Console.line(allowance) } }
            }
            if !report.isSound || ofInput?.isSame == false { throw Failure.findings }
        }
    }

    private func verified() throws -> (VerificationReport, InputVerificationReport?) {
        let tileset: any TilesetReader
        do {
            tileset = try existingTileset(at: path)
        } catch let error as StoreError where ArchiveTileset.isArchive(atPath: path) {
            guard let report = VerificationReport(unreadable: error) else { throw error }
            return (report, nil)
        } catch let error as StoreError {
            guard let tileset = inputs.first(where: { (try? LocalTileset.open(path: $0)) != nil }) else { throw error }
            Console.error("\(path): is no tileset, but \(tileset) is one; the tileset comes first, and then its inputs")
            throw Failure.usage
        }
        let schema = try schema.map { try PointSchema(path: $0) }
        let report = try soundness(of: tileset)
        return (report, try inputs.isEmpty ? nil : comparison(of: tileset, schema, report))
    }

    /// How many findings are printed if the input has changed since the build, because then they follow from that.
    private static let findingsOfChangedInput = 10

    /// The findings to print, one per line.
    private func listed(_ report: VerificationReport, _ ofInput: InputVerificationReport?) -> [String] {
        let findings = report.findings.map(\.description) + (ofInput?.differences.map(\.description) ?? [])
        let isShort = ofInput?.inputChange != nil && !all && !json
        return isShort ? Array(findings.prefix(VerifyCommand.findingsOfChangedInput)) : findings
    }

    private func soundness(of tileset: any TilesetReader) throws -> VerificationReport {
        let verifier = PyramidVerifier(tileset: tileset, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
        let line = quiet ? nil : ProgressLine()
        defer { line?.finish() }
        return try verifier.verify(within: memoryLimit ?? .available, temporaryFolder: SpoolFolder.temporary) {
            done, all in
            line?.show { ProgressStep("verifying", done, of: all, "tile") }
        }
    }

    /// - Returns: `nil` if the tileset is too damaged to be compared.
    private func comparison(
        of tileset: any TilesetReader, _ schema: PointSchema?, _ report: VerificationReport
    ) throws -> InputVerificationReport? {
        var verifier = InputVerifier(tileset: tileset, inputPaths: inputs, schema: schema)
        if let jobs { verifier.jobs = jobs }
        if let memoryLimit { verifier.memoryLimit = memoryLimit }
        let line = quiet ? nil : ProgressLine()
        defer { line?.finish() }
        do {
            return try verifier.verify { line?.update($0) }
        } catch let error as StoreError where !report.isSound {
            line?.finish()
            Console.warning("not compared with the input: \(error)")
            return nil
        }
    }

    private func closing(
        _ report: VerificationReport, _ ofInput: InputVerificationReport?, listedCount: Int
    ) -> String {
        let content =
            "\(NumberText.counted(report.tiles, "tile")), \(NumberText.counted(report.markers, "marker")), "
            + "\(NumberText.counted(report.points, "point"))"
            + (report.zooms.allSatisfy { $0.points == report.points } ? " at every zoom" : " at the last zoom")
        let count = report.findingCount + (ofInput?.differenceCount ?? 0)
        guard count > 0 else { return "sound\(ofInput == nil ? "" : ", and what its input makes"): \(content)" }
        let isCut = listedCount < report.findings.count + (ofInput?.differences.count ?? 0)
        let unlisted = count - listedCount
        return "\(NumberText.counted(count, "finding"))"
            + (unlisted > 0 ? ", of which \(NumberText.grouped(unlisted)) are not listed" : "")
            + (isCut ? "; --all lists more" : "")
    }
}

/// The report for programs: that of the tileset alone, and what the comparison with the input adds.
private struct VerificationSummary: Encodable {
    private enum CodingKeys: CodingKey {
        case input
    }

    let report: VerificationReport
    let input: InputVerificationReport?

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(input, forKey: .input)
    }
}
