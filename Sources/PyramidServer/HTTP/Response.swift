import PyramidPlatform
import PyramidStore
import PyramidTiles

/// The status codes that the server uses.
enum ResponseStatus: Int, Error {
    case ok = 200
    case noContent = 204
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case preconditionFailed = 412
    case rangeNotSatisfiable = 416
    case headTooLarge = 431
    case failed = 500
    case versionNotSupported = 505

    var phrase: String {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .partialContent: "Partial Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .preconditionFailed: "Precondition Failed"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .headTooLarge: "Request Header Fields Too Large"
        case .failed: "Internal Server Error"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}

/// A response: a status, header fields and bytes.
struct Response {
    enum Body {
        case bytes([UInt8])
        /// A range of a file's bytes.
        case file(OpenedFile, Range<Int>)

        var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let range): range.count
            }
        }
    }

    var status: ResponseStatus
    var fields: [(name: String, value: String)]
    var body: Body

    init(_ status: ResponseStatus, _ fields: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A response with one line of text.
    init(_ status: ResponseStatus, text: String) {
        self.init(status, [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array("\(text)\n".utf8)))
    }

    /// Whether a body may follow the head.
    var mayHaveBody: Bool { status != .noContent && status != .notModified }

    /// The head as sent.
    func head(keepsAlive: Bool, now: time_t = time(nil)) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status.rawValue) \(status.phrase)", "Date: \(Response.dateText(now))"]
        lines += fields.map { "\($0.name): \($0.value)" }
        if mayHaveBody { lines.append("Content-Length: \(body.byteCount)") }
        lines.append("Connection: \(keepsAlive ? "keep-alive" : "close")")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// "Sun, 06 Nov 1994 08:49:37 GMT".
    private static func dateText(_ time: time_t) -> String {
        var (time, parts) = (time, tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 40)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
}

/// Identifies the exact bytes of a response, so that clients don't fetch them twice.
///
/// Source: [RFC 9110, 8.8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3).
struct EntityTag: Equatable {
    /// With its quotes.
    let text: String

    /// - Parameter isGzip: whether the bytes are sent as gzip; the tag then differs from the one of plain bytes.
    init(_ bytes: [UInt8], isGzip: Bool) {
        text = "\"\(Gzip.crc32(bytes).hexadecimal)-\(String(bytes.count, radix: 16))\(isGzip ? "-gzip" : "")\""
    }

    /// A tag from the file's version instead of its bytes, for large files.
    init(_ file: OpenedFile) {
        text = "\"\(file.version.text)\""
    }

    /// Whether a client that sends this `If-None-Match` has the bytes.
    func matches(_ field: String?) -> Bool {
        guard let field else { return false }
        let tags = ["*", text, "W/\(text)"]
        return field.split(separator: ",").contains { tags.contains(String($0.trimmingBlanks)) }
    }

    /// Whether a client that sends this `If-Match` expects other bytes. A weak tag never matches.
    func fails(_ field: String?) -> Bool {
        guard let field else { return false }
        return !field.split(separator: ",").map(\.trimmingBlanks).contains { $0 == "*" || $0 == text }
    }
}
