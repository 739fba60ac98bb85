import ArgumentParser
import Dispatch
import PyramidServer
import PyramidTiles
import Synchronization

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a tileset over HTTP, with a page that shows it on a map.",
        discussion: "Prints the URL of the page and runs until you stop it (Ctrl-C).")

    @Argument(help: ArgumentHelp("A directory written by pyramid build.", valueName: "tileset"))
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

    @OptionGroup(title: "The page") var basemap: BasemapOptionGroup

    func run() throws {
        Interruption.allow()
        try reportingErrors {
            let tileset = try existingTileset(at: path)
            _ = try tileset.manifest()
            let server = PyramidServer(
                tileset: tileset, host: host, port: port, missingTile: missing, basemap: basemap.value)
            try waiting(for: { try await server.run { url in try StandardOutput.line(url) } })
        }
    }
}

extension MissingTileAnswer: ExpressibleByArgument {}

/// Runs asynchronous work to its end.
///
/// Commands are synchronous, because an asynchronous main function starts with threads of its own, and ``Interruption`` must
/// come before all of them.
private func waiting(for work: @escaping @Sendable () async throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do { try await work() } catch { failure.withLock { $0 = error } }
        isDone.signal()
    }
    isDone.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
