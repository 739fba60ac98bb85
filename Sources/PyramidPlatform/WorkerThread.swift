/// A thread of its own. Dispatch waits for ever if the system allows no more threads; this one says so.
package struct WorkerThread {
    private let id: pthread_t

    /// The work of a thread, which the thread itself releases.
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread, which inherits the signal mask of the one that calls.
    ///
    /// `nil` if the system allows no more threads.
    package init?(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Glibc)
            var started = pthread_t()
        #else
            var started: pthread_t?
        #endif
        let work = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &started, nil,
            { argument in
                let address: UnsafeMutableRawPointer? = argument
                if let address { Unmanaged<Work>.fromOpaque(address).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        let id: pthread_t? = started
        guard code == 0, let id else {
            work.release()
            return nil
        }
        self.id = id
    }

    /// Waits until the thread has ended.
    private func join() { pthread_join(id, nil) }

    /// Calls `body` on this thread and, at the same time, on as many others as the system allows. Returns when all calls
    /// have returned.
    /// - Parameter count: the most calls, at least 1.
    package static func call(atMost count: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            var others: [WorkerThread] = []
            while others.count < count - 1, let thread = WorkerThread(body) { others.append(thread) }
            body()
            for thread in others { thread.join() }
        }
    }

    /// Whether the system allows this many more threads at the same time.
    package static func areAvailable(_ count: Int) -> Bool {
        let end = DispatchSemaphore(value: 0)
        var threads: [WorkerThread] = []
        while threads.count < count, let thread = WorkerThread({ end.wait() }) { threads.append(thread) }
        for _ in threads { end.signal() }
        for thread in threads { thread.join() }
        return threads.count == count
    }
}
