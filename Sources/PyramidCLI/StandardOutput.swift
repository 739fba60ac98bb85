import PyramidPlatform
import PyramidStore

/// Results, on standard output.
enum StandardOutput {
    static func line(_ text: String) throws { try lines([text]) }

    static func lines(_ texts: some Sequence<String>) throws {
        var bytes: [UInt8] = []
        for text in texts { bytes += (text.escapingControls() + "\n").utf8 }
        try write(bytes)
    }

    /// Prints JSON whose keys are in snake case.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try json(encoded: Array(try encoder.encode(value)) + [UInt8(ascii: "\n")])
    }

    /// - Parameter bytes: valid JSON; escaping control characters doesn't change its meaning.
    static func json(encoded bytes: [UInt8]) throws {
        try write(Array(String(decoding: bytes, as: UTF8.self).escapingControls(keepingLines: true).utf8))
    }

    /// Exits if the results can't be written, so that they are never lost silently.
    private static func write(_ bytes: [UInt8]) throws {
        guard !bytes.withUnsafeBytes({ writeFully($0, to: STDOUT_FILENO) }) else { return }
        Console.error("standard output: \(String(cString: strerror(errno)))")
        throw Failure.readOrWrite
    }
}
