import PyramidTiles

extension PointSchema {
    /// Reads the columns of GeoJSON files.
    /// - Parameters:
    ///   - options: decide which rows are accepted.
    ///   - jobs: the number of threads.
    /// - Throws: ``InputError``, also if an input has too many bad rows.
    public init(
        reading paths: [String], options: InputOptions = InputOptions(), jobs: Int = 1
    ) throws(InputError) {
        var columns: [InputColumns] = []
        var skipped: [SkippedRows] = []
        for path in paths {
            let input = try InputBytes(path: path)
            try input.requireReadableFormat()
            try PointSchema.requireGeoJSON(input)
            var reader = GeoJSONPointReader(input, options: options, readsOnlyColumns: true)
            try reader.read(InputCutting(jobs: jobs), store: nil) { _ in }
            try input.requireUnchanged()
            skipped.append(SkippedRows(of: reader, accepted: reader.rows.ignoredCount))
            if reader.rows.ignoredCount > 0 { columns.append(reader.columns) }
        }
        let name = paths.count == 1 ? paths[0] : "\(paths.count) inputs"
        guard !columns.isEmpty else { throw InputError(.badData, in: name, "has no usable row, expected one") }
        try SkippedRows.judge(skipped, all: SkippedRows(skipped, name: name), options)
        self.init(columns)
    }

    /// - Throws: ``InputError`` for CSV, because the type of a CSV column depends on all rows.
    static func requireGeoJSON(_ input: InputBytes) throws(InputError) {
        guard !GeoJSONPointReader.recognises(input), !input.bytes.isEmpty else { return }
        let conversion =
            "ogr2ogr -f GeoJSONSeq points.ndjson \(input.shellWord) -oo 'X_POSSIBLE_NAMES=lon*' "
            + "-oo 'Y_POSSIBLE_NAMES=lat*' -oo AUTODETECT_TYPE=YES"
        throw InputError(
            .usage, in: input.name, "is not GeoJSON, which \(.schema) and parts need; convert it: \(conversion)")
    }
}
