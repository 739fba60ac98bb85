import ArgumentParser
import Foundation
import PyramidStore

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

    static func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { writeFully($0, to: STDERR_FILENO) } }

    private static func coloured(_ text: String, code: Int) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
