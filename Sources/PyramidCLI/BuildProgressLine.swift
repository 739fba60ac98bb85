import PyramidBuild
import Synchronization

/// Shows how far a build is: a bar that is drawn again and again on a terminal, else a plain line every ten seconds.
final class BuildProgressLine: Sendable {
    private struct State {
        var shown: ContinuousClock.Instant
        var zoom: Int?
        var tiles = 0
        var width = 0
    }

    private let zooms: ClosedRange<Int>
    private let clock = ContinuousClock()
    private let state: Mutex<State>
    private static let interval: Duration = Console.isTerminal ? .milliseconds(100) : .seconds(10)
    private static let barWidth = 30

    /// - Parameter zooms: those that are written, from the last to the first.
    init(zooms: ClosedRange<Int>) {
        self.zooms = zooms
        state = Mutex(State(shown: clock.now))
    }

    func update(_ progress: BuildProgress) {
        state.withLock { state in
            if case .writing(let zoom, let tiles) = progress {
                state.zoom = zoom
                state.tiles += tiles
            }
            let now = clock.now
            guard now - state.shown >= BuildProgressLine.interval else { return }
            state.shown = now
            show(progress, &state)
        }
    }

    /// Leaves a clean line behind.
    func finish() {
        state.withLock { erase(&$0) }
    }

    private func show(_ progress: BuildProgress, _ state: inout State) {
        let (fraction, text) =
            switch progress {
            case .reading(let bytes, let all):
                (Double(bytes) / Double(max(all, 1)), "reading \(NumberText.bytes(bytes))")
            case .clustering(let zoom): (done(downTo: zoom), "clustering zoom \(zoom)")
            case .writing(let zoom, _):
                (done(downTo: zoom), "writing zoom \(zoom), \(NumberText.counted(state.tiles, "tile"))")
            }
        guard Console.isTerminal else {
            Console.line("\(text), \(Int(fraction * 100)) %")
            return
        }
        erase(&state)
        let filled = Int(fraction * Double(BuildProgressLine.barWidth))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: BuildProgressLine.barWidth - filled)
        let line = "\(bar) \(text)"
        state.width = line.count
        Console.write(line)
    }

    private func done(downTo zoom: Int) -> Double {
        Double(zooms.upperBound - zoom) / Double(zooms.count)
    }

    private func erase(_ state: inout State) {
        guard state.width > 0 else { return }
        Console.write("\r" + String(repeating: " ", count: state.width) + "\r")
        state.width = 0
    }
}
