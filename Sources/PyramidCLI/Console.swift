import Foundation

/// Lines on standard error, where everything goes that is not a result.
enum Console {
    static let isTerminal = isatty(STDERR_FILENO) == 1
    private static let isColoured = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    static func line(_ text: String) { write(text + "\n") }

    static func warning(_ text: String) { line(coloured("warning: ", code: 33) + text) }

    static func error(_ text: String) { line(coloured("error: ", code: 31) + text) }

    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    private static func coloured(_ text: String, code: Int) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
