import PyramidBuild

/// The closing summary of a build of a tileset or of a part.
protocol BuildRunSummary {
    /// Lines for people to read.
    var lines: [String] { get }
    var warnings: [String] { get }
    /// The warning about skipped rows for quiet builds, which don't print ``lines``; `nil` if there is none.
    var quietWarning: String? { get }
    /// The summary for programs.
    var content: any Encodable { get }
}

extension RunningOptionGroup {
    /// Runs a build, shows its progress and prints its summary.
    /// - Parameter build: runs the build and returns a function that makes the summary, given the duration.
    func run(
        outputPath: String,
        _ build: (@escaping @Sendable (BuildProgress) -> Void) throws -> (Duration) -> any BuildRunSummary
    ) throws {
        Interruption.watch(outputPath: outputPath)
        try reportingErrors(of: outputPath) {
            let clock = ContinuousClock()
            let start = clock.now
            let line = quiet ? nil : ProgressLine()
            defer { line?.finish() }
            let summary = try build { line?.update($0) }(clock.now - start)
            line?.finish()
            if !quiet { summary.lines.forEach(Console.line) }
            for warning in summary.warnings + (quiet ? [summary.quietWarning].compactMap(\.self) : []) {
                Console.warning(warning)
            }
            if json { try StandardOutput.json(summary.content) }
        }
    }
}
