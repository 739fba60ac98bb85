import PyramidPlatform
import PyramidTiles

/// A publish's turn at its destination, from the first write there to the last, as ``PublishingStatus`` states it.
struct PublishingTurn {
    private let destination: any PublishingDestination
    /// Whether no other publish can be running, however it ended.
    private let isAlone: Bool
    private var status: PublishingStatus
    /// This publish; the last one of `status`.
    private var publish: PublishingStatus.Publish
    /// The publishes that were overtaken or over before this turn, which ends what is known of them.
    private let earlier: Set<String>
    /// The ``earlier`` publishes that had ended. Their journals are gone, unless removing one failed.
    private let removed: Set<String>
    private var journal: [UInt8] = []

    static let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")

    /// Takes over the destination.
    /// - Throws: ``PublishingError`` of the kind `busy` if another publish has changed its status since it was read.
    init(at destination: any PublishingDestination, after status: PublishingStatus, isAlone: Bool) throws {
        self.destination = destination
        self.isAlone = isAlone
        self.status = status
        publish = .init(
            token: PublishingTurn.newToken, host: PublishingTurn.thisHost, process: Int(getpid()),
            start: PublishingTurn.start(ofProcess: Int(getpid())))
        removed = Set(status.publishes.filter { $0.stage == .over }.map(\.token))
        for index in self.status.publishes.indices where self.status.publishes[index].stage == .starting {
            self.status.publishes[index].stage = .over
        }
        earlier = Set(self.status.publishes.filter { $0.stage != .active }.map(\.token))
        self.status.publishes.append(publish)
        if destination.hasConditions { try update() } else { _ = try put() }
    }

    /// Writes the journal, and states the first items that are written.
    /// - Parameter open: their indices among the journal's items.
    mutating func begin(_ journal: PublishingJournal, open: Range<Int>) throws {
        self.journal = try journal.encoded()
        try destination.put(self.journal, as: publish.journalName, PublishingTurn.headers)
        let list = journal.header.lists.last?.list
        for index in status.publishes.indices where status.publishes[index].stage == .active {
            status.publishes[index] = try overtaken(status.publishes[index], withListOf: list)
        }
        publish.stage = .active
        try note(settled: RangeSet(0..<journal.header.settledCount), open: open)
    }

    /// The journal of this publish includes all that the earlier one had to do. What that one may yet do by mistake, if it
    /// is still running, stays known.
    private func overtaken(
        _ publish: PublishingStatus.Publish, withListOf list: Manifest.FileSummary?
    ) throws -> PublishingStatus.Publish {
        var earlier = publish
        earlier.open.set.subtract(earlier.settled.set)
        earlier.settled = IndexRanges()
        // If both have the same list, that is right whoever writes it.
        if earlier.opensMetadata {
            let bytes = try destination.content(of: earlier.journalName)
            let journal = bytes.flatMap { try? PublishingJournal(decoding: $0) }
            earlier.opensList = journal?.header.lists.last?.list != list
        }
        earlier.stage = isAlone || !destination.hasConditions || earlier.isClosed ? .over : .overtaken
        return earlier
    }

    /// States what is done, and what is written or removed from now on.
    /// - Throws: ``PublishingError`` of the kind `busy` if another publish has begun.
    mutating func note(settled: RangeSet<Int>, open: Range<Int> = 0..<0, opensMetadata: Bool = false) throws {
        let before = publish
        publish.settled.set = settled
        publish.open.set = RangeSet(open)
        (publish.opensMetadata, publish.opensList) = (opensMetadata, opensMetadata)
        do {
            try update()
        } catch {
            publish = before
            throw error
        }
    }

    /// Writes a file beside the tiles, which no other publish can be writing.
    mutating func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
        for _ in 0..<PublishingTurn.tryCount {
            if try destination.putUnlessChanged(bytes, as: name, headers) { return }
            if try destination.content(of: name) == bytes { return }
            // Either this publish was overtaken, or one that it has overtaken didn't know yet.
            try update()
        }
        throw overtaken
    }

    /// States that everything is done, and removes the journals.
    mutating func end() throws {
        let ended = status.publishes.filter { earlier.contains($0.token) || $0.stage == .over }.map(\.journalName)
        let (others, repaired, removed) = (status.publishes, earlier, removed)
        status.publishes = others.filter { !removed.contains($0.token) }.map { other in
            var other = other
            if repaired.contains(other.token) { other.stage = .over }
            return other
        }
        publish.stage = .over
        (publish.settled, publish.open) = (IndexRanges(), IndexRanges())
        (publish.opensMetadata, publish.opensList) = (false, false)
        try update()
        try destination.remove(ended + [publish.journalName])
        // Otherwise the file stays: its removal could meet the status of another publish that has just begun.
        if !destination.hasConditions { try destination.remove([PublishingStatus.fileName]) }
    }

    /// After an error: states that nothing is written any more.
    mutating func close() throws {
        if !publish.isClosed { try note(settled: publish.settled.set) }
    }

    /// The number of items from `first` on that are stated as done.
    func settledCount(from first: Int) -> Int { publish.settled.count(from: first) }

    private static let tryCount = 4

    private static var newToken: String { UInt64.random(in: .min ... .max).hexadecimal }

    private mutating func update() throws {
        status.publishes = status.publishes.dropLast() + [publish]
        for _ in 0..<PublishingTurn.tryCount {
            guard destination.hasConditions else {
                try checkIsOurs()
                return try destination.put(status.encoded(), as: PublishingStatus.fileName, PublishingTurn.headers)
            }
            if try put() { return }
            // An answer may have been lost, or one that was overtaken has stated what it did.
            let found = try checkIsOurs()
            let known = Set(status.publishes.map(\.token)).union(earlier)
            status.publishes = found.publishes.filter { !known.contains($0.token) } + status.publishes
        }
        throw overtaken
    }

    private func put() throws -> Bool {
        try destination.putUnlessChanged(status.encoded(), as: PublishingStatus.fileName, PublishingTurn.headers)
    }

    /// Throws if another publish has begun since, which then owns the destination.
    @discardableResult
    private func checkIsOurs() throws -> PublishingStatus {
        let found = try destination.content(of: PublishingStatus.fileName)
        guard let status = found.flatMap({ try? PublishingStatus(decoding: $0) }),
            status.publishes.last?.token == publish.token
        else { throw overtaken }
        return status
    }

    private var overtaken: PublishingError {
        PublishingError(
            .busy,
            "\(destination): another publish has begun there, this one stops; publish again when it is over, which "
                + "repairs what both have done")
    }

    /// After this publish was overtaken: makes sure that the next one knows what this one may have done since.
    mutating func stateLeftovers() throws {
        guard destination.hasConditions else { return }
        if publish.stage == .starting { return try destination.remove([publish.journalName]) }
        guard !publish.isClosed else { return }
        // Under a new name, because whoever has repaired what was known of this publish may be about to remove its journal.
        var leftover = publish
        leftover.token = PublishingTurn.newToken
        leftover.stage = .overtaken
        leftover.open.set.subtract(leftover.settled.set)
        leftover.settled = IndexRanges()
        for _ in 0..<PublishingTurn.tryCount {
            let found = try destination.content(of: PublishingStatus.fileName)
            status = try found.map { try PublishingStatus(decoding: $0) } ?? PublishingStatus()
            let known = [publish.token, leftover.token]
            guard !status.publishes.contains(where: { known.contains($0.token) && $0.stage != .over }) else { return }
            try destination.put(journal, as: leftover.journalName, PublishingTurn.headers)
            status.publishes.insert(leftover, at: 0)
            if try put() { return }
        }
    }

    /// The name of this machine, without querying the network.
    static var thisHost: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }

    /// Whether a publish is that of another process of this machine that is still running.
    static func isRunning(_ publish: PublishingStatus.Publish) -> Bool {
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
