import PyramidBuild

/// What is printed at the end of a build of any kind.
protocol BuildRunSummary {
    /// For people to read.
    var lines: [String] { get }
    var warnings: [String] { get }
    /// The warning about skipped rows where ``lines``, which count them, aren't printed; `nil` if there is none.
    var quietWarning: String? { get }
    /// For programs.
    var content: any Encodable { get }
}

extension RunningOptionGroup {
    /// Runs a build, shows how far it is, and prints its summary.
    /// - Parameter build: returns the summary, given the duration.
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
