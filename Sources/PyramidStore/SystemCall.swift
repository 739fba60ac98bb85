import Foundation

/// Makes a system call again for as long as a signal interrupts it.
/// - Returns: what it returned in the end; -1 with `errno` where it failed.
func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
