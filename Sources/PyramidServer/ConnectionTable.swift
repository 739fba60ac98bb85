import PyramidPlatform

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

    /// Starts the task of a connection. If there are too many, the one that has been idle longest is cancelled first and
    /// waited for, so that descriptors never run out, which libdispatch doesn't survive.
    /// - Parameter body: receives the connection's number, and must end soon after its task is cancelled.
    func open(_ body: @escaping @Sendable (Int) async -> Void) async {
        while connections.count >= limits.connections,
            let longest = connections.min(by: { $0.value.lastProgress < $1.value.lastProgress })
        {
            longest.value.task.cancel()
            await longest.value.task.value
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
            for connection in connections.values where connection.lastProgress < earliest { connection.task.cancel() }
        }
    }

    func closeAll() {
        for connection in connections.values { connection.task.cancel() }
    }
}

/// Limits on what a client may take from the server and from other clients.
struct ServerLimits: Sendable {
    /// The longest head of a request, in bytes.
    var headBytes = 16 << 10
    /// The number of open connections; beyond it, the one that has been idle longest is closed. Each needs a descriptor,
    /// and another for the file that it receives.
    var connections = max(min(256, (descriptorLimit - 32) / 2), 1)
    /// How long a client may take to send a head, or to receive the next piece of a response.
    var patience = Duration.seconds(15)
    /// The size of such a piece.
    let pieceBytes = 64 << 10
}
