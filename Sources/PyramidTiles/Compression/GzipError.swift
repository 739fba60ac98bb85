/// Why bytes could not be inflated.
public enum GzipError: Error, Equatable, Sendable {
    case notGzip
    case truncated
    case corrupt(String)
    case trailingBytes
    /// The content is longer than the reader allows.
    case tooLarge(limitBytes: Int)
}

extension GzipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notGzip: "not gzip data"
        case .truncated: "gzip data ends too early"
        case .corrupt(let detail): "gzip data is corrupt (\(detail))"
        case .trailingBytes: "bytes follow the end of the gzip data"
        case .tooLarge(let limit): "content is longer than the limit of \(limit) bytes"
        }
    }
}
