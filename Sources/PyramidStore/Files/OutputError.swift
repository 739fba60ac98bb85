import PyramidPlatform
import PyramidTiles

/// Why a tileset can't be written.
public struct OutputError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The output can't be used; nothing was changed.
        case unusable
        /// Another build is writing to it.
        case busy
        /// A file could not be read or written.
        case failed
    }

    /// A cause that other options would avoid.
    public enum Cause: CaseIterable, Sendable {
        /// The directory holds other files; only builds with `force` write beside them.
        case otherFiles
        /// The archive is damaged or another program's; only builds with `force` replace it.
        case foreignArchive
        /// The output holds a tileset of another format version; only builds with `force` replace it.
        case otherVersion
        /// A file that no build has written has the name of the preview page.
        case foreignPage
        /// A tile or bundle is larger than readers accept.
        case largeTile
        /// A tile is large because of the counts by which clients filter.
        case largeFacets
    }

    public let kind: Kind
    /// `nil` if no option would help.
    public let cause: Cause?
    /// One line: where, and what went wrong.
    public let description: String

    package init(_ kind: Kind, _ path: String, _ problem: String, cause: Cause? = nil) {
        self.kind = kind
        self.cause = cause
        description = "\(path): \(problem)"
    }

    /// Classifies a failure to open or create a file or directory by `errno`: either the output can't be used, or the
    /// system failed.
    init(opening path: String, _ what: String = "") {
        let isFailure = [EIO, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM].contains(errno)
        self.init(isFailure ? .failed : .unusable, path, "\(what)\(OutputError.lastReason())")
    }

    /// A tile or bundle larger than readers accept.
    package init(tooLarge address: FileAddress, markerCount: Int, byteCount: Int) {
        self.init(
            .failed, "\(address)",
            "\(markerCount) markers make \(byteCount) bytes, expected at most \(TileStorage.tileLimitBytes)",
            cause: .largeTile)
    }

    /// A tile that takes too long to load because of the counts by which clients filter.
    package init(largeFacets address: FileAddress, countCount: Int, byteCount: Int, limit: Int) {
        self.init(
            .failed, "\(address)",
            "\(countCount) counts of values to filter by make it \(byteCount) bytes, expected at most \(limit)",
            cause: .largeFacets)
    }

    /// A tileset of another format version, which is replaced only with `force`.
    init(otherFormatVersion version: Int, _ path: String) {
        self.init(
            .unusable, path,
            "holds a tileset of format version \(version), expected \(Manifest.currentFormatVersion)",
            cause: .otherVersion
        )
    }

    /// The message of the last failed system call.
    package static func lastReason() -> String { String(cString: strerror(errno)) }
}
