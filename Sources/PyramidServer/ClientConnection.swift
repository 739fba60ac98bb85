import FlyingSocks
import PyramidPlatform

/// A client's connection: reads requests and answers them one after the other.
struct ClientConnection {
    let socket: AsyncSocket
    let responder: PyramidResponder
    let limits: ServerLimits
    /// Called when the client has sent a head or received a piece of a response.
    let noteProgress: () async -> Void

    /// Answers until the client leaves, closes the connection or breaks the protocol; then closes the connection.
    func run() async {
        defer { try? socket.close() }
        do {
            var received = ReceivedHeads(limitBytes: limits.headBytes)
            while try await answerNext(&received) {}
            try await close()
        } catch {
            // The client left or was too slow.
        }
    }

    /// - Returns: whether another request may follow.
    private func answerNext(_ received: inout ReceivedHeads) async throws -> Bool {
        do {
            let head = try await nextHead(&received)
            await noteProgress()
            let request = try RequestHead(head)
            try await send(responder.response(to: request), keepsAlive: request.keepsAlive, hasBody: !received.isHEAD)
            return request.keepsAlive
        } catch let status as ResponseStatus {
            try await send(Response(status, text: status.phrase), keepsAlive: false, hasBody: !received.isHEAD)
            return false
        }
    }

    private func nextHead(_ received: inout ReceivedHeads) async throws -> [UInt8] {
        while true {
            if let head = try received.next() { return head }
            received.append(try await socket.read(atMost: 4096))
        }
    }

    private func send(_ response: Response, keepsAlive: Bool, hasBody: Bool) async throws {
        try await write(response.head(keepsAlive: keepsAlive))
        guard response.mayHaveBody, hasBody else { return }
        switch response.body {
        case .bytes(let bytes): try await write(bytes)
        case .file(let file, let range):
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: limits.pieceBytes) {
                // Throws if the file was shortened meanwhile, so that the Content-Length is wrong.
                try await write(file.bytes(offset..<min(offset + limits.pieceBytes, range.upperBound)))
            }
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        for start in stride(from: 0, to: bytes.count, by: limits.pieceBytes) {
            // A socket that never waits doesn't notice cancellation.
            try Task.checkCancellation()
            try await socket.write(Data(bytes[start..<min(start + limits.pieceBytes, bytes.count)]))
            await noteProgress()
        }
    }

    /// Gives the client time to read the last response: closing a connection with unread bytes would discard it.
    private func close() async throws {
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        var drained = 0
        while drained < 1 << 20 { drained += try await socket.read(atMost: 4096).count }
    }
}
