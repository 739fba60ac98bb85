import PyramidStore
import PyramidTiles

/// Uploads an archive, which is one file, if it differs from the one at the destination.
///
///     let archive = try ArchiveTileset(path: "out.pmtiles")
///     try ArchivePublisher(archive: archive, destination: DirectoryDestination(path: "/srv/www")).publish()
///
/// The bytes before an archive's tiles hold the sizes and checksums of all other bytes. Only these and the size of the
/// file are read at the destination and compared. Clients that are reading the old archive notice the new one by its
/// entity tag.
public struct ArchivePublisher: Sendable {
    public let archive: ArchiveTileset
    public let destination: any PublishingDestination
    public var caching = PublishingCaching()
    /// Whether to upload the archive even if it is there already, to change its headers.
    public var uploadsAll = false
    /// Whether to replace a file at the destination that isn't an archive of pyramid.
    public var replacesOthers = false

    public init(archive: ArchiveTileset, destination: any PublishingDestination) {
        self.archive = archive
        self.destination = destination
    }

    /// What ``publish()`` does.
    public struct Plan: Equatable, Sendable {
        /// The name of the archive's file, the same at the destination.
        public let name: String
        public let byteCount: Int
        public let isUploaded: Bool
        /// Whether there is an older file of that name, which caches may hold.
        public let replaces: Bool
    }

    /// Compares the archive with the one at the destination. Writes nothing.
    public func plan() throws -> Plan {
        let (folder, name) = archive.location
        // Checked first, because the URL of such an archive wouldn't work after the upload.
        guard name.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._-]*/) != nil else {
            throw PublishingError(
                .badData, "\(folder)/\(name): expected a name of letters, digits, \".\", \"-\" and \"_\" for publishing"
            )
        }
        try destination.checkIsUsable(for: name, replacesOthers: replacesOthers)
        let files = try archive.manifest().files
        guard try archive.hasSoundMetadata(),
            try ArchiveSection.allCases.allSatisfy({ try archive.summary(of: $0) == files[$0.rawValue] })
        else {
            throw StoreError(path: archive.name, reason: .notAsListed)
        }
        let start = try archive.bytesBeforeTiles()
        let found = try destination.start(of: name, byteCount: start.count)
        let isThere = found.map { $0.bytes == start && $0.fileByteCount == archive.byteCount } ?? false
        return Plan(
            name: name, byteCount: archive.byteCount, isUploaded: uploadsAll || !isThere, replaces: found != nil)
    }

    /// Uploads the archive if it differs.
    ///
    /// What is uploaded is the archive that was opened, whatever a build does meanwhile.
    /// - Throws: ``PublishingError`` and `StoreError`. After an error, the destination has the old archive or the new
    ///   one.
    @discardableResult
    public func publish() throws -> Plan {
        // Nothing is left behind if there is nothing to publish.
        var plan = try plan()
        let lock = try destination.lock(for: plan.name)
        // Beside an archive a marker means nothing to readers, and the next build or publish takes it over.
        defer {
            try? lock?.removeMarker()
            lock?.removeIfMade()
        }
        if lock != nil { plan = try self.plan() }
        guard plan.isUploaded else { return plan }
        let headers = PublishingHeaders(contentType: ArchiveTileset.contentType, cacheControl: caching.tiles)
        try destination.upload(archive, headers)
        guard !archive.file.isChanged else {
            throw PublishingError(
                .badData, "\(archive.name): was written to during the upload, expected it to stay as it is")
        }
        return plan
    }
}
