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
