import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

/// Publishes to one place that take turns at random moments. Some are killed.
@Suite(.tags(.slow)) struct PublishingPairsTests {
    @Test(arguments: [2, 3])
    func `of publishes at the same time one gets the lock, and whoever follows a killed one repairs it`(
        count: Int
    ) throws {
        let series = try PyramidSeries(PublishingPairsTests.fixtures())
        let pyramids = series.pyramids
        defer { withExtendedLifetime(series) {} }
        let trees = try pyramids.map { try PyramidSeries.files(of: $0) }
        var outcomes: [String: Int] = [:]
        for seed in 0..<UInt64(isCampaign ? 5000 : 400) {
            var random = SeededRandom(seed: seed)
            let place = MemoryDestination.Place()
            // What was published before.
            try publish(pyramids[0], MemoryDestination(at: place))
            let stage = Stage(seed: seed, count: count)
            let choice = (0...count).map { _ in random.next(below: pyramids.count) }
            let kills = (0..<count).map { _ in random.next(below: 3) == 0 ? random.next(below: 30) : Int.max }
            let results = Mutex([String](repeating: "", count: count))
            inThreads(count) { index in
                stage.enter(index)
                let destination = MemoryDestination(at: place) { stage.change(index) }
                destination.fail(afterChanges: kills[index])
                let result = outcome(of: pyramids[choice[index]], destination)
                results.withLock { $0[index] = result }
                stage.leave(index)
            }
            let ends = results.withLock { $0 }
            for end in ends { outcomes[end, default: 0] += 1 }
            let (last, comment) = (MemoryDestination(at: place), Comment("seed \(seed), \(ends)"))
            if !ends.contains("killed") {
                let found = last.files.mapValues(\.bytes)
                let isWhole = zip(choice, ends).contains { trees[$0] == found && $1 == "done" }
                #expect(isWhole, comment)
            }
            try publish(pyramids[choice[count]], last, takesOver: ends.contains("killed"))
            let (found, expected) = (last.files.mapValues(\.bytes), trees[choice[count]])
            #expect(Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] } == [], comment)
        }
        // The test shows nothing if they never meet.
        #expect(Set(outcomes.keys) == ["done", "killed", "busy"] && outcomes["busy"] ?? 0 > 10, "\(outcomes)")
    }

    /// Little pyramids that share tiles; two differ in nothing but their TileJSON.
    private static func fixtures() -> [PyramidFixture] {
        var fixtures = [(12, 1), (14, 2), (9, 1)].map { count, seed in
            PyramidFixture(ClusteringOptions(maxZoom: 1), points: .asymmetric(count: count, seed: UInt64(seed)))
        }
        fixtures[1].storage.layout = .bundles(limit: 2)
        var renamed = fixtures[0]
        renamed.editTileJSON = { $0.name = "renamed" }
        return fixtures + [renamed]
    }

    private func outcome(of pyramid: DirectoryTileset, _ destination: MemoryDestination) -> String {
        do {
            try publish(pyramid, destination)
            return "done"
        } catch let error as PublishingError {
            return error.kind == .stopped ? "killed" : "\(error.kind)"
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

    private func publish(
        _ pyramid: DirectoryTileset, _ destination: MemoryDestination, takesOver: Bool = false
    ) throws {
        var publisher = Publisher(tileset: pyramid, destination: destination)
        publisher.batchCount = 3
        publisher.takesOver = takesOver
        try publisher.publish()
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
