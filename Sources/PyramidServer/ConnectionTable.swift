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

    /// Starts the task of a connection. If there are too many, cancels the one that has been idle longest and waits for
    /// its end: libdispatch crashes if descriptors run out.
    /// - Parameter body: receives the connection's number; must end soon after its task is cancelled.
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

    /// Cancels connections of clients that are too slow, until the task is cancelled.
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

/// Limits on the resources that clients can use up.
struct ServerLimits: Sendable {
    /// The longest head of a request, in bytes.
    var headBytes = 16 << 10
    /// The number of open connections. One more closes the one that has been idle longest. Each needs a descriptor, and
    /// another for the file that it sends.
    var connections = max(min(256, (descriptorLimit - 32) / 2), 1)
    /// The time that a client has to send a head, or to receive the next piece of a response.
    var patience = Duration.seconds(15)
    /// The size of a piece of a response.
    let pieceBytes = 64 << 10
}
