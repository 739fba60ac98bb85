import Foundation
import PyramidStore

/// Results, on standard output.
enum StandardOutput {
    static func line(_ text: String) throws { try write(Array((text + "\n").utf8)) }

    /// Exits if the results can't be written, because they would be lost silently.
    static func write(_ bytes: [UInt8]) throws {
        guard !bytes.withUnsafeBytes({ writeFully($0, to: STDOUT_FILENO) }) else { return }
        Console.error("standard output: \(String(cString: strerror(errno)))")
        throw Failure.readOrWrite
    }
}
