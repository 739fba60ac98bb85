import ArgumentParser
import PyramidPlatform
import PyramidServer
import PyramidStore
import PyramidTiles
import Synchronization

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a tileset over HTTP, with a page that shows it on a map.",
        discussion: "Prints the URL of the page and runs until you stop it (Ctrl-C).")

    @Argument(
        help: ArgumentHelp("A directory or an archive written by pyramid build.", valueName: "tileset"),
        completion: .file())
    var path: String

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one.", valueName: "n"))
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 lets other machines in.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            """
            Another name of this server, such as my-mac.local. Requests to other names than localhost are refused; IP \
            addresses are accepted. Can be repeated.
            """, valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Let pages of this origin read the tiles, such as https://example.org, or * for all. Pages of localhost \
            and of this server's own host may always. Can be repeated.
            """, valueName: "origin"))
    var cors: [String] = []

    @Option(
        help: ArgumentHelp(
            "The answer for a tile that doesn't exist: 204, 404, or a tile without features (empty).",
            valueName: "204|404|empty"))
    var missing = MissingTileAnswer.noContent

    @Flag(name: .customLong("open"), help: "Open the page in the browser.")
    var opensBrowser = false

    @OptionGroup(title: "The page") var page: PageOptionGroup

    func validate() throws { _ = try access() }

    private func access() throws -> ServerAccess {
        do throws(ServerAccess.InvalidEntry) {
            return try ServerAccess(hosts: allowHost, origins: cors) { "use --allow-host \($0)" }
        } catch {
            switch error {
            case .host(let text):
                throw ValidationError("--allow-host takes a name, such as my-mac.local, found \"\(text)\"")
            case .origin(let text):
                throw ValidationError("--cors takes an origin, such as https://example.org, or *; found \"\(text)\"")
            }
        }
    }

    func run() throws {
        Interruption.allow()
        try reportingErrors {
            let tileset = try existingTileset(at: path)
            _ = try tileset.manifest()
            try ServeCommand.checkResources()
            warnIfIncomplete(tileset)
            let leaflet = try page.localLeaflet()
            let server = PyramidServer(
                tileset: tileset, host: host, port: port, missingTile: missing, access: try access(), leaflet: leaflet,
                basemap: page.basemapValue)
            try waiting(for: { [opensBrowser] in
                try await server.run { url in
                    try StandardOutput.line(url)
                    if leaflet == nil { Console.line("the page \(PageOptionGroup.needsNetwork)") }
                    if opensBrowser { ServeCommand.openBrowser(at: url) }
                }
            })
        }
    }

    /// Dispatch, on which the server runs, waits for ever where it gets no thread, and crashes where it gets no descriptor.
    private static func checkResources() throws {
        // One for each core, one for timers, and one for the sockets.
        guard WorkerThread.areAvailable(ProcessInfo.processInfo.activeProcessorCount + 2) else {
            Console.error("the system allows too few threads for a server")
            throw Failure.notEnoughResources
        }
        // Timers take three, the sockets three, a client two.
        let descriptors = (0..<8).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        let reason = descriptors.contains(-1) ? OutputError.lastReason() : nil
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        if let reason {
            Console.error("a server needs more open files: \(reason)")
            throw Failure.readOrWrite
        }
    }

    /// Opens the URL without waiting for the browser. A failure is only a warning.
    private static func openBrowser(at url: String) {
        #if os(macOS)
            let opener = "open"
        #else
            let opener = "xdg-open"
        #endif
        @Sendable func warn(_ reason: String) {
            Console.warning("no browser was opened: \(reason); open \(url) yourself")
        }
        do {
            let process = try ChildProcess(
                path: "/usr/bin/env", [opener, url], environment: ProcessInfo.processInfo.environment)
            _ = WorkerThread {
                switch process.exitCode() {
                case 0: break
                case 127: warn("\(opener) is not installed")
                case let code: warn("\(opener) failed with exit code \(code)")
                }
            }
        } catch {
            warn("\(error)")
        }
    }
}

extension MissingTileAnswer: ExpressibleByArgument {}

/// Runs asynchronous work to its end.
///
/// Commands are synchronous because an asynchronous main function starts threads before it runs, and ``Interruption``
/// must block the signals before any thread starts.
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
