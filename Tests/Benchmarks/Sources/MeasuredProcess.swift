import Foundation
import Synchronization

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What a child process has taken: its memory is its own, whatever was measured before it.
struct MeasuredProcess {
    let seconds: Double
    /// Of all threads, in the program and in the system.
    let cpuSeconds: Double
    /// With the pages of mapped files.
    let peakBytes: Int
    /// Without the pages of mapped files, seen every few milliseconds; `nil` where the system does not tell.
    let peakOwnBytes: Int?
    let output: Data

    /// Runs a program to its end; its standard error is this process's.
    init(_ arguments: [String]) throws {
        var pipe: [Int32] = [0, 0]
        guard Foundation.pipe(&pipe) == 0 else { throw BenchmarkError("no pipe") }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_addclose(&actions, pipe[0])
        defer { posix_spawn_file_actions_destroy(&actions) }

        let texts = arguments.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        let clock = ContinuousClock()
        let start = clock.now
        var child = pid_t()
        guard posix_spawnp(&child, arguments[0], &actions, nil, texts, environ) == 0 else {
            throw BenchmarkError("can't start \(arguments[0])")
        }
        close(pipe[1])
        let watch = MemoryWatch(of: child)
        output = FileHandle(fileDescriptor: pipe[0], closeOnDealloc: true).readDataToEndOfFile()
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child, status == 0 else {
            throw BenchmarkError("\(arguments.joined(separator: " ")) failed")
        }
        seconds = (clock.now - start) / .seconds(1)
        peakOwnBytes = watch.end()
        cpuSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        #if canImport(Darwin)
            peakBytes = usage.ru_maxrss
        #else
            peakBytes = usage.ru_maxrss * 1024
        #endif
    }
}

/// Looks at the memory of a process again and again: the system keeps the peak of all pages, but not of the own ones.
private final class MemoryWatch: Sendable {
    private let isOver = Atomic(false)
    private let peak = Mutex<Int?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(of process: pid_t) {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                if let bytes = MemoryWatch.ownBytes(of: process) { peak.withLock { $0 = max($0 ?? 0, bytes) } }
                usleep(5000)
            }
            ended.signal()
        }
    }

    func end() -> Int? {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        return peak.withLock { $0 }
    }

    private static func ownBytes(of process: pid_t) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") })
        else { return nil }
        return line.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
