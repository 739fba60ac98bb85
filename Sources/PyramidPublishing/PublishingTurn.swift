import PyramidPlatform
import PyramidTiles

/// A publish's turn at its destination, from the first write there to the last, as ``PublishingStatus`` states it.
struct PublishingTurn {
    private let destination: any PublishingDestination
    /// Whether no other publish can be running, however it ended.
    private let isAlone: Bool
    private let owner = PublishingStatus.Owner(
        token: newToken, host: thisHost, process: Int(getpid()), start: start(ofProcess: Int(getpid())))
    /// As written last.
    private var status = PublishingStatus()
    private var journal: PublishingJournal?

    static let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
    /// The number of times that something is tried that others can thwart.
    static let tryCount = 4

    init(at destination: any PublishingDestination, isAlone: Bool) {
        self.destination = destination
        self.isAlone = isAlone
    }

    /// Whether this publish owns the destination, as far as it knows.
    var hasBegun: Bool { status.owner == owner }

    /// Takes over the destination, writes the journal, and states the first items that are written.
    /// - Parameters:
    ///   - state: has just been read.
    ///   - open: the indices of these items among the journal's.
    /// - Returns: false if others have written notes since.
    /// - Throws: ``PublishingError`` of the kind `busy` if another publish has taken over from this one.
    mutating func begin(_ journal: PublishingJournal, after state: PublishedState, open: Range<Int>) throws -> Bool {
        if !hasBegun {
            var status = state.status
            status.owner = owner
            guard try replace(PublishingStatus.fileName, with: status.encoded()) else { return false }
            self.status = status
        } else if state.status.owner != owner {
            throw overtakenNow()
        }
        // From here on, the one that is overtaken starts nothing new.
        var journal = journal
        journal.header.token = owner.token
        journal.header.doubts = (state.journal?.header.doubts ?? []) + [doubt(in: state)].compactMap(\.self)
        guard try replace(PublishingJournal.fileName, with: journal.encoded()) else { return false }
        self.journal = journal
        try note(settled: RangeSet(0..<journal.header.settledCount), open: open)
        return true
    }

    /// What the publish that is overtaken may yet do.
    private func doubt(in state: PublishedState) -> PublishingDoubt? {
        guard destination.hasConditions, !isAlone, let journal = state.journal, let progress = state.status.progress,
            progress.token == journal.header.token, !progress.isOver
        else { return nil }
        return PublishingDoubt(
            progress, of: journal, id: progress.token, repairsLeft: PublishingDoubt.repairCount)
    }

    /// States what is done, and what is written or removed from now on.
    /// - Throws: ``PublishingError`` of the kind `busy` if another publish has begun.
    mutating func note(settled: RangeSet<Int>, open: Range<Int> = 0..<0, opensMetadata: Bool = false) throws {
        var noted = status
        noted.progress = .init(
            token: owner.token, settled: IndexRanges(settled), open: IndexRanges(RangeSet(open)),
            opensMetadata: opensMetadata)
        try write(noted)
    }

    /// Writes a file beside the tiles, which no other publish can be writing.
    mutating func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
        for _ in 0..<PublishingTurn.tryCount {
            if try destination.putUnlessChanged(bytes, as: name, headers) { return }
            if try destination.content(of: name) == bytes { return }
            // Either this publish was overtaken, or one that it has overtaken didn't know yet.
            try write(status)
        }
        throw overtaken
    }

    /// States that everything is done, and leaves nothing in the journal but what isn't repaired yet.
    mutating func end() throws {
        guard let journal else { return }
        var ended = status
        ended.owner = nil
        ended.progress = .init(token: owner.token, isOver: true)
        try write(ended)
        // A removal could meet the notes of another publish that has just begun.
        guard destination.hasConditions else {
            try destination.remove([PublishingJournal.fileName])
            return try destination.remove([PublishingStatus.fileName])
        }
        let repaired = Set(journal.header.doubts.map(\.id))
        var found = journal
        for _ in 0..<PublishingTurn.tryCount {
            let doubts = found.header.doubts.compactMap { repaired.contains($0.id) ? $0.repaired : $0 }
            let header = PublishingJournal.Header(
                token: owner.token, lists: journal.header.lists.suffix(1), files: [], settledCount: 0, doubts: doubts)
            let rest = PublishingJournal(header: header, items: [])
            if try replace(PublishingJournal.fileName, with: rest.encoded()) { return }
            // A publish that was overtaken has stated what it did, or the next one has begun.
            guard let journal = try readJournal(), journal.header.token == owner.token else { return }
            found = journal
        }
    }

    /// After an error: states that nothing is written any more.
    mutating func close() throws {
        guard hasBegun else { return }
        var closed = status
        closed.owner = nil
        if closed.progress?.token == owner.token {
            closed.progress?.open = IndexRanges()
            closed.progress?.opensMetadata = false
        }
        try write(closed)
    }

    /// The number of items from `first` on that are stated as done.
    func settledCount(from first: Int) -> Int {
        status.progress.map { $0.token == owner.token ? $0.settled.count(from: first) : 0 } ?? 0
    }

    private static var newToken: String { UInt64.random(in: .min ... .max).hexadecimal }

    /// Writes the status, if this publish still owns the destination.
    private mutating func write(_ changed: PublishingStatus) throws {
        guard hasBegun else { throw overtaken }
        for _ in 0..<PublishingTurn.tryCount {
            if destination.hasConditions, try replace(PublishingStatus.fileName, with: changed.encoded()) {
                return status = changed
            }
            // The answer to an earlier request may have been lost, so that the status was another one than it seemed.
            let found = try destination.content(of: PublishingStatus.fileName)
            guard let found, try PublishingStatus(decoding: found).owner == owner else { throw overtakenNow() }
            guard !destination.hasConditions else { continue }
            try destination.put(changed.encoded(), as: PublishingStatus.fileName, PublishingTurn.headers)
            return status = changed
        }
        throw overtaken
    }

    /// Writes a note, unless it has changed since this publish has last read or written it.
    private func replace(_ name: String, with bytes: [UInt8]) throws -> Bool {
        // The answer to a request may be lost.
        try destination.putUnlessChanged(bytes, as: name, PublishingTurn.headers)
            || destination.content(of: name) == bytes
    }

    private func readJournal() throws -> PublishingJournal? {
        try destination.content(of: PublishingJournal.fileName).map { try PublishingJournal(decoding: $0) }
    }

    /// The error that another publish owns the destination.
    var overtaken: PublishingError {
        PublishingError(
            .busy,
            "\(destination): another publish has begun there, this one stops; publish again when it is over, which "
                + "repairs what both have done")
    }

    /// From now on nothing is written but ``stateLeftovers()``.
    private mutating func overtakenNow() -> PublishingError {
        status.owner = nil
        return overtaken
    }

    /// After this publish was overtaken: makes sure that the next one knows what this one may have done since. Whoever has
    /// overtaken it knew what it might do; but may have repaired that before it was done.
    func stateLeftovers() throws {
        guard destination.hasConditions, let journal, let progress = status.progress, progress.token == owner.token,
            let doubt = PublishingDoubt(progress, of: journal, id: PublishingTurn.newToken, repairsLeft: 1)
        else { return }
        for _ in 0..<PublishingTurn.tryCount {
            // If the journal is this publish's, whoever takes over has yet to read its status.
            guard var found = try readJournal(), found.header.token != owner.token else { return }
            found.header.doubts = found.header.doubts.filter { ![owner.token, doubt.id].contains($0.id) } + [doubt]
            if try replace(PublishingJournal.fileName, with: found.encoded()) { return }
        }
    }

    /// The name of this machine, without querying the network.
    static var thisHost: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }

    /// Whether a publish is that of another process of this machine that is still running.
    static func isRunning(_ publish: PublishingStatus.Owner) -> Bool {
        guard publish.host == thisHost, publish.process != Int(getpid()),
            (1...Int(Int32.max)).contains(publish.process),
            kill(Int32(publish.process), 0) == 0 || errno == EPERM
        else { return false }
        // After a restart of the machine or of a container, the number can be another program's.
        guard let started = publish.start, let found = start(ofProcess: publish.process) else { return true }
        return started == found
    }

    /// When a process was started, counted from the start of the machine; `nil` if that isn't known.
    static func start(ofProcess number: Int) -> UInt64? {
        #if canImport(Darwin)
            var usage = rusage_info_v0()
            let result = withUnsafeMutablePointer(to: &usage) {
                $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
                    proc_pid_rusage(Int32(number), RUSAGE_INFO_V0, $0)
                }
            }
            return result == 0 ? usage.ri_proc_start_abstime : nil
        #else
            // "7 (name) S 1 ...": the 22nd field. The name may have spaces and parentheses.
            let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 19 ? UInt64(fields[19]) : nil
        #endif
    }
}
