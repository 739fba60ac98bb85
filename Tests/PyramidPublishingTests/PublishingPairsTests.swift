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
    /// How many publishes are there at the same time, and schedules that an earlier protocol didn't survive.
    @Test(arguments: [
        (2, [412, 3682]),
        (3, [649, 747, 786, 971, 994, 1066, 1336, 1545, 2042, 2323, 2883, 2918, 3391, 3528, 4417, 4517, 4715]),
    ])
    func `after any publishes at the same time, the next one makes it right`(count: Int, seeds: [UInt64]) throws {
        let series = try PyramidSeries(PublishingPairsTests.fixtures())
        let pyramids = series.pyramids
        defer { withExtendedLifetime(series) {} }
        var outcomes: [String: Int] = [:]
        let seeds = isCampaign ? Array(0..<5000) : Array(0..<100) + seeds
        for seed in seeds {
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
                let destination = SharedDestination(place, callsLeft: kills[index]) { _ in stage.change(index) }
                let result = outcome(of: pyramids[choice[index]], destination)
                results.withLock { $0[index] = result }
                stage.leave(index)
            }
            for result in results.withLock({ $0 }) { outcomes[result, default: 0] += 1 }
            try expectRepair(with: pyramids[choice[count]], place, "seed \(seed), \(results.withLock { $0 })")
        }
        // The test shows nothing if they never meet.
        #expect(Set(outcomes.keys) == ["done", "killed", "busy"] && outcomes["busy"] ?? 0 > 10, "\(outcomes)")
    }

    /// The first sleeps from any moment on, through all of the second, and wakes up at any moment of the third, which brings
    /// back what there was before. Sometimes it is killed soon after that.
    @Test func `a publish that sleeps through others does no lasting harm`() throws {
        let series = try PyramidSeries(PublishingPairsTests.fixtures())
        let pyramids = series.pyramids
        defer { withExtendedLifetime(series) {} }
        let kills = [Int.max, 1, 2, 3, 4]
        var (sleep, mostWakes) = (0, 0)
        var isAsleep = true
        while isAsleep {
            sleep += 1
            var (wake, isAwake) = (0, true)
            while isAsleep && isAwake {
                wake += 1
                for kill in isCampaign ? kills : [kills[(sleep + wake) % kills.count]] {
                    let place = SharedPlace()
                    try publish(pyramids[0], SharedDestination(place))
                    let sleeper = Sleeper(from: sleep, killedAfter: kill, place) { outcome(of: pyramids[1], $0) }
                    isAsleep = sleeper.isAsleep
                    try publish(pyramids[2], SharedDestination(place))
                    let moment = wake
                    let third = SharedDestination(place) { if $0 == moment { sleeper.wake() } }
                    // It may meet what the first one writes while it reads, and says so.
                    #expect(["done", "busy"].contains(outcome(of: pyramids[0], third)))
                    isAwake = sleeper.isAwake
                    sleeper.wake()
                    try expectRepair(with: pyramids[0], place, "asleep from \(sleep) to \(wake), killed after \(kill)")
                }
            }
            mostWakes = max(mostWakes, wake)
        }
        #expect(sleep > 20 && mostWakes > 20)
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

    /// After one more publish everything is right, and soon there is nothing to do.
    private func expectRepair(with pyramid: DirectoryTileset, _ place: SharedPlace, _ comment: Comment) throws {
        place.deliverLate()
        try publish(pyramid, SharedDestination(place))
        let notes = [PublishingStatus.fileName, PublishingJournal.fileName]
        var found = place.files
        let journal = try PublishingJournal(decoding: found[PublishingJournal.fileName] ?? [])
        #expect(journal.items.isEmpty, comment)
        for name in notes { found[name] = nil }
        let files = try PyramidSeries.files(of: pyramid)
        let differing = Set(found.keys).union(files.keys).filter { found[$0] != files[$0] }
        #expect(differing == [], comment)
        // What a publish may yet do that was killed is repaired some more times.
        for _ in 1..<PublishingDoubt.repairCount { try publish(pyramid, SharedDestination(place)) }
        #expect(try publisher(pyramid, SharedDestination(place)).plan().isEmpty, comment)
    }

    private func outcome(of pyramid: DirectoryTileset, _ destination: SharedDestination) -> String {
        do {
            try publish(pyramid, destination)
            return "done"
        } catch let error as PublishingError {
            return destination.isKilled ? "killed" : "\(error.kind)"
        } catch {
            return "\(error)"
        }
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

/// A publish in a thread of its own, which stops before one of its calls.
private final class Sleeper: Sendable {
    private let (pauses, wakes, ends) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    private let state = Mutex((isAsleep: false, isAwake: false))

    /// Returns when the publish sleeps, or has ended.
    init(
        from call: Int, killedAfter count: Int, _ place: SharedPlace,
        publish: @escaping @Sendable (SharedDestination) -> String
    ) {
        let destination = SharedDestination(place, callsLeft: count == .max ? .max : call + count) { [self] number in
            guard number == call else { return }
            state.withLock { $0.isAsleep = true }
            pauses.signal()
            wakes.wait()
        }
        Thread.detachNewThread { [self] in
            _ = publish(destination)
            pauses.signal()
            ends.signal()
        }
        pauses.wait()
    }

    /// Whether it has begun to sleep.
    var isAsleep: Bool { state.withLock { $0.isAsleep } }

    var isAwake: Bool { state.withLock { $0.isAwake } }

    /// Lets it go on, and waits for its end.
    func wake() {
        let wasAwake = state.withLock { state in
            defer { state.isAwake = true }
            return state.isAwake
        }
        guard !wasAwake else { return }
        wakes.signal()
        ends.wait()
    }
}

/// How one publish sees the files, up to the call in which it is killed.
private final class SharedDestination: PublishingDestination {
    private let place: SharedPlace
    private let beforeCall: @Sendable (Int) -> Void
    private let state: Mutex<(callCount: Int, known: [String: [UInt8]?])>
    private let callsLeft: Int

    /// - Parameter beforeCall: what others do before each call, which is numbered.
    init(_ place: SharedPlace, callsLeft: Int = .max, beforeCall: @escaping @Sendable (Int) -> Void = { _ in }) {
        (self.place, self.callsLeft, self.beforeCall) = (place, callsLeft, beforeCall)
        state = Mutex((0, [:]))
    }

    var description: String { "place" }
    var hasConditions: Bool { true }
    var isKilled: Bool { state.withLock { $0.callCount >= callsLeft } }

    private func call() throws {
        beforeCall(state.withLock { $0.callCount + 1 })
        try state.withLock { state in
            state.callCount += 1
            guard state.callCount < callsLeft else { throw PublishingError(.stopped, "killed") }
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
            guard isKilled else { throw error }
            for path in missing {
                place.setLate(try RegularFile.bytes(atPath: "\(directory)/\(path)", limitBytes: 1 << 20), path)
            }
            throw error
        }
    }

    func remove(_ paths: [String]) throws {
        for path in paths {
            try call()
            place.set(nil, path)
        }
    }

    func stop() {}
}
