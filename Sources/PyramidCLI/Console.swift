import ArgumentParser
import Foundation

/// Lines on standard error, for everything that isn't a result. Failing to write them is ignored.
enum Console {
    static let isTerminal = isatty(STDERR_FILENO) == 1
    private static let isColoured = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    /// The number of characters that fit on a line.
    static var width: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    static func line(_ text: String) { write(text + "\n") }

    static func warning(_ text: String) { line(coloured("warning: ", code: 33) + text) }

    static func error(_ text: String) { line(coloured("error: ", code: 31) + text) }

    static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }

    private static func coloured(_ text: String, code: Int) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}

/// Results, on standard output.
enum StandardOutput {
    static func line(_ text: String) throws { try write(Array((text + "\n").utf8)) }

    /// Exits if the results can't be written, because they would be lost silently.
    static func write(_ bytes: [UInt8]) throws {
        guard !writeAll(bytes, to: STDOUT_FILENO) else { return }
        Console.error("standard output: \(String(cString: strerror(errno)))")
        throw Failure.readOrWrite
    }
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { start += count } else if errno != EINTR { return false }
    }
    return true
}
