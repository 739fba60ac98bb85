import ArgumentParser
import Foundation
import PyramidStore
import PyramidTiles

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Summarise a tileset, or print one of its tiles as readable JSON.")

    @Argument(help: ArgumentHelp("A directory written by pyramid build.", valueName: "directory"))
    var path: String

    @Argument(help: ArgumentHelp("A tile, such as 3/4/2. (default: a summary of the tileset)", valueName: "z/x/y"))
    var tile: TileCoordinate?

    func run() throws {
        try reportingErrors {
            let tileset = try existingTileset(at: path)
            if let tile { try show(tile, of: tileset) } else { try showSummary(of: tileset) }
        }
    }

    private func show(_ tile: TileCoordinate, of tileset: any TilesetReader) throws {
        guard let body = try tileset.body(of: tile) else {
            _ = try tileset.manifest()
            Console.error("\(tileset.path(of: tile)): there is no such tile, so no marker is shown there")
            throw Failure.inputMissing
        }
        try StandardOutput.write(JSONIndenter.indented(body))
    }

    private func showSummary(of tileset: any TilesetReader) throws {
        let manifest = try tileset.manifest()
        let tileJSON = try tileset.tileJSON()
        let summary = ManifestSummary(manifest: manifest)
        let input = manifest.input
        try StandardOutput.line("made by   \(manifest.generator)")
        try StandardOutput.line(
            "points    \(NumberText.grouped(input.rowsAccepted)) of \(NumberText.counted(input.rowsRead, "row"))")
        try StandardOutput.line(
            "bounds    \(tileJSON.bounds.map { "\($0)" }.joined(separator: ", ")) (west, south, east, north)")
        for line in summary.lines { try StandardOutput.line(line) }
        try StandardOutput.line("")
        for line in summary.zoomTable { try StandardOutput.line(line) }
        if tileset.isBeingBuilt { Console.warning("a build of this pyramid is under way or was interrupted") }
    }
}

extension TileCoordinate: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
