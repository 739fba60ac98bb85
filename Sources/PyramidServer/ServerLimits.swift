/// What a client may ask of the server, so that none takes it from the others.
struct ServerLimits: Sendable {
    /// The longest head of a request, in bytes.
    var headBytes = 16 << 10
    /// How many connections are open at once; the one that has been silent the longest makes place for another.
    var connections = 256
    /// How long a client may take to send a head, and to take the next piece of an answer.
    var patience = Duration.seconds(15)
    /// The size of such a piece.
    let pieceBytes = 64 << 10
}
