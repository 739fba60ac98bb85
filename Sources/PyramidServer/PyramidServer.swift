import FlyingSocks
import Foundation
import PyramidStore
import PyramidTiles

/// Serves one pyramid over HTTP/1.1, as a static host would, with a page to look at it.
///
/// It is made for looking and for tests, not for the public: what it must bear is that clients are slow, hostile or many.
/// FlyingFox's own HTTP server reads heads of any length, waits without end and stops when it is out of descriptors, so
/// only its sockets are used.
public struct PyramidServer: Sendable {
    private let address: ListeningAddress
    private let responder: PyramidResponder
    var limits = ServerLimits()

    /// - Parameters:
    ///   - tileset: a build may replace it at any time.
    ///   - host: a name or an address; the default can't be reached from other machines.
    ///   - port: 0 takes one that is free.
    ///   - leaflet: the library for the page; `nil` lets the browser fetch it from a content network.
    public init(
        tileset: any TilesetReader, host: String = "127.0.0.1", port: UInt16 = 8080,
        missingTile: MissingTileAnswer = .noContent, leaflet: LocalLeaflet? = LocalLeaflet()
    ) {
        address = ListeningAddress(host: host, port: port)
        responder = PyramidResponder(tileset: tileset, missingTile: missingTile, leaflet: leaflet)
    }

    /// Serves until the task is cancelled.
    /// - Parameter whenListening: is given the URL of the page.
    /// - Throws: ``ListeningError`` where the address can't be used, and what `whenListening` throws.
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
                // The client left at once, or the process is out of descriptors for a moment.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
