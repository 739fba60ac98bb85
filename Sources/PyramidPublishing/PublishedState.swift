import PyramidStore
import PyramidTiles

/// What may be at a destination before a publish, and what of it was sent, according to the metadata there: the lists of
/// complete tilesets, and the journal of an unfinished publish.
struct PublishedState: Sendable {
    /// The tileset that was completed last where the publish writes to: in place, or in the folder of its version.
    var tree = Tree()
    /// Versions that the publish removes.
    var oldVersions: [Tree] = []
    /// The versions that the TileJSON leads to, newest first. All are complete.
    var versions: [String] = []
    /// Those of them that stay beside the one to publish.
    var keptVersions: [String] = []
    /// The TileJSON that leads to them; `nil` if there is none, or for a publish in place.
    var pointer: [UInt8]?
    /// The files that an unfinished publish has sent.
    var settled: [PlacedFile: StoredFile] = [:]
    /// The files that it was about to send or to remove: they may be there, the new ones or older ones.
    var unsettled: Set<PlacedFile> = []
    /// The files beside the tiles that an unfinished publish knows, by path.
    var journalFiles: [PublishingJournal.KnownFile] = []
    /// Whether a publish has begun, and neither it nor a later one has ended.
    var isUnfinished = false
    /// Whether no other files than these may be there. A power cut can empty metadata, and a build that was interrupted
    /// has no journal.
    var isComplete = true
    private var journal: PublishingJournal.Header?

    /// A tileset, as the metadata in its folder state.
    struct Tree: Sendable {
        /// With a slash, or nothing.
        var folder = ""
        /// How the list's files are named; `nil` if there is no list.
        var known: PublishingJournal.KnownList?
        var list = FileList()
        /// The files beside the tiles, by name; empty if no publish was ever completed here.
        var files: [String: Manifest.FileSummary] = [:]

        /// The sizes and checksums that the list has of a file. O(log n)
        func file(at place: PlacedFile) -> StoredFile? {
            guard place.folder == folder, place.suffix == known?.suffix else { return nil }
            return list.file(at: place.address)
        }

        var places: some Sequence<PlacedFile> {
            list.entries.lazy.map { [folder, known] in
                PlacedFile(folder: folder, address: $0.address, suffix: known?.suffix ?? "")
            }
        }
    }

    init() {}

    /// Reads the metadata at a destination.
    /// - Parameters:
    ///   - version: the one to publish; `nil` for a publish in place.
    ///   - keptCount: how many others stay.
    ///   - trustsStatus: whether only publishes have changed files there since their status was written.
    ///   - forgivesDamage: whether damaged metadata are passed over.
    /// - Throws: ``PublishingError`` if they are damaged, or of a tileset in place where versions are expected, or the
    ///   other way round.
    init(
        of destination: some PublishingDestination, version: String? = nil, keptCount: Int = 0, trustsStatus: Bool,
        forgivesDamage: Bool = false
    ) throws {
        tree.folder = version.map { $0 + "/" } ?? ""
        do {
            try read(destination, version, keptCount: keptCount, trustsStatus: trustsStatus)
        } catch let error as PublishingError where forgivesDamage && error.kind == .badData {
            isComplete = false
        }
        try checkLayout(of: destination, isVersioned: version != nil)
    }

    private mutating func read(
        _ destination: some PublishingDestination, _ version: String?, keptCount: Int, trustsStatus: Bool
    ) throws {
        if version != nil { try readVersions(destination) }
        let others = versions.filter { $0 != version }
        keptVersions = Array(others.prefix(keptCount))
        try readJournal(destination, trustsStatus: trustsStatus)
        if version.map(versions.contains) ?? true { tree = try readTree(tree.folder, destination) }
        for name in others.dropFirst(keptCount) { oldVersions.append(try readTree(name + "/", destination)) }
    }

    /// A place holds versions or a tileset in place. A file that can't be read is none of pyramid.
    private func checkLayout(of destination: some PublishingDestination, isVersioned: Bool) throws {
        let name = isVersioned ? Manifest.fileName : TileJSON.fileName
        let isSure = isVersioned ? isComplete : !tree.files.isEmpty
        let found = isSure ? nil : (try? destination.content(of: name)) ?? nil
        if isVersioned, found != nil || journal?.isVersioned == false {
            throw PublishedState.otherLayout(destination, "a tileset in place", "versions")
        }
        let leadsToVersions = found.flatMap { try? TileJSON(decoding: $0) }?.versions != nil
        if !isVersioned, !isSure, leadsToVersions || journal?.isVersioned == true {
            throw PublishedState.otherLayout(destination, "versions of a tileset", "a tileset")
        }
    }

    private mutating func readJournal(_ destination: some PublishingDestination, trustsStatus: Bool) throws {
        let name = PublishingJournal.fileName
        guard let bytes = try content(of: name, at: destination) else { return }
        isUnfinished = true
        let journal = try PublishedState.decode(bytes, name, destination, PublishingJournal.init(decoding:))
        self.journal = journal.header
        let status = try destination.content(of: PublishingStatus.fileName).flatMap {
            try? PublishingStatus(decoding: $0)
        }
        // A publish that has written its journal, and nothing else, has changed nothing.
        let isNoted = status?.journal == journal.header.token
        let settledCount = isNoted ? status?.doneCount ?? 0 : journal.header.settledCount
        // Files of a version go only when no TileJSON leads to it any more, so one that is led to lacks nothing.
        func isOpen(_ folder: String) -> Bool { !versions.contains { folder == $0 + "/" } }
        for (index, item) in journal.items.enumerated() where isOpen(item.place.folder) {
            if trustsStatus, index < settledCount, let file = item.file {
                settled[item.place] = file
            } else {
                unsettled.insert(item.place)
            }
        }
        journalFiles = journal.header.files.filter { isOpen(VersionFolder.start(of: $0.name)) }
    }

    private mutating func readVersions(_ destination: some PublishingDestination) throws {
        let name = TileJSON.fileName
        pointer = try destination.content(of: name)
        guard let bytes = try content(of: name, at: destination) else { return }
        guard let names = try PublishedState.decode(bytes, name, destination, TileJSON.init(decoding:)).versions else {
            throw PublishedState.otherLayout(destination, "a tileset in place", "versions")
        }
        versions = names
    }

    private mutating func readTree(_ folder: String, _ destination: some PublishingDestination) throws -> Tree {
        var tree = Tree(folder: folder)
        var known = journal?.lists ?? []
        if let bytes = try content(of: folder + Manifest.fileName, at: destination) {
            let manifest = try PublishedState.decode(
                bytes, folder + Manifest.fileName, destination, Manifest.init(decoding:))
            tree.files = manifest.files
            known += [PublishingJournal.KnownList(manifest.files, manifest.content.storage)].compactMap(\.self)
            tree.files[Manifest.fileName] = Manifest.FileSummary(of: bytes)
        }
        // A list without a manifest that confirms it adds nothing to the journal.
        guard tree.files[FileList.fileName] != nil else { return tree }
        let name = folder + FileList.fileName
        guard let bytes = try content(of: name, at: destination) else {
            if !isComplete { return tree }
            throw PublishedState.damaged(destination, "\(name) is missing")
        }
        let found = Manifest.FileSummary(of: bytes)
        tree.known = known.first { $0.list == found }
        guard tree.known != nil else {
            throw PublishedState.damaged(destination, "\(name) is not the list of the manifest there")
        }
        tree.list = try PublishedState.decode(bytes, name, destination, FileList.init(decoding:))
        return tree
    }

    /// The content of a file; `nil` if there is none, or nothing but zeros, which only a power cut leaves.
    private mutating func content(of name: String, at destination: some PublishingDestination) throws -> [UInt8]? {
        guard let bytes = try destination.content(of: name) else { return nil }
        guard bytes.allSatisfy({ $0 == 0 }) else { return bytes }
        (isComplete, isUnfinished) = (false, true)
        return nil
    }

    var trees: [Tree] { [tree] + oldVersions }

    /// Whether a list has a file of this address and name.
    func lists(_ place: PlacedFile) -> Bool { trees.contains { $0.file(at: place) != nil } }

    /// Whether a list or the journal of an unfinished publish has a file of this address and name.
    func mayHave(_ place: PlacedFile) -> Bool {
        lists(place) || settled[place] != nil || unsettled.contains(place)
    }

    /// Whether a file was sent, as far as is known, and is still there.
    func hasSent(_ file: StoredFile, to place: PlacedFile) -> Bool {
        settled[place].map { $0 == file } ?? (!unsettled.contains(place) && tree.file(at: place) == file)
    }

    private static func otherLayout(
        _ destination: some PublishingDestination, _ found: String, _ expected: String
    ) -> PublishingError {
        PublishingError(
            .unusable, "\(destination): holds \(found), expected an empty place or \(expected)", cause: .otherLayout)
    }

    private static func damaged(_ destination: some PublishingDestination, _ problem: String) -> PublishingError {
        PublishingError(.badData, "\(destination): \(problem)", cause: .damagedMetadata)
    }

    private static func decode<Value>(
        _ bytes: [UInt8], _ name: String, _ destination: some PublishingDestination,
        _ read: ([UInt8]) throws(MetadataError) -> Value
    ) throws -> Value {
        do throws(MetadataError) {
            return try read(bytes)
        } catch {
            throw damaged(destination, "\(name) \(error)")
        }
    }
}
