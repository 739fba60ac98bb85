import PyramidTiles

/// Reads comma-separated values (RFC 4180) as people have them.
///
/// The first row that is not empty is the header. Empty lines are not rows. A single delimiter at the end of a row, with
/// nothing after it, is tolerated; every other row needs as many fields as the header.
struct CSVPointReader: PointReader {
    private let input: InputBytes
    private let options: InputOptions

    init(_ input: InputBytes, options: InputOptions = InputOptions()) {
        self.input = input
        self.options = options
    }

    func read(progress: (_ bytesRead: Int, _ byteCount: Int) -> Void) throws(InputError) -> PointTable {
        let header = try CSVHeader(input, options: options)
        var pass = CSVRowPass(header: header, input: input, isStrict: options.isStrict)
        try pass.readRows(progress: progress)
        try pass.dropDuplicateIDs()
        let report = try report(pass, header: header)
        return PointTable(
            longitudes: pass.longitudes, latitudes: pass.latitudes, recordStarts: pass.recordStarts, input: input,
            report: report,
            format: CSVRecordFormat(header: header, types: pass.survey.types, inputName: input.name))
    }

    private func report(_ pass: CSVRowPass, header: CSVHeader) throws(InputError) -> InputReport {
        var report = InputReport()
        report.rowsRead = pass.rowsRead
        report.rowsAccepted = pass.longitudes.count
        report.rowsSkipped = pass.log.counts
        report.examples = pass.log.examples.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
        report.renamedColumns = header.columns.renamed
        report.digest = pass.survey.digest &+ header.digest
        let edge = Int32(WebMercator.maximumLatitude * 1e6)
        report.rowsClamped = pass.latitudes.count { $0 > edge || $0 < -edge }
        if pass.log.latitudesOutOfRange * 2 > pass.rowsRead {
            report.warnings.append("most latitudes are out of range: are latitude and longitude swapped?")
        }
        guard report.rowsAccepted > 0 else { throw noUsableRow(report) }
        return report
    }

    private func noUsableRow(_ report: InputReport) -> InputError {
        guard report.rowsRead > 0 else {
            return InputError(.badData, in: input.name, "has a header and no rows, expected at least one row")
        }
        let reasons = RowProblem.allCases.compactMap { problem in
            report.rowsSkipped[problem].map { "\(problem.rawValue): \($0)" }
        }
        let first = report.examples.first.map { "; first: \($0)" } ?? ""
        let advice = report.warnings.map { "; \($0)" }.joined()
        return InputError(
            .badData, in: input.name,
            "none of \(report.rowsRead) rows is usable (\(reasons.joined(separator: ", ")))\(first)\(advice)")
    }
}
