import Foundation

/// Waits until something is true, at most a minute, and gives whether it is.
@discardableResult
package func poll(until isTrue: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<12_000 {
        if try isTrue() { return true }
        usleep(5000)
    }
    return false
}
