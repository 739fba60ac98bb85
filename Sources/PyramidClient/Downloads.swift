import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads what hosts answer, and gives up as soon as an answer is too long. A few kilobytes can be: the session inflates
/// what the host declares as gzip.
final class Downloads: Sendable {
    private let session: URLSession
    private let tasks = DataTasks()

    #if canImport(FoundationNetworking)
        /// - Parameter session: only its configuration is used, because URLSession on Linux calls the delegate of a
        ///   session, but not one of a task.
        init(_ session: URLSession) {
            self.session = URLSession(configuration: session.configuration, delegate: tasks, delegateQueue: nil)
        }

        deinit { session.finishTasksAndInvalidate() }
    #else
        init(_ session: URLSession) { self.session = session }
    #endif

    /// - Throws: ``RemoteTilesError`` if the answer exceeds the limit, and any error of the session.
    func answer(to request: URLRequest, limitBytes: Int) async throws -> (Data, URLResponse) {
        try Task.checkCancellation()
        let task = session.dataTask(with: request)
        #if !canImport(FoundationNetworking)
            task.delegate = tasks
        #endif
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                tasks.start(task, DataTasks.Waiting(limitBytes: limitBytes, continuation: continuation))
            }
        } onCancel: {
            tasks.giveUp(task)
        }
    }
}

/// The running tasks, with what they have received.
private final class DataTasks: NSObject, URLSessionDataDelegate, Sendable {
    struct Waiting {
        let limitBytes: Int
        /// `nil` after the caller was cancelled.
        var continuation: CheckedContinuation<(Data, URLResponse), any Error>?
        var body = Data()

        init(limitBytes: Int, continuation: CheckedContinuation<(Data, URLResponse), any Error>) {
            (self.limitBytes, self.continuation) = (limitBytes, continuation)
        }
    }

    private let waiting = Mutex<[Int: Waiting]>([:])

    func start(_ task: URLSessionTask, _ new: Waiting) {
        waiting.withLock { $0[task.taskIdentifier] = new }
        // The caller may have been cancelled before it waited.
        if Task.isCancelled { giveUp(task) }
        task.resume()
    }

    /// Ends the wait; on Linux not the task, because URLSession crashes there if a task is cancelled as it ends
    /// (swift-corelibs-foundation, issue 3296). The task still obeys its limit.
    func giveUp(_ task: URLSessionTask) {
        guard let continuation = waiting.withLock({ $0[task.taskIdentifier]?.continuation.take() }) else { return }
        continuation.resume(throwing: URLError(.cancelled))
        #if !canImport(FoundationNetworking)
            task.cancel()
        #endif
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let number = dataTask.taskIdentifier
        let tooLong = waiting.withLock { waiting -> Waiting? in
            waiting[number]?.body.append(data)
            guard let found = waiting[number], found.body.count > found.limitBytes else { return nil }
            return waiting.removeValue(forKey: number)
        }
        guard let tooLong else { return }
        // The caller doesn't wait for the end of the task, because one that is cancelled as it ends can hang on Linux.
        let problem = "is larger than the limit of \(tooLong.limitBytes) bytes"
        let url = dataTask.originalRequest?.url ?? URL(fileURLWithPath: "/")
        tooLong.continuation?.resume(throwing: RemoteTilesError(url: url, problem: problem))
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = waiting.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let response = task.response, error == nil {
            ended.continuation?.resume(returning: (ended.body, response))
        } else {
            ended.continuation?.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }
}

/// A file on a web host that is missing, damaged or unreadable.
public struct RemoteTilesError: Error, Equatable, CustomStringConvertible, Sendable {
    public let url: URL
    /// The problem, such as "the host answers 403".
    public let problem: String

    public var description: String { "\(url.absoluteString): \(problem)" }
}
