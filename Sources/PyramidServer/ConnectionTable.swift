/// The open connections, each a task, and when each last made progress.
actor ConnectionTable {
    private struct Connection {
        let task: Task<Void, Never>
        var lastProgress: ContinuousClock.Instant
    }

    private let limits: ServerLimits
    private let clock = ContinuousClock()
    private var connections: [Int: Connection] = [:]
    private var nextNumber = 0

    init(limits: ServerLimits) {
        self.limits = limits
    }

    /// Starts the task of a connection. If there are too many, the one that has been idle longest is cancelled.
    /// - Parameter body: receives the connection's number, and must end soon after its task is cancelled.
    func open(_ body: @escaping @Sendable (Int) async -> Void) {
        if connections.count >= limits.connections,
            let longest = connections.min(by: { $0.value.lastProgress < $1.value.lastProgress })
        {
            close(longest.key)
        }
        let number = nextNumber
        nextNumber += 1
        let task = Task {
            await body(number)
            connections[number] = nil
        }
        connections[number] = Connection(task: task, lastProgress: clock.now)
    }

    /// Notes that a client has sent a head or received a piece of a response.
    func noteProgress(of number: Int) {
        connections[number]?.lastProgress = clock.now
    }

    /// Cancels clients that are too slow, checking from time to time until the task is cancelled.
    func watch() async throws {
        while true {
            try await Task.sleep(for: limits.patience / 8)
            let earliest = clock.now - limits.patience
            for (number, connection) in connections where connection.lastProgress < earliest { close(number) }
        }
    }

    func closeAll() {
        for number in Array(connections.keys) { close(number) }
    }

    private func close(_ number: Int) {
        connections.removeValue(forKey: number)?.task.cancel()
    }
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
