import PyramidBuild
import Synchronization

/// Shows progress: a bar on a terminal, otherwise a plain line every ten seconds.
final class ProgressLine: Sendable {
    private struct State {
        var shown: ContinuousClock.Instant
        var tiles = 0
        var markers = 0
        var allMarkers = 0
        var leafPages = 0
        var width = 0
    }

    private let clock = ContinuousClock()
    private let state: Mutex<State>
    private static let interval: Duration = Console.isTerminal ? .milliseconds(100) : .seconds(10)
    private static let barWidth = 24

    init() {
        state = Mutex(State(shown: clock.now))
    }

    /// The progress of a build, of which reading is a tenth and clustering another.
    func update(_ progress: BuildProgress) {
        state.withLock { state in
            let (fraction, text): (Double, String)
            switch progress {
            case .reading(let bytes, let all):
                (fraction, text) = (Double(bytes) / Double(max(all, 1)) / 10, "reading, \(NumberText.bytes(bytes))")
            case .sorting(let points):
                (fraction, text) = (0.1, "sorting \(NumberText.counted(points, "point"))")
            case .clustering(let zoom):
                (fraction, text) = (0.1, "clustering zoom \(zoom)")
            case .arranging(let zoom):
                fraction = 0.2 + 0.8 * Double(state.markers) / Double(max(state.allMarkers, 1))
                text = "arranging zoom \(zoom)"
            case .writing(let tiles, let markers, let allMarkers):
                state.tiles += tiles
                state.markers += markers
                state.allMarkers = allMarkers
                fraction = 0.2 + 0.8 * Double(state.markers) / Double(max(allMarkers, 1))
                text = "writing, \(NumberText.counted(state.tiles, "tile"))"
            case .writingLeaves(let pages):
                state.leafPages += pages
                fraction = 0.2 + 0.8 * Double(state.markers) / Double(max(state.allMarkers, 1))
                text = "writing pages of points, \(NumberText.grouped(state.leafPages))"
            }
            show(text, fraction: fraction, &state)
        }
    }

    func show(_ text: String, fraction: Double) {
        state.withLock { show(text, fraction: fraction, &$0) }
    }

    /// Clears the bar.
    func finish() {
        state.withLock { erase(&$0) }
    }

    private func show(_ text: String, fraction: Double, _ state: inout State) {
        let now = clock.now
        guard now - state.shown >= ProgressLine.interval else { return }
        state.shown = now
        let fraction = min(max(fraction, 0), 1)
        guard Console.isTerminal else {
            Console.line("\(text), \(Int(fraction * 100)) %")
            return
        }
        let filled = Int(fraction * Double(ProgressLine.barWidth))
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: ProgressLine.barWidth - filled)
        let line = String("\(bar) \(text)".prefix(max(Console.width - 1, 1)))
        // Overwrites the rest of a longer line.
        Console.write("\r" + line + String(repeating: " ", count: max(state.width - line.count, 0)))
        state.width = line.count
    }

    private func erase(_ state: inout State) {
        guard state.width > 0 else { return }
        Console.write("\r" + String(repeating: " ", count: state.width) + "\r")
        state.width = 0
    }
}
