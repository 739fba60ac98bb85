import Foundation

/// Counts tiles that several threads have done, and reports each step.
final class ProgressCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var done = 0
    private let total: Int
    private let report: @Sendable (_ tilesDone: Int, _ tilesTotal: Int) -> Void

    init(total: Int, report: @escaping @Sendable (_ tilesDone: Int, _ tilesTotal: Int) -> Void) {
        self.total = total
        self.report = report
    }

    func add(_ count: Int) {
        lock.withLock {
            done += count
            report(done, total)
        }
    }
}
