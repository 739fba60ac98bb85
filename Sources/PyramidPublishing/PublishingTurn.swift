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
    /// Whether any file of the tileset was written, as far as is known.
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
        if let noted, let found = try? PublishingStatus(decoding: noted) { status = found }
        status.owner = owner
        do {
            try write()
        } catch {
            // Nothing to release: another one may hold it.
            status.owner = nil
            throw error
        }
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
        if status.owner != nil || status.journal != nil { try write() }
        notedCount = doneCount
    }

    /// Throws ``PublishingError`` of the kind `busy` if another publish has taken over.
    mutating func checkIsOwn() throws {
        if status.owner != nil { try write() }
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
        status.owner = nil
        try write()
    }

    private mutating func write() throws {
        let bytes = try status.encoded()
        guard try destination.replace(noted, with: bytes, as: PublishingStatus.fileName, PublishingStatus.headers)
        else { throw overtaken }
        noted = bytes
    }

    var overtaken: PublishingError {
        PublishingError(.busy, "\(destination): another publish has begun there, this one stops")
    }
}
