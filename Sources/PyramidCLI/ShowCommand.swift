import ArgumentParser
import Foundation
import PyramidStore
import PyramidTiles

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what is in a pyramid, or one of its tiles as readable JSON.")

    @Argument(help: ArgumentHelp("A directory that pyramid build has written.", valueName: "directory"))
    var path: String

    @Argument(help: ArgumentHelp("A tile, for example 3/4/2. (default: the whole pyramid)", valueName: "z/x/y"))
    var tile: TileCoordinate?

    func run() throws {
        try reportingErrors {
            let directory = try existingPyramid(at: path)
            if let tile { try show(tile, of: directory) } else { try showSummary(of: directory) }
        }
    }

    private func show(_ tile: TileCoordinate, of directory: TileDirectory) throws {
        guard let body = try directory.body(of: tile) else {
            _ = try directory.manifest()
            Console.error("\(directory.path(of: tile)): there is no such tile, so no marker is shown there")
            throw Failure.inputMissing
        }
        try StandardOutput.write(JSONIndenter.indented(body))
    }

    private func showSummary(of directory: TileDirectory) throws {
        let manifest = try directory.manifest()
        let tileJSON = try directory.tileJSON()
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
        if directory.isBeingBuilt { Console.warning("a build of this pyramid is under way or was interrupted") }
    }
}

extension TileCoordinate: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
