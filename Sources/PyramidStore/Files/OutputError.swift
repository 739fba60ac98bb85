import Foundation
import PyramidTiles

/// Why a tileset can't be written.
public struct OutputError: OptionNamingError, Equatable {
    public enum Kind: Sendable {
        /// The directory can't be used; nothing in it was changed.
        case unusable
        /// Another build is writing to it.
        case busy
        /// A file could not be read or written.
        case failed
    }

    public let kind: Kind
    /// One line: where, and what went wrong.
    public let message: OptionMessage

    package init(_ kind: Kind, _ path: String, _ problem: OptionMessage) {
        self.kind = kind
        message = "\(path): \(problem)"
    }

    /// Classifies a failure to open or create a file or directory by `errno`: either the output can't be used, or the
    /// system failed.
    init(opening path: String, _ what: String = "") {
        let isFailure = [EIO, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM].contains(errno)
        self.init(isFailure ? .failed : .unusable, path, "\(what)\(OutputError.lastReason())")
    }

    /// A tile or bundle larger than readers accept.
    public init(tooLarge address: FileAddress, markerCount: Int, byteCount: Int) {
        self.init(
            .failed, TileStorage().relativePath(of: address),
            "\(markerCount) markers make \(byteCount) bytes of JSON, expected at most \(TileStorage.tileLimitBytes); "
                + "leave columns out or raise \(.maxZoom)")
    }

    /// Two clusters whose points would be written to the same pages.
    public init(repeatedClusterID id: UInt64) {
        self.init(
            .failed, "\(TileStorage.leavesName)/\(id)",
            "two clusters happen to have this id, expected distinct ids with \(.leaves); "
                + "build without it, or without \(.groupBy) and \(.coincidentLimit)"
        )
    }

    /// The message of the last failed system call.
    static func lastReason() -> String { String(cString: strerror(errno)) }
}
