import PyramidPlatform
import PyramidPublishing
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

    static func line(_ text: String) { line("", text) }

    static func warning(_ text: String) { line(coloured("warning: ", code: 33), text) }

    static func error(_ text: String) { line(coloured("error: ", code: 31), text) }

    /// Writes text unescaped; it must not contain text from outside, such as file names.
    static func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { writeFully($0, to: STDERR_FILENO) } }

    private static func line(_ label: String, _ text: String) {
        write(label + text.hidingCredentials().escapingControls() + "\n")
    }

    private static func coloured(_ text: String, code: Int) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}

extension String {
    /// The text with control characters and bidirectional marks escaped. Names of files and columns and quoted values
    /// come from outside and could otherwise run commands of the terminal or reorder the text.
    ///
    /// Escapes are JSON's, such as `\u001b`, so JSON keeps its meaning.
    /// - Parameter keepingLines: whether line ends stay unescaped.
    func escapingControls(keepingLines: Bool = false) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            (0x20...0x7e).contains(byte) || keepingLines && byte == UInt8(ascii: "\n")
        }
        guard !utf8.allSatisfy(isPlain) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += keepingLines ? "\n" : "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // C0, DEL and C1; marks, separators, embeddings, overrides and isolates of the bidirectional algorithm.
            case "\0"..<" ", "\u{7f}"..."\u{9f}", "\u{61c}", "\u{200e}"..."\u{200f}", "\u{2028}"..."\u{202e}",
                "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
