import PyramidParts
import PyramidStore
import PyramidTiles

/// The closing summary of a build of a part.
struct PartSummary: BuildRunSummary {
    let report: PartReport
    let duration: Duration

    /// Lines for people to read.
    var lines: [String] {
        let tiles = report.zooms.reduce(0) { $0 + $1.tiles }
        return ["part      \(report.part.tile), zooms from \(report.part.cutZoom + 1)"] + report.input.rowLines + [
            "halo      \(NumberText.grouped(report.haloRows)) rows around the part",
            "tiles     \(NumberText.grouped(tiles))",
            "join      \(NumberText.counted(report.markersHandedOver, "marker")) of zoom \(report.part.cutZoom)",
            "time      \(NumberText.seconds(duration)), peak memory \(NumberText.bytes(SystemMemory().peakBytes))",
        ]
    }

    var warnings: [String] { report.warnings.map(\.withFlags) }

    var quietWarning: String? { report.input.skippedRowsWarning(besides: report.warnings) }

    /// The summary for programs.
    var content: any Encodable {
        Content(
            part: report.part.tile.description, cutZoom: report.part.cutZoom, input: report.inputSummary,
            haloRows: report.haloRows, zooms: report.zooms, markersHandedOver: report.markersHandedOver,
            warnings: warnings, examples: report.input.examples.map(\.message.withFlags),
            seconds: duration / .seconds(1), peakMemoryBytes: SystemMemory().peakBytes)
    }

    private struct Content: Encodable {
        let part: String
        let cutZoom: Int
        let input: Manifest.InputSummary
        let haloRows: Int
        let zooms: [Manifest.ZoomSummary]
        let markersHandedOver: Int
        let warnings, examples: [String]
        let seconds: Double
        let peakMemoryBytes: Int
    }
}
