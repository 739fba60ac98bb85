import PyramidTiles

/// A step of a command: its name, its progress and the unit of its rate.
struct ProgressStep {
    /// A new name starts a new estimate.
    let name: String
    /// How much is done, in words.
    let amount: String
    let done: Int
    /// `nil` if unknown.
    let all: Int?
    /// The rate in words; `nil` to show none.
    var rate: (Int) -> String? = { _ in nil }
    /// How much of the bar is filled, from 0 to 1.
    var fraction: Double

    /// A step without a rate.
    init(_ name: String, _ amount: String = "", fraction: Double) {
        self.name = name
        self.amount = amount
        (done, all) = (0, nil)
        self.fraction = fraction
    }

    /// - Parameters:
    ///   - noun: the unit of `done`, such as "tile"; `nil` for bytes.
    ///   - amount: how much is done, in words. (default: `done` of `all`)
    ///   - share: the section of the bar that the step fills.
    init(
        _ name: String, _ done: Int, of all: Int?, _ noun: String?, amount: String? = nil,
        share: ClosedRange<Double> = 0...1
    ) {
        self.name = name
        (self.done, self.all) = (done, all)
        func text(_ count: Int) -> String {
            noun.map { NumberText.counted(count, $0) } ?? NumberText.bytes(count)
        }
        self.amount =
            amount
            ?? all.map { (noun == nil ? NumberText.bytes(done) : NumberText.grouped(done)) + " of " + text($0) }
            ?? text(done)
        rate = { noun == nil || $0 > 0 ? text($0) + "/s" : nil }
        let part = all.map { min(Double(done) / Double(max($0, 1)), 1) } ?? 0
        fraction = share.lowerBound + (share.upperBound - share.lowerBound) * part
    }
}

/// The rate of a step and the time left, estimated from the later half of its progress so far: some work comes in bursts, and
/// reading can stall.
struct ProgressEstimate {
    private static let shortestWindow: Duration = .seconds(10)
    /// No estimate is made from less time than this.
    private static let shortest: Duration = .seconds(1)
    /// More are thinned out.
    private static let mostSamples = 1_000
    private var start: Duration?
    private var samples: [(time: Duration, done: Int)] = []

    /// - Parameter time: since a fixed moment; never decreases.
    mutating func note(_ done: Int, at time: Duration) {
        let window = max(ProgressEstimate.shortestWindow, (time - (start ?? time)) / 2)
        if start == nil { start = time }
        if samples.count > ProgressEstimate.mostSamples {
            samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        }
        samples.append((time, done))
        // The first sample stays as old as the window, or a little older.
        while samples.count > 2, samples[1].time <= time - window { samples.removeFirst() }
    }

    /// Units per second; `nil` if too little time has passed, or if there is no progress.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= ProgressEstimate.shortest,
            last.done > first.done
        else { return nil }
        return Double(last.done - first.done) / ((last.time - first.time) / .seconds(1))
    }

    func secondsLeft(of all: Int) -> Int? {
        guard let rate, let done = samples.last?.done, done <= all else { return nil }
        return Int((Double(all - done) / rate).rounded(.up))
    }
}

/// Decides what is shown and when: a bar that is overwritten on a terminal, otherwise a plain line every ten seconds.
struct ProgressDisplay {
    let isTerminal: Bool
    private var estimate = ProgressEstimate()
    private var name = ""
    private var noted: Duration
    private var shown: Duration
    private var fraction = 0.0
    private var shownWidth = 0

    private static let pause: Duration = .milliseconds(100)
    private static let plainPause: Duration = .seconds(10)
    private static let barWidth = 24

    /// - Parameter start: the time now, since a fixed moment.
    init(isTerminal: Bool, start: Duration) {
        self.isTerminal = isTerminal
        (noted, shown) = (start, start)
    }

    /// Whether enough time has passed for another update.
    func isDue(at time: Duration) -> Bool { time - noted >= ProgressDisplay.pause }

    /// - Parameter width: of the terminal, in characters.
    /// - Returns: what to write; `nil` for nothing.
    mutating func update(_ step: ProgressStep, at time: Duration, width: Int) -> String? {
        noted = time
        if step.name != name {
            name = step.name
            estimate = ProgressEstimate()
        }
        estimate.note(step.done, at: time)
        // Steps overlap, and their shares of the bar are guesses: the bar must not go back.
        fraction = max(fraction, min(step.fraction, 1))
        guard isTerminal || time - shown >= ProgressDisplay.plainPause else { return nil }
        shown = time
        let text = text(of: step)
        guard isTerminal else { return "\(text), \(Int(fraction * 100))%\n" }
        let filled = Int(fraction * Double(ProgressDisplay.barWidth))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: ProgressDisplay.barWidth - filled)
        let line = String("\(bar) \(text)".prefix(max(width - 1, 1)))
        defer { shownWidth = line.count }
        // Spaces overwrite what a longer line left.
        return "\r" + line + String(repeating: " ", count: max(shownWidth - line.count, 0))
    }

    /// - Returns: text that erases the bar; `nil` if there is none.
    mutating func clear() -> String? {
        defer { shownWidth = 0 }
        return shownWidth > 0 ? "\r" + String(repeating: " ", count: shownWidth) + "\r" : nil
    }

    private func text(of step: ProgressStep) -> String {
        let name = step.amount.isEmpty ? step.name : "\(step.name) \(step.amount)"
        let rate = estimate.rate.flatMap { step.rate(Int($0.rounded())) }
        let left = step.all.flatMap { estimate.secondsLeft(of: $0) }.map { "\(NumberText.time(seconds: $0)) left" }
        return ([name] + [rate, left].compactMap(\.self)).joined(separator: ", ")
    }
}
