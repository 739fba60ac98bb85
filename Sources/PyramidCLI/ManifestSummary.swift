import PyramidTiles

/// What a tileset contains, in a few lines.
struct ManifestSummary {
    let manifest: Manifest

    var lines: [String] {
        let zooms = manifest.zooms
        let markers = zooms.reduce(0) { $0 &+ $1.markers }
        let clusters = zooms.reduce(0) { $0 &+ $1.clusters }
        let tiles = zooms.reduce(0) { $0 &+ $1.tiles }
        let body = zooms.reduce(0) { $0 &+ $1.bodyBytes }
        let stored = zooms.reduce(0) { $0 &+ $1.storedBytes }
        let isCompressed = manifest.content.storage.compression != .none
        let sizes =
            "\(NumberText.bytes(body)) as \(format)" + (isCompressed ? ", \(NumberText.bytes(stored)) compressed" : "")
        let unclustered = manifest.totals.unclusteredPoints
        let unclusteredLines =
            unclustered == 0 ? [] : ["          \(NumberText.counted(unclustered, "point")) never merged"]
        return [
            "zooms     \(manifest.options.minZoom) to \(manifest.options.maxZoom); \(clustering)",
            "markers   \(NumberText.grouped(markers)), including \(NumberText.counted(clusters, "cluster"))",
        ] + unclusteredLines + dateLines + [
            "tiles     \(NumberText.grouped(tiles))\(layout.remark), \(sizes)"
        ] + archiveLines
    }

    private var dateLines: [String] {
        manifest.content.clusters.filterBy.compactMap { column in
            guard let dates = column.dates, let notation = dates.notation else { return nil }
            let reading =
                switch notation {
                case .iso8601: "dates as in ISO 8601"
                case .years: "years"
                case .days: "days such as 20240305"
                case .seconds, .milliseconds: "\(notation) since 1970"
                case .pattern: "dates as in \(notation)"
                }
            return "filter    \(column.name) by \(dates.unit.rawValue); its values are \(reading)"
        }
    }

    private var archiveLines: [String] {
        guard layout.isOneFile else { return [] }
        let byteCount = ArchiveSection.allCases.reduce(0) { $0 &+ (manifest.files[$1.rawValue]?.bytes ?? 0) }
        return ["archive   \(NumberText.bytes(byteCount)) of tiles and directories; identical tiles are stored once"]
    }

    private var layout: TilesetLayout { manifest.content.storage.layout }
    private var format: String { manifest.content.storage.codec.title }

    /// A header, and one line per zoom.
    var zoomTable: [String] {
        let header = ["zoom", "tiles", "markers", "clusters", format, "stored"]
        let rows = manifest.zooms.map { zoom in
            [
                "\(zoom.zoom)", NumberText.grouped(zoom.tiles), NumberText.grouped(zoom.markers),
                NumberText.grouped(zoom.clusters), NumberText.bytes(zoom.bodyBytes), NumberText.bytes(zoom.storedBytes),
            ]
        }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        return ([header] + rows).map { row in
            zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }
    }

    private var clustering: String {
        let options = manifest.options
        guard options.clusterMaxZoom >= options.minZoom else { return "not clustered" }
        let zooms = "zooms \(options.minZoom)-\(options.clusterMaxZoom)"
        let tileSize = options.tileSize == 256 ? "" : " (\(options.tileSize)-px tiles)"
        var parts = [
            options.mode == .filter ? "points hidden at \(zooms)" : "clusters at \(zooms)",
            "markers at least \(options.clusterDistance) px apart\(tileSize)",
        ]
        if options.position != .anchor { parts.append("drawn at the \(options.position.rawValue)") }
        if options.minPoints > 2 { parts.append("at least \(options.minPoints) points") }
        if let column = options.groupColumn { parts.append("grouped by \(column)") }
        return parts.joined(separator: "; ")
    }
}
