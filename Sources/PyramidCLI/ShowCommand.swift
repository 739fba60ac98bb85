import ArgumentParser
import PyramidPlatform
import PyramidStore
import PyramidTiles

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Summarise a tileset, or print one of its tiles as readable JSON.")

    @Argument(
        help: ArgumentHelp("A directory or an archive written by pyramid build.", valueName: "tileset"),
        completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp("A tile, such as 3/4/2. (default: a summary of the tileset)", valueName: "z/x/y"),
        transform: { try required(TileCoordinate($0), $0, ShowCommand.expectation(for: $0)) })
    var tile: TileCoordinate?

    @Flag(help: "Print the summary as JSON on standard output. A tile is JSON in any case.")
    var json = false

    func run() throws {
        try reportingErrors {
            let tileset = try existingTileset(at: path)
            if let tile {
                try show(tile, of: tileset)
            } else {
                let summary = TilesetSummary(
                    manifest: try tileset.manifest(), tileJSON: try tileset.tileJSON(),
                    isComplete: !tileset.isBeingBuilt)
                if json { try StandardOutput.json(summary.content) } else { try StandardOutput.lines(summary.lines) }
            }
            warnIfIncomplete(tileset)
        }
    }

    /// What is expected instead of the invalid address of a tile.
    private static func expectation(for address: String) -> String {
        guard let match = address.wholeMatch(of: /(\d+)\/\d+\/\d+/), let zoom = Int(match.1) else {
            return "a zoom, a column and a row, such as 3/4/2"
        }
        guard TileCoordinate.zooms.contains(zoom) else { return "a zoom from 0 to \(TileCoordinate.zooms.upperBound)" }
        return "a column and a row from 0 to \(1 << zoom - 1) at zoom \(zoom), without leading zeros"
    }

    private func show(_ tile: TileCoordinate, of tileset: any TilesetReader) throws {
        guard let body = try tileset.json(of: tile) else {
            let options = try tileset.manifest().options
            if let file = try tileset.tileJSON().bundles?.decoded().file(holding: tile) {
                let path = tileset.path(ofFile: tileset.storage.relativePath(of: file))
                Console.error("\(path): is missing, but should hold tile \(tile); build again, or run `pyramid verify`")
            } else {
                let reason =
                    if tile.z > options.maxZoom {
                        "this tileset ends at zoom \(options.maxZoom)"
                    } else if tile.z < options.minZoom {
                        "this tileset begins at zoom \(options.minZoom)"
                    } else {
                        "tiles without markers are not written"
                    }
                Console.error("no tile \(tile): \(reason)")
            }
            throw Failure.inputMissing
        }
        try StandardOutput.json(encoded: JSONIndenter.indented(body))
    }
}

/// The summary that `show` prints.
private struct TilesetSummary {
    let manifest: Manifest
    let tileJSON: TileJSON
    let isComplete: Bool

    /// The bounds of the points. TileJSON's own bounds may be wider.
    private var bounds: [Double] { tileJSON.boundingBox?.degrees ?? tileJSON.bounds }

    var lines: [String] {
        let summary = ManifestSummary(manifest: manifest)
        let input = manifest.input
        return [
            "made by   \(manifest.generator)",
            "points    \(NumberText.grouped(input.rowsAccepted)) of \(NumberText.counted(input.rowsRead, "row"))",
            "bounds    \(bounds.map { "\($0)" }.joined(separator: ", ")) (west, south, east, north)",
        ] + summary.lines + [""] + summary.zoomTable
    }

    /// The summary for programs.
    var content: some Encodable {
        Content(
            bounds: bounds, complete: isComplete, fields: tileJSON.vectorLayers.first?.fields ?? [:],
            generator: manifest.generator, input: manifest.input, maxZoom: tileJSON.maxzoom, minZoom: tileJSON.minzoom,
            name: tileJSON.name, zooms: manifest.zooms)
    }

    private struct Content: Encodable {
        let bounds: [Double]
        let complete: Bool
        let fields: [String: String]
        let generator: String
        let input: Manifest.InputSummary
        let maxZoom, minZoom: Int
        let name: String?
        let zooms: [Manifest.ZoomSummary]
    }
}
