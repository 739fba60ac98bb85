import PyramidTiles

/// The rows that an input, or all parts together, skipped: what a ``SkipLimit`` judges.
struct SkippedRows {
    /// The name of the input, for messages.
    let name: String
    /// The number of rows, accepted or skipped.
    var rowsRead: Int
    /// The number of skipped rows by reason.
    var counts: [RowProblem: Int]
    /// The first few of every reason, in the order of their lines.
    var examples: [(problem: RowProblem, error: InputError)] = []
    /// What could help.
    var advice: [OptionMessage] = []

    private var count: Int { counts.values.reduce(0, +) }

    /// The rows with or without the problems that no limit applies to.
    private func filtered(isHarmless: Bool) -> SkippedRows {
        var filtered = self
        filtered.counts = counts.filter { $0.key.isHarmless == isHarmless }
        filtered.rowsRead -= count - filtered.count
        filtered.examples = examples.filter { $0.problem.isHarmless == isHarmless }
        return filtered
    }

    /// - Throws: ``InputError`` for the first input with more bad rows than allowed. It names the least
    ///   ``InputOptions/maxSkipped`` that allows those of all inputs.
    static func judge(_ inputs: [SkippedRows], _ options: InputOptions) throws(InputError) {
        let limit = options.isStrict ? .rows(0) : options.maxSkipped ?? .standard
        let bad = inputs.map { $0.filtered(isHarmless: false) }
        let judged = options.isStrict ? inputs : bad
        guard let first = judged.firstIndex(where: { !limit.allows($0.count, of: $0.rowsRead) }) else { return }
        var problem = judged[first].sentence(limit, options)
        let uncounted = inputs[first].filtered(isHarmless: true)
        if !options.isStrict, uncounted.count > 0 {
            let count = NumberText.grouped(uncounted.count)
            problem = problem + "; \(count) more \(count == "1" ? "doesn't" : "don't") count (\(uncounted.reasons))"
        }
        for details in judged[first].details { problem = problem + "; \(details)" }
        let cure = limit.raised(toAllow: bad.map { ($0.count, $0.rowsRead) })
        problem = problem + "; to build without these rows, use \(.maxSkipped) \(cure)"
        if options.isStrict { problem = problem + " instead of \(.strict)" }
        throw InputError(.badData, in: judged[first].name, problem)
    }

    /// How many rows were skipped and why, and how many may be.
    private func sentence(_ limit: SkipLimit, _ options: InputOptions) -> OptionMessage {
        let share = limit.raised(toAllow: [(count, rowsRead)])
        let percent = share == .rows(count) ? "" : ", \(share)"
        let skipped: OptionMessage =
            "skipped \(NumberText.grouped(count)) of \(NumberText.counted(rowsRead, "row"))\(percent) (\(reasons))"
        if options.isStrict { return "\(skipped), expected none (\(.strict))" }
        return "\(skipped), expected at most \(limit)" + (options.maxSkipped == nil ? "" : " (\(.maxSkipped))")
    }

    /// The first rows with different problems, and what could help.
    private var details: [OptionMessage] {
        var shown: Set<RowProblem> = []
        let first = examples.filter { shown.insert($0.problem).inserted }.prefix(SkippedRows.shownExamples)
        return first.map(\.error.message) + advice
    }

    private static let shownExamples = 3

    /// The reasons for skipping rows, with their counts.
    var reasons: String {
        RowProblem.allCases.compactMap { problem in
            counts[problem].map { "\(problem.rawValue): \(NumberText.grouped($0))" }
        }.joined(separator: ", ")
    }
}

extension SkippedRows {
    /// - Parameter accepted: how many rows were accepted.
    init(of reader: any PointReader, accepted: Int) {
        let log = reader.rows.log
        self.init(
            name: reader.input.name, rowsRead: accepted + log.count, counts: log.counts,
            examples: log.errors(in: reader.input).map { ($0.problem, $0.error) },
            advice: InputAdvice(for: reader).warnings)
    }
}
