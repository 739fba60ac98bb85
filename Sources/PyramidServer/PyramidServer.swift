import FlyingSocks
import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Serves one tileset over HTTP/1.1 as a static host would, with a page that shows it on a map.
///
/// The server is made for previews and tests, not for the public, but it withstands slow, hostile and numerous clients.
/// It uses only the sockets of FlyingFox, whose HTTP server reads heads of any length, waits forever and stops when it
/// runs out of descriptors.
public struct PyramidServer: Sendable {
    private let address: ListeningAddress
    private let responder: PyramidResponder
    var limits = ServerLimits()

    /// - Parameters:
    ///   - tileset: may be rebuilt at any time.
    ///   - host: a name or an address; the default can't be reached from other machines.
    ///   - port: 0 picks a free one.
    ///   - access: the names by which the server may be called; `host` need not be among them.
    ///   - leaflet: the copy to embed in the page; with `nil` the browser loads it from a CDN.
    ///   - basemap: must have no ``Basemap/problem``.
    public init(
        tileset: any TilesetReader, host: String = "127.0.0.1", port: UInt16 = 8080,
        missingTile: MissingTileAnswer = .noContent, access: ServerAccess = ServerAccess(),
        leaflet: LocalLeaflet? = .installed(), basemap: Basemap? = nil
    ) {
        address = ListeningAddress(host: host, port: port)
        var access = access
        access.allow(host)
        responder = PyramidResponder(
            tileset: tileset, missingTile: missingTile, access: access, leaflet: leaflet, basemap: basemap)
    }

    /// Serves until the task is cancelled.
    /// - Parameter whenListening: receives the URL of the page.
    /// - Throws: ``ListeningError`` if the address can't be used, and any error of `whenListening`.
    public func run(whenListening: @escaping @Sendable (String) throws -> Void) async throws {
        let socket = try address.listen()
        defer { try? socket.close() }
        let pool: some AsyncSocketPool = .make()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: socket, pool: pool)
        let table = ConnectionTable(limits: limits)
        try whenListening(try address.url(of: socket))
        try await withThrowingTaskGroup { group in
            group.addTask { try await pool.run() }
            group.addTask { try await table.watch() }
            group.addTask { try await accept(from: listener, into: table) }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch {
                await table.closeAll()
                throw error
            }
        }
    }

    private func accept(from listener: AsyncSocket, into table: ConnectionTable) async throws {
        while true {
            try Task.checkCancellation()
            do {
                let socket = try await listener.accept()
                let (responder, limits) = (responder, limits)
                await table.open { number in
                    let connection = ClientConnection(socket: socket, responder: responder, limits: limits) {
                        await table.noteProgress(of: number)
                    }
                    await connection.run()
                }
            } catch SocketError.failed(_, let code, _) where code != EBADF && code != EINVAL {
                // The client left at once, or the process is briefly out of descriptors.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
