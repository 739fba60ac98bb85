import PyramidPlatform
import PyramidTiles

/// Why a file of a tileset can't be read: its path, what was found and what was expected.
public struct StoreError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case missing
        /// The system's error number.
        case unreadable(Int32)
        /// A directory, a symbolic link, a pipe or something else that isn't a regular file.
        case notRegularFile
        case tooLarge(limitBytes: Int)
        case notGzip(GzipError)
        case notATile(TileDecodingError)
        case damaged(String)
        /// The file's bytes don't match the manifest or the list.
        case notAsListed
        /// A directory without any file of a tileset.
        /// - Parameter other: the name of a tileset in it, if there is one.
        case notATileset(other: String?)
        /// The tileset is incomplete because a build is in progress or was interrupted.
        case incomplete
    }

    public let path: String
    public let reason: Reason

    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Why a file or directory can't be opened or found, by `errno`.
    init(opening path: String) {
        self.init(path: path, reason: [ENOENT, ENOTDIR].contains(errno) ? .missing : .unreadable(errno))
    }
}

extension StoreError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .unreadable(let number): "can't be read (\(String(cString: strerror(number))))"
        case .notRegularFile: "is not a regular file"
        case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
        case .notGzip(let error): "can't be inflated: \(error)"
        case .notATile(let error): "is not a tile: \(error)"
        case .damaged(let detail): detail
        case .notAsListed: "is not the file that the manifest or its list describes"
        case .notATileset(let other):
            "is not a tileset\(other.map { "; the tileset is probably in \($0)" } ?? "")"
        case .incomplete:
            "a build or publish is in progress here or was interrupted; wait for it, or run it again to repair it"
        }
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String { "\(path): \(reason)" }
}
