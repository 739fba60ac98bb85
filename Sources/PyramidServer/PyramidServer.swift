import FlyingSocks
import Foundation
import PyramidStore
import PyramidTiles

/// Serves one tileset over HTTP/1.1 as a static host would, along with a page to look at it.
///
/// It is meant for previews and tests, not for the public, but it must withstand slow, hostile and numerous clients.
/// FlyingFox's own HTTP server reads heads of any length, waits forever and stops when it runs out of descriptors, so
/// only its sockets are used.
public struct PyramidServer: Sendable {
    private let address: ListeningAddress
    private let responder: PyramidResponder
    var limits = ServerLimits()

    /// - Parameters:
    ///   - tileset: may be rebuilt at any time.
    ///   - host: a name or an address; the default can't be reached from other machines.
    ///   - port: 0 picks a free one.
    ///   - leaflet: the library for the page; with `nil` the browser loads it from a CDN.
    public init(
        tileset: any TilesetReader, host: String = "127.0.0.1", port: UInt16 = 8080,
        missingTile: MissingTileAnswer = .noContent, leaflet: LocalLeaflet? = LocalLeaflet()
    ) {
        address = ListeningAddress(host: host, port: port)
        responder = PyramidResponder(tileset: tileset, missingTile: missingTile, leaflet: leaflet)
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

/// How the server answers for a tile that doesn't exist because it holds no points.
public enum MissingTileAnswer: String, CaseIterable, Sendable {
    /// 204 No Content.
    case noContent = "204"
    /// 404 Not Found, as most static hosts do.
    case notFound = "404"
    /// 200 with an empty FeatureCollection, for clients that treat 204 and 404 as failures.
    case empty
}

/// Limits on what a client may take from the server and from other clients.
struct ServerLimits: Sendable {
    /// The longest head of a request, in bytes.
    var headBytes = 16 << 10
    /// The number of open connections; beyond it, the one that has been idle longest is closed.
    var connections = 256
    /// How long a client may take to send a head, or to receive the next piece of a response.
    var patience = Duration.seconds(15)
    /// The size of such a piece.
    let pieceBytes = 64 << 10
}
