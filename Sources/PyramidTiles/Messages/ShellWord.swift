/// Quotes names of files and columns in suggested commands, so that a hostile name can't add commands of its own.
package enum ShellWord {
    /// Whether every shell reads the text as one word, in quotes or not, and programs don't read it as an option: it
    /// has only ASCII letters, digits and `_ - . /`, and doesn't begin with `-`.
    package static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-")
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "0123456789_-./".utf8.contains(byte)
            }
    }

    /// The text as one word for a POSIX shell, in quotes if necessary.
    package static func quoted(_ text: String) -> String {
        isPlain(text) ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// The path as one word that programs don't read as an option.
    package static func path(_ path: String) -> String { quoted(path.hasPrefix("-") ? "./" + path : path) }
}
