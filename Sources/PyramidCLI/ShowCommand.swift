import ArgumentParser
import Foundation
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
            let directory = TileDirectory(path: path)
            if let tile { try show(tile, of: directory) } else { try showSummary(of: directory) }
        }
    }

    private func show(_ tile: TileCoordinate, of directory: TileDirectory) throws {
        guard let body = try directory.body(of: tile) else {
            _ = try directory.manifest()
            Console.error("\(directory.path(of: tile)): there is no such tile, so no marker is shown there")
            throw Failure.inputMissing
        }
        FileHandle.standardOutput.write(Data(JSONIndenter.indented(body)))
    }

    private func showSummary(of directory: TileDirectory) throws {
        let manifest = try directory.manifest()
        let tileJSON = try directory.tileJSON()
        let summary = ManifestSummary(manifest: manifest)
        let input = manifest.input
        print("made by   \(manifest.generator)")
        print("points    \(NumberText.grouped(input.rowsAccepted)) of \(NumberText.counted(input.rowsRead, "row"))")
        print("bounds    \(tileJSON.bounds.map { "\($0)" }.joined(separator: ", ")) (west, south, east, north)")
        for line in summary.lines { print(line) }
        print("")
        for line in summary.zoomTable { print(line) }
        if directory.isBeingBuilt { Console.warning("a build of this pyramid is under way or was interrupted") }
    }
}

extension TileCoordinate: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
