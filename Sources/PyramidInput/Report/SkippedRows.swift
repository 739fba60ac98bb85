import PyramidTiles

/// The rows that an input, or all parts together, skipped: what a ``SkipLimit`` judges.
package struct SkippedRows {
    /// The name of the input, for messages.
    package let name: String
    /// The number of rows, accepted or skipped.
    package var rowsRead: Int
    /// The number of skipped rows by reason.
    package var counts: [RowProblem: Int]
    /// The first few of every reason, in the order of their lines.
    package var examples: [(problem: RowProblem, error: InputError)] = []
    /// What could help.
    var advice: [OptionMessage] = []
    /// Those that no limit applies to, once they are left out of `counts`.
    var harmless: [RowProblem: Int] = [:]

    package init(
        name: String, rowsRead: Int, counts: [RowProblem: Int],
        examples: [(problem: RowProblem, error: InputError)] = [], advice: [OptionMessage] = [],
        harmless: [RowProblem: Int] = [:]
    ) {
        self.name = name
        self.rowsRead = rowsRead
        self.counts = counts
        self.examples = examples
        self.advice = advice
        self.harmless = harmless
    }

    private var count: Int { counts.values.reduce(0, +) }

    /// Without the rows that no limit applies to.
    /// - Parameter hasRepeatedIDs: whether rows whose ids are repeated are included.
    private func bad(hasRepeatedIDs: Bool) -> SkippedRows {
        var bad = self
        let isBad = { (problem: RowProblem) in !problem.isHarmless && (hasRepeatedIDs || problem != .duplicateID) }
        bad.counts = counts.filter { isBad($0.key) }
        bad.harmless = counts.filter { $0.key.isHarmless }
        bad.rowsRead -= count - bad.count
        bad.examples = examples.filter { isBad($0.problem) }
        return bad
    }

    /// Repeated ids are a fault of all inputs together, so they count among the bad rows of all.
    /// - Parameter all: the rows of all inputs.
    /// - Throws: ``InputError`` for the first input with more bad rows than allowed. It names the least
    ///   ``InputOptions/maxSkipped`` that allows those of all inputs.
    package static func judge(_ inputs: [SkippedRows], all: SkippedRows, _ options: InputOptions) throws(InputError) {
        let limit = options.isStrict ? .rows(0) : options.maxSkipped ?? .standard
        var bad = inputs.count == 1 ? [] : inputs.map { $0.bad(hasRepeatedIDs: false) }
        if inputs.count == 1 || all.counts[.duplicateID] != nil { bad.append(all.bad(hasRepeatedIDs: true)) }
        let judged = options.isStrict ? inputs : bad
        guard let first = judged.first(where: { !limit.allows($0.count, of: $0.rowsRead) }) else { return }
        var problem = first.sentence(limit, options)
        if !first.harmless.isEmpty {
            let sum = NumberText.grouped(first.harmless.values.reduce(0, +))
            problem = problem + "; \(sum) more \(sum == "1" ? "doesn't" : "don't") count (\(first.harmless.reasons))"
        }
        for details in first.details { problem = problem + "; \(details)" }
        let cure = limit.raised(toAllow: bad.map { ($0.count, $0.rowsRead) })
        problem = problem + "; to build without these rows, use \(.maxSkipped) \(cure)"
        throw InputError(.badData, in: first.name, problem + (options.isStrict ? " instead of \(.strict)" : ""))
    }

    /// How many rows were skipped and why, and how many may be.
    private func sentence(_ limit: SkipLimit, _ options: InputOptions) -> OptionMessage {
        let share = limit.raised(toAllow: [(count, rowsRead)])
        let percent = share == .rows(count) ? "" : ", \(share)"
        let skipped: OptionMessage =
            "skipped \(NumberText.grouped(count)) of \(NumberText.counted(rowsRead, "row"))\(percent) (\(counts.reasons))"
        if options.isStrict { return "\(skipped), expected none (\(.strict))" }
        return "\(skipped), expected at most \(limit)" + (options.maxSkipped == nil ? "" : " (\(.maxSkipped))")
    }

    /// The first rows with different problems, and what could help.
    private var details: [OptionMessage] {
        var shown: Set<RowProblem> = []
        let first = examples.filter { shown.insert($0.problem).inserted }.prefix(3)
        return first.map(\.error.message) + advice
    }
}

extension [RowProblem: Int] {
    /// The reasons for skipping rows, with their counts.
    var reasons: String {
        RowProblem.allCases.compactMap { problem in
            self[problem].map { "\(problem.rawValue): \(NumberText.grouped($0))" }
        }.joined(separator: ", ")
    }
}

extension SkippedRows {
    /// Those of all inputs.
    /// - Parameter repetition: the first id that is repeated, and what helps; `nil` if none is.
    package init(_ inputs: [SkippedRows], name: String, repetition: OptionMessage? = nil) {
        self.init(
            name: name, rowsRead: inputs.reduce(0) { $0 + $1.rowsRead },
            counts: inputs.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) })
        // The repetition says more than examples of repeated ids do.
        examples = inputs.flatMap(\.examples).filter { $0.problem != .duplicateID }
        advice = inputs.flatMap(\.advice) + (repetition.map { [$0] } ?? [])
    }

    /// - Parameter accepted: how many rows were accepted.
    package init(of reader: any PointReader, accepted: Int) {
        let log = reader.rows.log
        self.init(
            name: reader.input.name, rowsRead: accepted + log.count, counts: log.counts,
            examples: log.errors(in: reader.input).map { ($0.problem, $0.error) },
            advice: InputAdvice(for: reader).warnings)
    }
}
