import PyramidInput
import PyramidTiles

/// The input, once it is read.
package struct InputReading {
    /// The columns, the report and, unless they are in ``spool``, the rows.
    package var points: PointTable
    private let store: RowSpool?

    /// - Parameters:
    ///   - selection: the rows to read; `nil` for all.
    ///   - spooling: when and where rows go to temporary files; `nil` to keep all.
    package init(
        _ options: BuildOptions, selection: (any RowSelection)? = nil, spooling: SpoolOptions? = nil,
        _ progress: @escaping (BuildProgress) -> Void
    ) throws {
        let inputs = try options.inputPaths.map { path in
            try InputBytes(path: path, folder: spooling?.memory.folder) {
                progress(.copying(bytes: $0))
            }
        }
        let spool = spooling.map { RowSpool($0, of: InputSequence(inputs), jobs: options.jobs) }
        let reading = Result {
            try PointTable(
                reading: inputs, options: options.readingOptions, schema: options.schema, selection: selection,
                cutting: InputCutting(jobs: options.jobs), spool: spool
            ) { progress(.reading(bytes: $0, of: $1)) }
        }
        // If an input was changed meanwhile, that explains any other error.
        for input in inputs { try input.requireUnchanged() }
        points = try reading.get()
        store = spool
        for input in inputs { input.releasePages() }
    }

    /// Has all rows if they are too many to keep in memory; otherwise `nil`.
    package var spool: RowSpool? { store.flatMap { $0.count > 0 ? $0 : nil } }

    /// Moves the rows to a temporary file.
    package mutating func spoolRows() throws {
        var rows = points.withoutRows
        swap(&rows, &points)
        store?.input = nil
        try store?.take(rows.rows)
        try store?.finish()
    }
}
