import ArgumentParser
import PyramidServer
import PyramidTiles

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a tileset over HTTP, with a page that shows it on a map.",
        discussion: "Prints the URL of the page and runs until you stop it (Ctrl-C).")

    @Argument(help: ArgumentHelp("A directory written by pyramid build.", valueName: "directory"))
    var path: String

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one.", valueName: "n"))
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 lets other machines in.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "The answer for a tile that doesn't exist: 204, 404, or a tile without features (empty).",
            valueName: "204|404|empty"))
    var missing = MissingTileAnswer.noContent

    func run() throws {
        Interruption.allow()
        try reportingErrors {
            let tileset = try existingTileset(at: path)
            _ = try tileset.manifest()
            let server = PyramidServer(tileset: tileset, host: host, port: port, missingTile: missing)
            try waiting(for: { try await server.run { url in try StandardOutput.line(url) } })
        }
    }
}

extension MissingTileAnswer: ExpressibleByArgument {}
