import PyramidPlatform

/// The head of an HTTP/1 request: the request line and the header fields.
///
/// Parsing is strict: anything that isn't clearly valid or has two readings is refused.
///
/// Source: [RFC 9112](https://www.rfc-editor.org/rfc/rfc9112).
struct RequestHead: Equatable {
    let method: String
    /// The path as sent by the client, without the query and with its percent escapes.
    let path: String
    /// By lower-case name; the values of a repeated field are joined by commas.
    let fields: [String: String]
    /// Whether the client may send another request over the same connection.
    let keepsAlive: Bool

    /// The bytes that end a head.
    static let end: [UInt8] = Array("\r\n\r\n".utf8)

    /// - Parameter bytes: everything before ``end``.
    /// - Throws: the status of the response.
    init(_ bytes: some Collection<UInt8>) throws(ResponseStatus) {
        // A head has no control characters other than line ends and tabs.
        let isPlain = bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x0d || $0 == 0x0a || $0 == 0x09 }
        guard isPlain else { throw .badRequest }
        let lines = bytes.split(separator: "\r\n".utf8, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let isOneLine = { (line: String) in !line.unicodeScalars.contains { $0 == "\r" || $0 == "\n" } }
        guard lines.allSatisfy(isOneLine) else { throw .badRequest }

        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[2].hasPrefix("HTTP/") else { throw .badRequest }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .versionNotSupported }
        method = String(words[0])
        guard words[1].hasPrefix("/") || words[1] == "*" else { throw .badRequest }
        path = String(words[1].prefix { $0 != "?" })

        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                !line[..<colon].contains(where: { $0 == " " || $0 == "\t" })
            else { throw .badRequest }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingBlanks
            fields[name] = fields[name].map { "\($0), \(value)" } ?? String(value)
        }
        self.fields = fields

        // Bodies are never read; the connection is closed instead.
        let hasBody = fields["transfer-encoding"] != nil || (fields["content-length"].map { $0 != "0" } ?? false)
        let connection = (fields["connection"] ?? "").lowercased().split(separator: ",").map(\.trimmingBlanks)
        let isAsked = words[2] == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
        keepsAlive = isAsked && !hasBody
    }
}

/// Cuts the bytes that a client has sent into heads. The pieces in which they arrive make no difference.
struct ReceivedHeads {
    private let limitBytes: Int
    /// The bytes after the last head.
    private var bytes: [UInt8] = []
    /// The number of ``bytes`` that are known not to contain an end.
    private var searched = 0
    /// Whether the head that was cut off last, or begins to arrive, is that of a HEAD request, valid or not.
    private(set) var isHEAD = false

    /// - Parameter limitBytes: the longest head.
    init(limitBytes: Int) { self.limitBytes = limitBytes }

    mutating func append(_ piece: some Sequence<UInt8>) { bytes += piece }

    /// The next head, without ``RequestHead/end``; `nil` if more bytes are needed.
    mutating func next() throws(ResponseStatus) -> [UInt8]? {
        // Some clients send an empty line after a request.
        while bytes.starts(with: [0x0d, 0x0a]) { bytes.removeFirst(2) }
        isHEAD = bytes.starts(with: "HEAD ".utf8)
        guard let end = bytes[searched...].firstRange(of: RequestHead.end) else {
            // The last bytes may be the first ones of ``RequestHead/end``.
            searched = max(bytes.count - RequestHead.end.count + 1, 0)
            guard searched <= limitBytes else { throw .headTooLarge }
            return nil
        }
        searched = 0
        guard end.lowerBound <= limitBytes else { throw .headTooLarge }
        defer { bytes.removeSubrange(..<end.upperBound) }
        return Array(bytes[..<end.lowerBound])
    }
}

/// Which content codings a client accepts.
///
/// Source: [RFC 9110, 12.5.3](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3).
struct AcceptEncoding {
    /// Whether to send gzip: its weight, by name or by `*`, is greater than 0 and at least that of `identity`.
    ///
    /// A client without such a field gets plain bytes, as clients that can inflate send it.
    let acceptsGzip: Bool

    /// - Parameter field: the value of the header field; `nil` if there is none.
    init(_ field: String?) {
        var weights: [String: Double] = [:]
        for element in (field ?? "").split(separator: ",") {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingBlanks)
            let coding = parts[0].lowercased()
            weights[coding == "x-gzip" ? "gzip" : coding] = AcceptEncoding.weight(parts.dropFirst())
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        acceptsGzip = gzip > 0 && gzip >= weights["identity"] ?? 0
    }

    /// The weight among the parameters, in 0 ... 1; 1 if there is none, and 0 if it isn't a number in that range.
    private static func weight(_ parameters: some Sequence<Substring>) -> Double {
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map(\.trimmingBlanks)
            guard parts.first?.lowercased() == "q" else { continue }
            guard parts.count == 2, let weight = Double(parts[1]), (0...1).contains(weight) else { return 0 }
            return weight
        }
        return 1
    }
}

/// The bytes of a file that a client requests.
///
/// Source: [RFC 9110, 14](https://www.rfc-editor.org/rfc/rfc9110#section-14).
enum ByteRange: Equatable {
    /// The whole file, which also answers requests for several parts and invalid ones.
    case whole
    case part(Range<Int>)
    /// A part that the file doesn't have.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the value of the header field `Range`; `nil` if there is none.
    ///   - condition: the value of `If-Range`; `nil` if there is none. A date never matches.
    ///   - tag: of the current file.
    init(_ field: String?, condition: String?, tag: EntityTag, byteCount: Int) {
        self = .whole
        guard let field, condition == nil || condition == tag.text, field.lowercased().hasPrefix("bytes=") else {
            return
        }
        let bounds = field.dropFirst("bytes=".count).trimmingBlanks
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        let isNumber = { (text: Substring) in
            text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard bounds.allSatisfy(isNumber), !(bounds[0].isEmpty && bounds[1].isEmpty) else { return }
        // A number that overflows is larger than any file.
        let (first, last) = (Int(bounds[0]) ?? .max, Int(bounds[1]) ?? .max)
        if bounds[0].isEmpty {
            self = last == 0 || byteCount == 0 ? .unsatisfiable : .part(max(byteCount - last, 0)..<byteCount)
        } else if first <= last {
            self = first >= byteCount ? .unsatisfiable : .part(first..<(last < byteCount ? last + 1 : byteCount))
        }
    }
}

extension String {
    /// The text with percent escapes decoded; `nil` if an escape is broken or the bytes aren't UTF-8.
    var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
