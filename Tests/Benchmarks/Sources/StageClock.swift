import PyramidBuild
import Synchronization

/// How long the stages of a build take, by what it says of its progress.
final class StageClock: Sendable {
    fileprivate struct State {
        var stage = StageClock.reading
        var since: ContinuousClock.Instant
        var seconds: [String: Double] = [:]
    }

    static let reading = "reading"
    /// Projection and sort.
    static let sorting = "sorting"
    /// All zooms; one zoom is "clustering 7".
    static let clustering = "clustering"
    /// Places and order of the markers.
    static let markers = "markers"
    /// Encoding and what comes behind it: gzip and files, where tiles get so far.
    static let tiles = "tiles"

    private let clock = ContinuousClock()
    private let state: Mutex<State>

    init() { state = Mutex(State(since: clock.now)) }

    func update(_ progress: BuildProgress) {
        let now = clock.now
        state.withLock { state in
            switch progress {
            case .copying, .reading, .counting, .building: return
            case .sorting: state.end(at: now, next: StageClock.sorting)
            case .clustering(let zoom): state.end(at: now, next: "\(StageClock.clustering) \(zoom)")
            case .arranging: state.end(at: now, next: StageClock.markers)
            case .writing(tiles: 0, _, _): state.end(at: now, next: StageClock.tiles)
            case .writing: return
            }
        }
    }

    /// Ends the last stage.
    func end() -> [String: Double] {
        state.withLock { state in
            state.end(at: clock.now, next: "")
            let byZoom = state.seconds.filter { $0.key.hasPrefix("\(StageClock.clustering) ") }
            state.seconds[StageClock.clustering] = byZoom.values.reduce(0, +)
            return state.seconds
        }
    }
}

extension StageClock.State {
    fileprivate mutating func end(at now: ContinuousClock.Instant, next: String) {
        seconds[stage, default: 0] += (now - since) / .seconds(1)
        since = now
        stage = next
    }
}
