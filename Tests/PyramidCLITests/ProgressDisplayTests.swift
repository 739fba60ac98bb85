import PyramidBuild
import PyramidTiles
import Testing

@testable import PyramidCLI

struct ProgressEstimateTests {
    @Test func `the rate is that of the later half, and of at least ten seconds`() {
        var estimate = ProgressEstimate()
        // Ten a second for a minute, then a thousand a second.
        for second in 0...60 { estimate.note(second * 10, at: .seconds(second)) }
        #expect(estimate.rate == 10)
        for second in 1...60 { estimate.note(600 + second * 1000, at: .seconds(60 + second)) }
        #expect(estimate.rate == 1000)
        #expect(estimate.secondsLeft(of: 65_600) == 5)
        #expect(estimate.secondsLeft(of: 60_601) == 1)
        #expect(estimate.secondsLeft(of: 60_600) == 0)
        #expect(estimate.secondsLeft(of: 60_599) == nil)
        var young = ProgressEstimate()
        for second in 0...2 { young.note(second, at: .seconds(second)) }
        for second in 3...12 { young.note(2 + (second - 2) * 50, at: .seconds(second)) }
        #expect(young.rate == 50)
    }

    @Test func `many samples make the same rate`() throws {
        var estimate = ProgressEstimate()
        for tenth in 0...100_000 { estimate.note(tenth * 3, at: .milliseconds(tenth * 100)) }
        #expect(abs(try #require(estimate.rate) - 30) < 0.001)
    }

    @Test func `nothing is said of too short a time, nor of work that stands still`() {
        var estimate = ProgressEstimate()
        #expect(estimate.rate == nil && estimate.secondsLeft(of: 1) == nil)
        estimate.note(7, at: .seconds(100))
        estimate.note(9_000, at: .milliseconds(100_999))
        #expect(estimate.rate == nil)
        estimate.note(9_007, at: .seconds(102))
        #expect(estimate.rate == 4_500)
        for second in 103...112 { estimate.note(9_007, at: .seconds(second)) }
        #expect(estimate.rate == nil && estimate.secondsLeft(of: 10_000) == nil)
    }

    @Test func `bursts and stalls make one rate`() throws {
        var estimate = ProgressEstimate()
        // Each part: twenty seconds without progress, then twenty rows in a second.
        for second in 0...420 { estimate.note(second / 21 * 20, at: .seconds(second)) }
        #expect(estimate.rate == 200.0 / 210 && estimate.secondsLeft(of: 600) == 210)
        var reading = ProgressEstimate()
        for second in 0...120 { reading.note(min(second, 100) * 10, at: .seconds(second)) }
        #expect(try #require(reading.rate) > 6)
    }

    @Test func `samples that are far apart make a rate as well`() {
        var estimate = ProgressEstimate()
        estimate.note(0, at: .seconds(0))
        estimate.note(3_000, at: .seconds(30))
        #expect(estimate.rate == 100 && estimate.secondsLeft(of: 4_550) == 16)
    }
}

struct ProgressDisplayTests {
    private func step(_ done: Int, of all: Int? = 1_000) -> ProgressStep {
        ProgressStep("uploading", done, of: all, "file")
    }

    @Test func `a bar is overwritten, with no rest of a longer line`() {
        var display = ProgressDisplay(isTerminal: true, start: .zero)
        #expect(!display.isDue(at: .milliseconds(99)) && display.isDue(at: .milliseconds(100)))
        let first = display.update(step(0), at: .seconds(1), width: 100)
        #expect(first == "\r" + String(repeating: "░", count: 24) + " uploading 0 of 1,000 files")
        #expect(!display.isDue(at: .milliseconds(1_099)))
        let second = display.update(step(250), at: .seconds(3), width: 100)
        #expect(
            second == "\r" + String(repeating: "█", count: 6) + String(repeating: "░", count: 18)
                + " uploading 250 of 1,000 files, 125 files/s, 6 s left")
        let third = display.update(ProgressStep("sorting", "7 points", fraction: 0.5), at: .seconds(4), width: 100)
        let text = String(repeating: "█", count: 12) + String(repeating: "░", count: 12) + " sorting 7 points"
        #expect(third == "\r" + text + String(repeating: " ", count: (second?.count ?? 0) - 1 - text.count))
        #expect(display.clear() == "\r" + String(repeating: " ", count: text.count) + "\r")
        #expect(display.clear() == nil)
    }

    @Test(arguments: [1, 2, 20, 40])
    func `a narrow terminal gets one line, cut`(width: Int) {
        var display = ProgressDisplay(isTerminal: true, start: .zero)
        for second in 1...20 {
            let text = display.update(step(second * 50), at: .seconds(second), width: width) ?? ""
            #expect(text.hasPrefix("\r") && text.count - 1 <= max(width - 1, 1))
        }
    }

    @Test func `the bar never goes back`() {
        var display = ProgressDisplay(isTerminal: true, start: .zero)
        var filled = 0
        let fractions = [0.1, 0.4, 0.3, 0.9, 0.2, 7, 0.5]
        for (second, fraction) in fractions.enumerated() {
            let text = display.update(
                ProgressStep("step \(second)", fraction: fraction), at: .seconds(second), width: 90)
            let count = text?.count { $0 == "█" } ?? 0
            #expect(count >= filled)
            filled = count
        }
        #expect(filled == 24)
    }

    @Test func `without a terminal there is a plain line every ten seconds`() {
        var display = ProgressDisplay(isTerminal: false, start: .seconds(5))
        var lines: [String] = []
        for tenth in 50...400 where display.isDue(at: .milliseconds(tenth * 100)) {
            let done = tenth * 2 - 100
            if let line = display.update(step(done), at: .milliseconds(tenth * 100), width: 1) { lines.append(line) }
        }
        #expect(
            lines == [
                "uploading 200 of 1,000 files, 20 files/s, 40 s left, 20%\n",
                "uploading 400 of 1,000 files, 20 files/s, 30 s left, 40%\n",
                "uploading 600 of 1,000 files, 20 files/s, 20 s left, 60%\n",
            ])
        #expect(display.clear() == nil)
    }

    @Test func `the steps of a build have rates and times, standard input only a rate`() {
        var steps = BuildSteps()
        var display = ProgressDisplay(isTerminal: false, start: .seconds(-100))
        func text(_ progress: BuildProgress, at second: Int) -> String? {
            steps.add(progress)
            return display.update(steps.step(at: progress), at: .seconds(second), width: 80)
        }
        _ = text(.copying(bytes: 1_000_000), at: 0)
        #expect(text(.copying(bytes: 5_000_000), at: 10) == "copying the input, 5.0 MB, 400.0 kB/s, 0%\n")
        _ = text(.reading(bytes: 0, of: 9_000_000), at: 20)
        #expect(
            text(.reading(bytes: 4_500_000, of: 9_000_000), at: 30)
                == "reading 4.5 MB of 9.0 MB, 450.0 kB/s, 10 s left, 5%\n")
        #expect(text(.sorting(points: 1_234), at: 40) == "sorting 1,234 points, 10%\n")
        #expect(text(.clustering(zoom: 7), at: 50) == "clustering zoom 7, 10%\n")
        _ = text(.writing(tiles: 0, markers: 0, ofMarkers: 100_000), at: 60)
        _ = text(.writing(tiles: 30, markers: 20_000, ofMarkers: 100_000), at: 65)
        #expect(
            text(.writing(tiles: 40, markers: 30_000, ofMarkers: 100_000), at: 70)
                == "writing 70 tiles, 5,000 markers/s, 10 s left, 60%\n")
        #expect(text(.arranging(zoom: 2), at: 80) == "arranging zoom 2, 60%\n")
    }

    @Test(arguments: [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "120 min"), (7_200, "2 h"), (9_001, "3 h")])
    func `a time to wait is short`(seconds: Int, text: String) {
        #expect(NumberText.time(seconds: seconds) == text)
    }
}
