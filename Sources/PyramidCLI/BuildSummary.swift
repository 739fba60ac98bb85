import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidParts
import PyramidPlatform
import PyramidStore
import PyramidTiles

/// What `build` prints at its end.
struct BuildSummary: BuildRunSummary {
    let report: BuildReport
    let duration: Duration
    /// Whether the preview page, if there is one, contains Leaflet.
    let hasLeaflet: Bool

    /// Lines for people to read.
    var lines: [String] {
        let input = report.input
        var lines = input.rowLines
        if !input.columns.isEmpty { lines.append("columns   \(columns)") }
        for column in input.renamedColumns {
            lines.append(
                column.from.isEmpty
                    ? "          a column without a name is written as \"\(column.to)\""
                    : "          \"\(column.from)\" is written as \"\(column.to)\" because the name is taken")
        }
        let bounds = report.bounds.degrees.map { "\($0)" }.joined(separator: ", ")
        lines.append("bounds    \(bounds) (west, south, east, north)")
        if !report.changedOptions.isEmpty { lines.append("options   not those of the last build: \(changedOptions)") }
        if let choice = report.maxZoomChoice { lines.append("max zoom  \(text(of: choice))") }
        lines += ManifestSummary(manifest: report.manifest).lines
        lines.append("          \(text(of: report.changes))")
        if let line = fileCountLine { lines.append("          \(line)") }
        if let largest = report.largestTile { lines.append("largest   \(text(of: largest))") }
        let memory = NumberText.bytes(SystemMemory().peakBytes)
        if report.manifest.files[TilesetMetadata.previewName] != nil {
            let content = hasLeaflet ? "contains Leaflet and works offline" : PageOptionGroup.needsNetwork
            lines.append("preview   \(TilesetMetadata.previewName) \(content)")
        }
        if let parts = report.partwise { lines.append("parts     \(text(of: parts))") }
        // The limit is about memory of the build's own; the system can take the pages of mapped files back.
        let included = report.partwise == nil ? "" : ", mapped files included"
        lines.append("time      \(NumberText.seconds(duration)), peak memory \(memory)\(included)")
        return lines
    }

    /// The columns and their types, cut short after ``shownColumns``.
    private var columns: String {
        let all = report.input.columns
        let shown = all.prefix(all.count == BuildSummary.shownColumns + 1 ? all.count : BuildSummary.shownColumns)
        let texts = shown.map { column in
            let isPlain = column.name.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            let name = isPlain && !column.name.isEmpty ? column.name : "\"\(column.name)\""
            return "\(name) \(column.content.name)\(column.isID ? " (id)" : "")"
        }
        return texts.joined(separator: ", ") + (all.count > shown.count ? " and \(all.count - shown.count) more" : "")
    }

    private static let shownColumns = 12

    private var changedOptions: String {
        report.changedOptions.map { "\($0.name) is \($0.now ?? "not given"), was \($0.before ?? "not given")" }
            .joined(separator: "; ")
    }

    private func text(of changes: TilesetOutcome.Changes) -> String {
        "\(NumberText.grouped(changes.written)) written, \(NumberText.grouped(changes.unchanged)) unchanged, "
            + "\(NumberText.grouped(changes.removed)) removed"
    }

    private func text(of tile: LargestTile) -> String {
        "\(tile.tile): \(NumberText.counted(tile.markerCount, "marker")), \(NumberText.bytes(tile.storedBytes))"
    }

    /// Warnings about tiles that load slowly, each with an option that makes them smaller.
    var largeTileWarnings: [String] {
        let fullest = report.fullestTile.flatMap { $0.tile == report.largestTile?.tile ? nil : $0 }
        return [report.largestTile, fullest].compactMap { tile in
            guard let tile, let cure = tile.cure(report.manifest.options, report.manifest.content.clusters) else {
                return nil
            }
            return "tile \(tile.tile) has \(NumberText.counted(tile.countedMarkers, "marker")) "
                + "(\(NumberText.bytes(tile.countedBytes))), and clients load it as a whole; "
                + "\(cure.withFlags) would make it smaller"
        }
    }

    private func text(of choice: MaxZoomChoice) -> String {
        let share = "\(Int(choice.aloneShare * 100))% of \(NumberText.counted(choice.placeCount, "different place"))"
        let reason =
            switch choice.reason {
            case .enough: "\(share) stand alone there"
            case .lastGain where choice.zoom == choice.highestZoom:
                "it is the highest zoom that auto picks, and \(share) stand alone there"
            case .lastGain:
                "\(share) stand alone there, and no higher zoom up to \(choice.highestZoom) separates 1% more"
            case .noGain: "\(share) stand alone there, and no zoom up to \(choice.highestZoom) separates 1% more"
            case .tiles: "\(share) stand alone there, and higher zooms add over 3 tiles for each place they separate"
            case .onePlace: choice.placeCount == 1 ? "there is only one place" : "there is nothing to cluster"
            case .givenZooms: "--min-zoom or --cluster-maxzoom allows no lower zoom"
            }
        return "\(choice.zoom) was chosen: \(reason)"
    }

    private func text(of parts: PartwiseReport) -> String {
        let limit = NumberText.bytes(parts.limitBytes)
        return
            "in \(NumberText.counted(parts.partCount, "part")), because about \(NumberText.bytes(parts.neededBytes)) "
            + "of memory would be needed at once and "
            + (parts.isAvailable ? "\(limit) is available" : "--memory-limit is \(limit)")
    }

    /// A hint if there are very many files.
    private var fileCountLine: String? {
        let storage = report.manifest.content.storage
        let fileCount = report.changes.written + report.changes.unchanged
        guard storage.layout == .files, fileCount > 100_000 else { return nil }
        return "\(NumberText.grouped(fileCount)) files are slow to publish; "
            + (storage.codec.canBeBundled
                ? "--bundle 256 writes far fewer" : "an output ending in .pmtiles is one file")
    }

    var warnings: [String] { report.warnings.map(\.withFlags) + largeTileWarnings }

    var quietWarning: String? { report.input.skippedRowsWarning(besides: report.warnings) }

    /// The summary for programs.
    var content: any Encodable {
        Content(
            input: report.manifest.input, columns: report.input.columns.map { .init($0) }, zooms: report.manifest.zooms,
            largestTile: report.largestTile.map { .init($0) },
            parts: report.partwise?.partCount, tiles: report.changes,
            warnings: warnings, notes: report.input.notes.map(\.withFlags),
            examples: report.input.examples.map(\.message.withFlags),
            seconds: duration / .seconds(1),
            peakMemoryBytes: SystemMemory().peakBytes)
    }

    private struct Content: Encodable {
        struct Column: Encodable {
            let name, type: String
            let isId: Bool

            init(_ column: InputReport.Column) {
                (name, type, isId) = (column.name, column.content.name, column.isID)
            }
        }

        struct Tile: Encodable {
            let tile: String
            let markers, storedBytes: Int

            init(_ tile: LargestTile) {
                (self.tile, markers, storedBytes) = (tile.tile.description, tile.markerCount, tile.storedBytes)
            }
        }
        let input: Manifest.InputSummary
        let columns: [Column]
        let zooms: [Manifest.ZoomSummary]
        let largestTile: Tile?
        /// In how many parts it was built; absent if in memory.
        let parts: Int?
        let tiles: TilesetOutcome.Changes
        /// What is odd about accepted rows; `warnings` repeat what may be a mistake.
        let warnings, notes, examples: [String]
        let seconds: Double
        let peakMemoryBytes: Int
    }
}

extension InputReport {
    /// How many rows were accepted, clamped and skipped, with examples.
    var rowLines: [String] {
        var lines = [
            "rows      \(NumberText.grouped(rowsRead)) read, \(NumberText.grouped(rowsAccepted)) accepted, "
                + "\(NumberText.grouped(rowsRead - rowsAccepted)) skipped"
        ]
        if rowsClamped > 0 {
            lines.append(
                "          \(NumberText.grouped(rowsClamped)) beyond latitude 85.0511, moved to the edge of the map")
        }
        lines += notes.map { "          \($0.withFlags)" }
        for (problem, count) in rowsSkipped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("          \(NumberText.grouped(count)) skipped: \(problem.rawValue)")
        }
        return lines + examples.map { "            \($0.message.withFlags)" }
    }

    /// The warning about bad rows, which must always be shown; `nil` if there are none, or if `warnings` have it already.
    func skippedRowsWarning(besides warnings: [OptionMessage]) -> String? {
        skippedRows.flatMap { hasBadRows && !warnings.contains($0) ? $0.withFlags : nil }
    }
}
