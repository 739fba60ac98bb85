import PyramidTiles

/// The input, once it is read.
struct InputReading {
    /// The columns, the report and, unless they are in ``spool``, the rows.
    var points: PointTable
    /// Has all rows if they are too many to keep in memory; otherwise `nil`.
    private(set) var spool: RowSpool?

    /// - Parameters:
    ///   - area: the rows of a part and its halo; `nil` for all rows.
    ///   - spooling: when and where rows go to temporary files; `nil` to keep all.
    init(
        _ options: BuildOptions, area: PartArea? = nil, spooling: SpoolOptions? = nil,
        _ progress: @escaping (BuildProgress) -> Void
    ) throws {
        let inputs = try options.inputPaths.map { path in
            try InputBytes(path: path, encoding: options.input.encoding, folder: spooling?.folder) {
                progress(.copying(bytes: $0))
            }
        }
        var spool: RowSpool?
        let reading = Result {
            try PointTable(
                reading: inputs, options: options.input, reservedNames: options.reservedNames, area: area,
                cutting: InputCutting(jobs: options.jobs), spooling: spooling, into: &spool
            ) { progress(.reading(bytes: $0, of: $1)) }
        }
        // If an input was changed meanwhile, that explains any other error.
        for input in inputs { try input.requireUnchanged() }
        points = try reading.get()
        self.spool = spool
        for input in inputs { input.releasePages() }
    }

    /// Moves the rows to a temporary file.
    mutating func spoolRows(in folder: String, jobs: Int) throws {
        let spool = try RowSpool(rowLimit: points.count, folder: folder, name: points.inputs.name, jobs: jobs)
        self.spool = spool
        var rows = points.withoutRows
        swap(&rows, &points)
        try spool.take(rows.rows)
        try spool.finish()
    }
}
