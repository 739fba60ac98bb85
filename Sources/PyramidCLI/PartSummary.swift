import PyramidBuild
import PyramidTiles

/// What the build of a part prints at its end.
struct PartSummary {
    let report: PartReport

    var lines: [String] {
        let tiles = report.zooms.reduce(0) { $0 + $1.tiles }
        let input = report.input
        return [
            "part      \(report.part.tile), zooms beyond \(report.part.cutZoom)",
            "rows      \(NumberText.grouped(input.rowsRead)) read, \(NumberText.grouped(input.rowsAccepted)) accepted, "
                + "\(NumberText.grouped(report.haloRows)) more around the part",
            "tiles     \(NumberText.grouped(tiles))",
            "handed on \(NumberText.counted(report.markersHandedOver, "marker")) of zoom \(report.part.cutZoom)",
        ] + input.examples.map { "          \($0.message.withFlags)" }
    }
}
