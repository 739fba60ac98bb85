import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

/// Publishes to one place with conditions, which take turns at random moments. Some are killed; what such a one was
/// uploading may still arrive at the end.
@Suite(.tags(.slow)) struct PublishingPairsTests {
    /// How many publishes are there at the same time, and how many times.
    @Test(arguments: [2, 3])
    func `after any publishes at the same time, the next one makes it right`(count: Int) throws {
        let series = try PyramidSeries(PublishingPairsTests.fixtures())
        let pyramids = series.pyramids
        defer { withExtendedLifetime(series) {} }
        let files = try pyramids.map { try PyramidSeries.files(of: $0) }
        var outcomes: [String: Int] = [:]
        for seed in 0..<UInt64(isCampaign ? 5000 : 100) {
            var random = SeededRandom(seed: seed)
            let place = SharedPlace()
            // What was published before, completely or not.
            try publish(pyramids[0], SharedDestination(place))
            let stage = Stage(seed: seed, count: count)
            let choice = (0...count).map { _ in random.next(below: pyramids.count) }
            let kills = (0..<count).map { _ in random.next(below: 2) == 0 ? random.next(below: 40) : Int.max }
            let results = Mutex([String](repeating: "", count: count))
            inThreads(count) { index in
                stage.enter(index)
                // What such a program writes is known until one more publish has ended.
                let destination = SharedDestination(
                    place, stage: stage, index: index, callsLeft: kills[index], isLate: count == 2)
                var result = "done"
                do {
                    try publish(pyramids[choice[index]], destination)
                } catch let error as PublishingError {
                    result = destination.isKilled ? "killed" : "\(error.kind)"
                } catch {
                    result = "\(error)"
                }
                results.withLock { $0[index] = result }
                stage.leave(index)
            }
            place.deliverLate()
            for result in results.withLock({ $0 }) { outcomes[result, default: 0] += 1 }
            try publish(pyramids[choice[count]], SharedDestination(place))
            let found = place.files.filter { !$0.key.hasPrefix(PublishingStatus.fileName) }
            let differing = Set(found.keys).union(files[choice[count]].keys)
                .filter { found[$0] != files[choice[count]][$0] }
            #expect(differing == [], "seed \(seed), \(results.withLock { $0 })")
            // The next one has little to do, the one after it nothing.
            try publish(pyramids[choice[count]], SharedDestination(place))
            let plan = try publisher(pyramids[choice[count]], SharedDestination(place)).plan()
            #expect(plan.isEmpty, "seed \(seed)")
            // A journal that is left is known, so that a later publish removes it.
            let status = try PublishingStatus(decoding: place.files[PublishingStatus.fileName] ?? [])
            let known = [PublishingStatus.fileName] + status.publishes.map(\.journalName)
            let notes = place.files.keys.filter { $0.hasPrefix(PublishingStatus.fileName) }
            #expect(Set(notes).subtracting(known) == [], "seed \(seed)")
        }
        // The test shows nothing if they never meet.
        #expect(Set(outcomes.keys) == ["done", "killed", "busy"] && outcomes["busy"] ?? 0 > 10, "\(outcomes)")
    }

    /// The first is overtaken and sleeps, the second is killed, the third repairs both. The first wakes up just before the
    /// third removes the journals that it knows.
    @Test func `what a publish states late has a journal, whoever tidies up meanwhile`() throws {
        let place = SharedPlace()
        let tile = PlacedFile(address: .tile(try #require(TileCoordinate("3/4/2"))), suffix: ".json")
        let journal = PublishingJournal(
            header: .init(lists: [], files: [], settledCount: 0), items: [.init(place: tile, file: nil)])
        func status() throws -> PublishingStatus {
            try place.files[PublishingStatus.fileName].map { try PublishingStatus(decoding: $0) } ?? PublishingStatus()
        }
        func begin(_ destination: SharedDestination) throws -> PublishingTurn {
            var turn = try PublishingTurn(at: destination, after: status(), isAlone: false)
            try turn.begin(journal, open: 0..<1)
            return turn
        }
        let first = try begin(SharedDestination(place))
        _ = try begin(SharedDestination(place))
        let third = SharedDestination(
            place,
            beforeRemoval: {
                var turn = first
                try turn.stateLeftovers()
            })
        var turn = try begin(third)
        try turn.end()
        let unfinished = try status().unfinished
        #expect(unfinished.count == 2)
        #expect(unfinished.filter { place.files[$0.journalName] == nil }.map(\.token) == [])
        #expect(try PublishedState.reading(SharedDestination(place)).isUnfinished)
    }

    /// Little pyramids that share tiles; two differ in nothing but their TileJSON.
    private static func fixtures() -> [PyramidFixture] {
        var fixtures = [(12, 1), (14, 2), (9, 1)].map { count, seed in
            PyramidFixture(ClusteringOptions(maxZoom: 1), points: .asymmetric(count: count, seed: UInt64(seed)))
        }
        fixtures[1].pages = [PointPage(clusterID: 1, page: 0): "a"]
        var renamed = fixtures[0]
        renamed.editTileJSON = { $0.name = "renamed" }
        return fixtures + [renamed]
    }

    private func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let ends = DispatchSemaphore(value: 0)
        for index in 0..<count {
            Thread.detachNewThread {
                body(index)
                ends.signal()
            }
        }
        for _ in 0..<count { ends.wait() }
    }

    private func publisher(_ pyramid: DirectoryTileset, _ destination: SharedDestination) -> Publisher {
        var publisher = Publisher(tileset: pyramid, destination: destination)
        publisher.batchCount = 3
        publisher.noteInterval = .zero
        return publisher
    }

    private func publish(_ pyramid: DirectoryTileset, _ destination: SharedDestination) throws {
        try publisher(pyramid, destination).publish()
    }
}

/// Files that several publishes write.
private final class SharedPlace: Sendable {
    private let state = Mutex((files: [String: [UInt8]](), late: [String: [UInt8]]()))

    var files: [String: [UInt8]] { state.withLock { $0.files } }

    func set(_ bytes: [UInt8]?, _ name: String) { state.withLock { $0.files[name] = bytes } }

    /// Like entity tags, the same for the same content.
    func replace(_ old: [UInt8]?, with bytes: [UInt8], _ name: String) -> Bool {
        state.withLock { state in
            guard state.files[name] == old else { return false }
            state.files[name] = bytes
            return true
        }
    }

    /// A program that was uploading goes on after the publish that has started it was killed.
    func setLate(_ bytes: [UInt8], _ name: String) { state.withLock { $0.late[name] = bytes } }

    func deliverLate() {
        state.withLock { state in
            state.files.merge(state.late) { $1 }
            state.late = [:]
        }
    }
}

/// Lets one of several threads run at a time, and decides at random when it is another's turn.
private final class Stage: Sendable {
    private let turns: [DispatchSemaphore]
    private let state: Mutex<(random: SeededRandom, present: Set<Int>)>

    init(seed: UInt64, count: Int) {
        turns = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        state = Mutex((SeededRandom(seed: seed), Set(0..<count)))
        turns[0].signal()
    }

    func enter(_ index: Int) { turns[index].wait() }

    func change(_ index: Int) {
        let next = state.withLock { state in
            // Now and then one of them sleeps through much of what the others do.
            guard state.random.next(below: 6) == 0 else { return index }
            return state.present.sorted()[state.random.next(below: state.present.count)]
        }
        guard next != index else { return }
        turns[next].signal()
        turns[index].wait()
    }

    func leave(_ index: Int) {
        let next = state.withLock { state in
            state.present.remove(index)
            return state.present.min()
        }
        if let next { turns[next].signal() }
    }
}

/// How one publish sees the files, up to the call in which it is killed.
private final class SharedDestination: PublishingDestination {
    private let place: SharedPlace
    private let stage: Stage?
    private let index: Int
    private let isLate: Bool
    private let beforeRemoval: @Sendable () throws -> Void
    private let state: Mutex<(callsLeft: Int, known: [String: [UInt8]?])>

    /// - Parameters:
    ///   - isLate: whether an upload may go on after its publish was killed.
    ///   - beforeRemoval: what others do just before this one removes files.
    init(
        _ place: SharedPlace, stage: Stage? = nil, index: Int = 0, callsLeft: Int = .max, isLate: Bool = false,
        beforeRemoval: @escaping @Sendable () throws -> Void = {}
    ) {
        (self.place, self.stage, self.index, self.isLate) = (place, stage, index, isLate)
        self.beforeRemoval = beforeRemoval
        state = Mutex((callsLeft, [:]))
    }

    var description: String { "place" }
    var hasConditions: Bool { true }
    var isKilled: Bool { state.withLock { $0.callsLeft <= 0 } }

    private func call() throws {
        stage?.change(index)
        try state.withLock { state in
            state.callsLeft -= 1
            guard state.callsLeft > 0 else { throw PublishingError(.stopped, "killed") }
        }
    }

    func content(of name: String) throws -> [UInt8]? {
        try call()
        let found = place.files[name]
        state.withLock { $0.known[name] = .some(found) }
        return found
    }

    func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
        try call()
        place.set(bytes, name)
    }

    func putUnlessChanged(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws -> Bool {
        if state.withLock({ $0.known[name] }) == nil { _ = try content(of: name) }
        let old = state.withLock { $0.known[name] ?? nil }
        // A request that is under way when its publish is stopped arrives later.
        try call()
        guard place.replace(old, with: bytes, name) else { return false }
        state.withLock { $0.known[name] = bytes }
        return true
    }

    func upload(
        _ paths: [String], from directory: String, _ headers: PublishingHeaders, whenThere: (String) throws -> Void
    ) throws {
        var missing = paths[...]
        do {
            while let path = missing.first {
                try call()
                place.set(try RegularFile.bytes(atPath: "\(directory)/\(path)", limitBytes: 1 << 20), path)
                missing.removeFirst()
                try whenThere(path)
            }
        } catch {
            guard isLate, isKilled else { throw error }
            for path in missing {
                place.setLate(try RegularFile.bytes(atPath: "\(directory)/\(path)", limitBytes: 1 << 20), path)
            }
            throw error
        }
    }

    func remove(_ paths: [String]) throws {
        try beforeRemoval()
        for path in paths {
            try call()
            place.set(nil, path)
        }
    }

    func stop() {}
}
