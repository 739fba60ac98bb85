import Foundation
import Synchronization

/// Something that some tests need and not every machine has.
///
///     @Suite(.enabled(if: try SmallDisk.requirement.isMet()))
package struct Requirement: Sendable {
    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private let name: String
    private let isThere: Bool

    /// - Parameter name: what is needed, such as "a C compiler".
    package init(_ name: String, isThere: Bool) {
        (self.name, self.isThere) = (name, isThere)
    }

    /// Whether the tests run. Without what they need they are left out, and the run says so at its end.
    /// - Throws: in CI and in a campaign, which leave nothing out: the test fails.
    package func isMet() throws -> Bool {
        if isThere { return true }
        guard !isCampaign, ProcessInfo.processInfo.environment["CI"] == nil else {
            throw Missing(description: "needs \(name), which is missing; CI and campaigns leave out no test")
        }
        let isFirst = Requirement.missing.withLock { names in
            defer { names.insert(name) }
            return names.isEmpty
        }
        if isFirst {
            atexit {
                let names = Requirement.missing.withLock { $0.sorted() }.joined(separator: "; ")
                FileHandle.standardError.write(Data("left out: the tests that need \(names)\n".utf8))
            }
        }
        return false
    }

    private static let missing = Mutex<Set<String>>([])
}
