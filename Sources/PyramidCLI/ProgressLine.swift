import PyramidBuild
import PyramidTiles
import Synchronization

/// Shows progress on standard error.
final class ProgressLine: Sendable {
    private struct State {
        var display: ProgressDisplay
        var steps = BuildSteps()
    }

    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init() {
        start = clock.now
        state = Mutex(State(display: ProgressDisplay(isTerminal: Console.isTerminal, start: .zero)))
    }

    /// The progress of a build.
    func update(_ progress: BuildProgress) {
        state.withLock { state in
            state.steps.add(progress)
            show({ state.steps.step(at: progress) }, &state.display)
        }
    }

    /// - Parameter step: called only when the display is due.
    func show(_ step: () -> ProgressStep) {
        state.withLock { show(step, &$0.display) }
    }

    /// Clears the bar.
    func finish() {
        state.withLock { if let text = $0.display.clear() { Console.write(text) } }
    }

    private func show(_ step: () -> ProgressStep, _ display: inout ProgressDisplay) {
        let time = clock.now - start
        guard display.isDue(at: time) else { return }
        if let text = display.update(step(), at: time, width: Console.width) { Console.write(text) }
    }
}

/// The progress of a build in steps. Reading fills a tenth of the bar, sorting and clustering another.
struct BuildSteps {
    private var tiles = 0
    private var markers = 0
    private var allMarkers = 0

    /// Adds what was done since the last report.
    mutating func add(_ progress: BuildProgress) {
        switch progress {
        case .writing(let tiles, let markers, let allMarkers):
            self.tiles += tiles
            self.markers += markers
            self.allMarkers = allMarkers
        case .copying, .reading, .sorting, .counting, .building, .clustering, .arranging: break
        }
    }

    func step(at progress: BuildProgress) -> ProgressStep {
        switch progress {
        case .copying(let bytes): ProgressStep("copying the input,", bytes, of: nil, nil)
        case .reading(let bytes, let all): ProgressStep("reading", bytes, of: all, nil, share: 0...0.1)
        case .sorting(let points): ProgressStep("sorting", NumberText.counted(points, "point"), fraction: 0.1)
        case .counting(let rows, let all):
            ProgressStep("choosing the max zoom,", rows, of: all, "row", share: 0.1...0.3)
        case .building(let part, let count, let rows, let all):
            // Rows count while their tiles are written, not while they are clustered.
            ProgressStep("building parts,", rows, of: all, "row", amount: "part \(part) of \(count)", share: 0.1...0.9)
        case .clustering(let zoom): ProgressStep("clustering zoom \(zoom)", fraction: 0.1)
        case .arranging(let zoom): ProgressStep("arranging zoom \(zoom)", fraction: writing.fraction)
        case .writing: writing
        }
    }

    private var writing: ProgressStep {
        ProgressStep(
            "writing", markers, of: allMarkers, "marker", amount: NumberText.counted(tiles, "tile"), share: 0.2...1)
    }
}
