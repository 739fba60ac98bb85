import PyramidPlatform
import PyramidTiles

/// A publish's turn at its destination: it holds the lock, writes the journal, and notes what is done.
struct PublishingTurn {
    private let destination: any PublishingDestination
    /// Whether the destination itself keeps others away, until they die.
    let isLocked: Bool
    private let takesOver: Bool
    private let now: Date
    private let owner: PublishingStatus.Owner
    private var status = PublishingStatus()
    /// The status as it is there; `nil` if there is none.
    private var noted: [UInt8]?
    /// Whether the destination has files of this publish, as far as is known.
    var hasChanges = false
    /// The number of items that are noted as done.
    private(set) var notedCount = 0

    /// - Parameters:
    ///   - isLocked: whether the destination itself keeps others away, until they die.
    ///   - takesOver: whether to take the destination from whoever holds it.
    init(at destination: any PublishingDestination, isLocked: Bool, takesOver: Bool, now: Date) {
        (self.destination, self.isLocked, self.takesOver, self.now) = (destination, isLocked, takesOver, now)
        owner = PublishingStatus.Owner(since: now)
    }

    /// Throws ``PublishingError`` of the kind `busy` if another publish holds the destination.
    /// - Returns: the status that is there.
    @discardableResult
    func checkIsFree() throws -> [UInt8]? {
        let found = try destination.content(of: PublishingStatus.fileName)
        // A damaged one holds nothing.
        guard !isLocked, !takesOver, let owner = found.flatMap({ try? PublishingStatus(decoding: $0) })?.owner,
            now.timeIntervalSince(owner.since) < PublishingStatus.Owner.limitSeconds
        else { return found }
        throw PublishingError(
            .busy,
            "\(destination): process \(owner.process) on \(owner.host) has been publishing there since "
                + owner.since.ISO8601Format(),
            cause: .otherPublish)
    }

    /// Takes the destination.
    /// - Parameter found: the status that is there.
    mutating func begin(after found: [UInt8]?) throws {
        noted = found
        status = found.flatMap { try? PublishingStatus(decoding: $0) } ?? status
        // If this fails there is nothing to release: another one may hold it.
        status.owner = nil
        try write(owner: owner)
    }

    /// Writes the journal of this publish, in place of that of an earlier one, whose changes it includes.
    mutating func write(_ journal: PublishingJournal) throws {
        // A destination that is locked needs no status before the first note. On a full disk there may be no room for one.
        if isLocked { noted = try checkIsFree() }
        var journal = journal
        journal.header.token = owner.token
        try destination.put(journal.encoded(), as: PublishingJournal.fileName, PublishingStatus.headers)
        (status.journal, status.doneCount) = (journal.header.token, journal.header.settledCount)
    }

    /// Notes that the first items of the journal are done.
    /// - Throws: ``PublishingError`` of the kind `busy` if another publish has taken over.
    mutating func note(doneCount: Int) throws {
        status.doneCount = doneCount
        try write(owner: status.owner)
        notedCount = doneCount
    }

    /// Throws ``PublishingError`` of the kind `busy` if another publish has taken over.
    mutating func checkIsOwn() throws {
        if status.owner != nil { try write(owner: owner) }
    }

    /// Removes the journal, and releases the destination.
    func end() throws {
        guard isLocked || status.owner != nil else { return }
        guard try isLocked || destination.content(of: PublishingStatus.fileName) == noted else { throw overtaken }
        try destination.remove([PublishingJournal.fileName, PublishingStatus.fileName])
    }

    /// After an error: releases the destination, for a publish that continues.
    mutating func close() throws {
        guard status.owner != nil else { return }
        // Without a journal, of this publish or an earlier one, there is nothing to continue.
        if try destination.content(of: PublishingJournal.fileName) == nil { return try end() }
        try write(owner: nil)
    }

    private mutating func write(owner: PublishingStatus.Owner?) throws {
        var new = status
        new.owner = owner
        let bytes = try new.encoded()
        guard try destination.replace(noted, with: bytes, as: PublishingStatus.fileName, PublishingStatus.headers)
        else { throw overtaken }
        (status, noted) = (new, bytes)
    }

    var overtaken: PublishingError {
        PublishingError(.busy, "\(destination): another publish has begun there, this one stops")
    }
}

/// Who publishes to a destination, and how far it is: a small file there that is also the lock, where the destination
/// has no other. A publish that fails leaves it without an owner; one that succeeds removes it.
struct PublishingStatus: Codable, Equatable, Sendable {
    static let fileName = ".publishing"
    static let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
    private static let currentFormatVersion = 6

    private var formatVersion = currentFormatVersion
    /// The publish that is in progress, or was killed; `nil` if the last one has failed.
    var owner: Owner?
    /// The token of the journal that ``doneCount`` is about.
    var journal: String?
    /// The first items of the journal, this many, are done.
    var doneCount = 0

    struct Owner: Codable, Equatable, Sendable {
        /// After this time a publish has died, or others may think so.
        static let limitSeconds = 6.0 * 3600

        /// Different for every publish.
        var token: String
        /// The machine and process that publish.
        var host: String
        var process: Int
        /// When the publish has begun, in whole seconds.
        var since: Date

        /// This process.
        init(since: Date) {
            token = UInt64.random(in: .min ... .max).hexadecimal
            host = Owner.thisHost
            process = Int(getpid())
            self.since = Date(timeIntervalSince1970: since.timeIntervalSince1970.rounded(.down))
        }

        /// The name of this machine, without querying the network.
        private static var thisHost: String {
            var name = [CChar](repeating: 0, count: 256)
            guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
            return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
        }
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}

extension PublishingStatus {
    init(decoding bytes: [UInt8]) throws(MetadataError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let status = try? decoder.decode(PublishingStatus.self, from: Data(bytes)),
            status.formatVersion == PublishingStatus.currentFormatVersion, status.doneCount >= 0
        else { throw MetadataError("is not the status of a publish") }
        self = status
    }
}
