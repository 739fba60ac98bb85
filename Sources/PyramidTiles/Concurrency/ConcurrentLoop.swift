import Foundation
import Synchronization

/// Calls `body` with every number below `count`: on at most `jobs` threads at once, in any order, each number once.
package func forEachConcurrently(count: Int, jobs: Int, _ body: @Sendable (Int) -> Void) {
    guard jobs > 1, count > 1 else {
        for number in 0..<count { body(number) }
        return
    }
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: min(jobs, count)) { _ in
        while true {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard number < count else { return }
            body(number)
        }
    }
}

extension Range<Int> {
    /// Cuts the range into parts of `size`, the last of which may be smaller.
    package func split(every size: Int) -> [Range<Int>] {
        stride(from: lowerBound, to: upperBound, by: size).map { $0..<Swift.min($0 + size, upperBound) }
    }
}
