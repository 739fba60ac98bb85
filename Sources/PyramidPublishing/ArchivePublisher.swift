import PyramidStore
import PyramidTiles

/// Brings an archive to a destination: one file, and only if it differs from the one there.
///
///     let archive = try ArchiveTileset(path: "out.pmtiles")
///     try ArchivePublisher(archive: archive, destination: DirectoryDestination(path: "/srv/www")).publish()
///
/// The bytes before an archive's tiles hold the sizes and checksums of all others, so that these few are read at the
/// destination and no more, and compared with the size of the whole. Clients that are reading the old archive notice the new one by its entity tag.
public struct ArchivePublisher: Sendable {
    public let archive: ArchiveTileset
    public let destination: any PublishingDestination
    public var caching = PublishingCaching()
    /// Whether to upload the archive even if it is there: to change its headers.
    public var uploadsAll = false

    public init(archive: ArchiveTileset, destination: any PublishingDestination) {
        self.archive = archive
        self.destination = destination
    }

    /// What ``publish()`` does.
    public struct Plan: Equatable, Sendable {
        /// The name of the archive, here and there.
        public let name: String
        public let byteCount: Int
        public let isUploaded: Bool
        /// Whether caches may hold an older file of that name.
        public let replaces: Bool
    }

    /// Writes nothing.
    public func plan() throws -> Plan {
        let (folder, name) = archive.location
        // The whole upload would be in vain.
        guard PublishingPlan.isPlainName(name) else {
            throw PublishingError(
                .badData, "\(folder)/\(name): expected a name of letters, digits, \".\", \"-\" and \"_\" for publishing"
            )
        }
        let files = try archive.manifest().files
        guard try archive.hasSoundMetadata(),
            try ArchiveSection.allCases.allSatisfy({ try archive.summary(of: $0) == files[$0.rawValue] })
        else {
            throw StoreError(path: archive.name, reason: .notAsListed)
        }
        let start = FileStart(bytes: try archive.bytesBeforeTiles(), fileByteCount: archive.byteCount)
        let found = try destination.start(of: name, byteCount: start.bytes.count)
        return Plan(
            name: name, byteCount: archive.byteCount, isUploaded: uploadsAll || found != start, replaces: found != nil)
    }

    /// Uploads the archive if that is necessary.
    /// - Throws: ``PublishingError`` and `StoreError`. The archive there is the old one or the new one then; it may be
    ///   neither if it was built again during the upload, which is an error too.
    @discardableResult
    public func publish() throws -> Plan {
        let plan = try plan()
        guard plan.isUploaded else { return plan }
        let headers = PublishingHeaders(contentType: ArchiveTileset.contentType, cacheControl: caching.tiles)
        try destination.upload([plan.name], from: archive.location.folder, headers) { _ in }
        guard !archive.isReplaced else {
            throw PublishingError(
                .badData,
                "\(archive.name): was built again during the upload, expected it to stay as it is; publish it again")
        }
        return plan
    }
}
