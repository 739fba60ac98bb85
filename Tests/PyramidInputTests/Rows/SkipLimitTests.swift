import Foundation
import PyramidBuild
import PyramidParts
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

struct SkipLimitTests {
    @Test func `a limit is a number of rows or a share`() {
        for text in ["0", "7", "20", "0%", "5%", "100%"] { #expect(SkipLimit(text)?.description == text) }
        #expect(SkipLimit("007") == .rows(7) && SkipLimit("7%") == .percent(7))
        for text in ["", "%", "-1", "+1", "1.5%", "5 %", "%5", "x", "101%", "1e3", "5%%", "99999999999999999999"] {
            #expect(SkipLimit(text) == nil, "\(text)")
        }
    }

    /// - Parameter bad: at these numbers of other rows, the most bad ones that are allowed.
    @Test(arguments: [
        (SkipLimit.standard, [0: 1, 1: 1, 8: 1, 17: 1, 18: 2, 26: 2, 27: 3, 4500: 500]),
        (.rows(3), [0: 3, 1: 3, 4500: 3]), (.rows(0), [1: 0, 4500: 0]),
        (.percent(10), [0: 0, 8: 0, 9: 1, 18: 2, 4500: 500]), (.percent(0), [4500: 0]),
        (.percent(100), [0: 10_000, 7: 10_000]), (.percent(99), [1: 99, 2: 198]),
    ])
    func `a limit allows so many bad rows beside the others`(limit: SkipLimit, allowed: [Int: Int]) {
        for (others, bad) in allowed {
            #expect(limit.allows(bad, of: bad + others), "\(bad) beside \(others)")
            guard bad < 10_000 else { continue }
            #expect(!limit.allows(bad + 1, of: bad + 1 + others), "\(bad + 1) beside \(others)")
        }
    }

    @Test func `the limit that a message names is the least that is enough`() {
        var random = SeededRandom(seed: 43)
        for _ in 0..<2000 {
            let inputs = (0...random.next(below: 3)).map { _ in
                let bad = random.next(below: 40)
                return (bad: bad, count: bad + random.next(below: 300))
            }
            func allowsAll(_ limit: SkipLimit) -> Bool { inputs.allSatisfy { limit.allows($0.bad, of: $0.count) } }
            let shares = (0...100).map { SkipLimit.percent($0) }
            #expect(SkipLimit.standard.raised(toAllow: inputs) == shares.first(where: allowsAll))
            let counts = (0...40).map { SkipLimit.rows($0) }
            #expect(SkipLimit.rows(2).raised(toAllow: inputs) == counts.first(where: allowsAll))
        }
    }
}

/// Inputs with too many bad rows.
struct TooManyBadRowsTests {
    /// A file with so many rows of each kind, the bad ones first.
    private func csv(good: Int, bad: Int, empty: Int = 0) -> String {
        "name,lat,lon\n" + (0..<bad).map { "b\($0),x\($0),7\n" }.joined() + (0..<empty).map { "e\($0),,\n" }.joined()
            + (0..<good).map { "g\($0),\($0 % 80).25,-\($0 % 170).5\n" }.joined()
    }

    private func error(_ texts: [String], _ options: InputOptions = InputOptions()) -> InputError? {
        let inputs = texts.enumerated().map { InputBytes(Array($1.utf8), name: "\($0).csv") }
        do throws(InputError) {
            _ = try PointTable(reading: inputs, options: options)
            return nil
        } catch { return error }
    }

    private func problem(_ texts: [String], _ options: InputOptions = InputOptions()) -> String? {
        error(texts, options)?.description
    }

    @Test func `an input may skip a tenth of its rows, and always one`() {
        for (good, bad) in [(1, 1), (8, 1), (18, 2), (90, 10)] { #expect(problem([csv(good: good, bad: bad)]) == nil) }
        for (good, bad) in [(1, 2), (17, 2), (89, 10), (93, 4907)] {
            #expect(error([csv(good: good, bad: bad)])?.kind == .badData, "\(bad) of \(good + bad)")
        }
    }

    @Test func `the message says how many, why, where, and the option that lets it pass`() {
        let text = csv(good: 4, bad: 2) + "c,95,7\nd,1,2,3\n"
        #expect(
            problem([text])
                == "0.csv: skipped 4 of 8 rows, 50% (unreadable coordinate: 2, coordinate out of range: 1, ragged row: 1), "
                + "expected at most 10% or 1 row; 0.csv:2: latitude is \"x0\", expected degrees from -90 to 90; "
                + "0.csv:8: latitude is \"95\", expected degrees from -90 to 90; 0.csv:9: row has 4 cells, expected 3, so its "
                + "coordinates are uncertain; "
                + "to build without these rows, use max skipped 50%")
        #expect(
            problem([text], InputOptions(maxSkipped: .rows(3)))?.contains(
                "skipped 4 of 8 rows (unreadable coordinate: 2, coordinate out of range: 1, ragged row: 1), expected at most 3 "
                    + "(max skipped)") == true)
        #expect(
            problem([text], InputOptions(maxSkipped: .percent(49)))?.contains(
                "skipped 4 of 8 rows, 50% (unreadable coordinate: 2, coordinate out of range: 1, ragged row: 1), expected at "
                    + "most 49% (max skipped)") == true)
    }

    @Test func `the advice about an input is in the message`() {
        let metres = "lat,lon\n" + (0..<9).map { "5300\($0)00,500000\n" }.joined() + "1,2\n"
        #expect(
            problem([metres])?.contains(
                "; most coordinates are far too large for degrees; whole numbers can be degrees")
                == true)
        let swapped = "lat,lon\n" + (0..<9).map { "13\($0),5\n" }.joined() + "1,2\n"
        #expect(
            problem([swapped])?.contains("but would be in range if swapped with the longitudes: name the columns")
                == true)
    }

    @Test func `the named option lets exactly this file pass`() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<30 {
            let texts = (0...random.next(below: 2)).map { _ in
                csv(good: 1 + random.next(below: 30), bad: random.next(below: 20), empty: random.next(below: 5))
            }
            for options in [InputOptions(), InputOptions(maxSkipped: .rows(1)), InputOptions(isStrict: true)] {
                guard let problem = problem(texts, options) else { continue }
                let match = try #require(problem.firstMatch(of: /, use max skipped (\d+)(%?)(?: instead of strict)?$/))
                let number = try #require(Int(match.1))
                let limit = { match.2.isEmpty ? SkipLimit.rows(number + $0) : .percent(number + $0) }
                #expect(self.problem(texts, InputOptions(maxSkipped: limit(0))) == nil)
                if number > 0 { #expect(self.problem(texts, InputOptions(maxSkipped: limit(-1))) != nil) }
            }
        }
    }

    @Test func `each input is judged by itself`() {
        let (clean, bad) = (csv(good: 1000, bad: 0), csv(good: 3, bad: 2))
        #expect(problem([clean, bad, clean])?.hasPrefix("1.csv: skipped 2 of 5 rows, 40% (") == true)
        #expect(problem([bad, clean, csv(good: 1, bad: 9)])?.hasSuffix(", use max skipped 90%") == true)
        // The standard limit allows one of two, and the named share must as well.
        #expect(problem([csv(good: 1, bad: 1), bad])?.hasSuffix(", use max skipped 50%") == true)
        // All rows of one input.
        #expect(problem([clean, csv(good: 0, bad: 5)])?.hasSuffix(", use max skipped 100%") == true)
        #expect(problem([clean, csv(good: 0, bad: 5)], InputOptions(maxSkipped: .unlimited)) == nil)
        #expect(problem([bad, bad], InputOptions(maxSkipped: .rows(2))) == nil)
    }

    @Test func `rows without coordinates neither count nor change the share`() {
        #expect(problem([csv(good: 9, bad: 0, empty: 500)]) == nil)
        #expect(problem([csv(good: 9, bad: 1, empty: 500)]) == nil)
        #expect(
            problem([csv(good: 9, bad: 2, empty: 500)])?.hasPrefix(
                "0.csv: skipped 2 of 11 rows, 19% (unreadable coordinate: 2), expected at most 10% or 1 row; "
                    + "500 more don't count (missing coordinate: 500); 0.csv:2: ") == true)
        #expect(
            problem([csv(good: 9, bad: 2, empty: 1)])?.contains("; 1 more doesn't count (missing coordinate: 1); ")
                == true)
        let features = (0..<9).map { _ in #"{"type":"Feature","geometry":null,"properties":{}}"# + "\n" }.joined()
        #expect(problem([features + GeoJSONText.feature()]) == nil)
    }

    @Test func `rows whose ids are repeated count in all inputs together, and the message names the first two`() {
        let (header, rows) = ("id,lat,lon\n", (0..<20).map { "\($0),\($0),7\n" }.joined())
        let options = { (maxSkipped: SkipLimit?) in InputOptions(idColumn: "id", maxSkipped: maxSkipped) }
        #expect(problem([header + rows + "4,1,1\n3,1,1\n"], options(nil)) == nil)
        let (start, end) = (
            "skipped 3 of 23 rows, 14% (duplicate id: 3), expected at most 10% or 1 row; \"id\" is \"4\" in both 0.csv:6 and ",
            ": name a column with another value in each row with id column, or none; to build without these rows, use "
                + "max skipped 14%"
        )
        let more = "4,1,1\n3,1,1\n4,2,2\n"
        #expect(problem([header + rows + more], options(nil)) == "0.csv: \(start)0.csv:22\(end)")
        #expect(problem([header + rows, header + more], options(nil)) == "2 inputs: \(start)1.csv:2\(end)")
        #expect(problem([header + rows, header + more], options(.percent(13))) != nil)
        #expect(problem([header + rows, header + more], options(.percent(14))) == nil)
        #expect(problem([header + rows + "4,1,1\n", header + "3,1,1\n30,x,1\n"], options(.rows(2))) != nil)
        #expect(problem([header + rows + "4,1,1\n", header + "3,1,1\n30,x,1\n"], options(.rows(3))) == nil)
        // Other bad rows are those of one input, as without repeated ids.
        #expect(
            problem([header + rows, header + "3,1,1\n30,x,1\n31,y,1\n"], options(nil))?.hasPrefix(
                "1.csv: skipped 2 of 2 rows, 100% (unreadable coordinate: 2), ") == true)
    }

    @Test func `strict reading allows no skipped row, whatever the reason`() {
        #expect(problem([csv(good: 1000, bad: 0)], InputOptions(isStrict: true)) == nil)
        #expect(
            problem([csv(good: 1000, bad: 0, empty: 1)], InputOptions(isStrict: true))
                == "0.csv: skipped 1 of 1,001 rows (missing coordinate: 1), expected none (strict); 0.csv:2: latitude is "
                + "missing, expected degrees from -90 to 90; to build without these rows, use max skipped 0 instead of strict"
        )
        #expect(
            problem([csv(good: 1000, bad: 2, empty: 1)], InputOptions(isStrict: true))?.hasSuffix(
                ", use max skipped 2 instead of strict") == true)
    }

    @Test func `no usable row remains an error of its own`() {
        for options in [InputOptions(), InputOptions(isStrict: true), InputOptions(maxSkipped: .unlimited)] {
            #expect(problem([csv(good: 0, bad: 3)], options)?.contains("none of 3 rows is usable") == true)
        }
    }

    @Test func `limits that can't be are refused`() {
        func problem(_ input: InputOptions) -> String? {
            BuildOptions(inputPaths: ["a"], outputPath: "out", input: input).problem?.description
        }
        #expect(
            problem(InputOptions(maxSkipped: .rows(-1))) == "max skipped is -1, expected 0 or more rows, or 0% to 100%")
        #expect(problem(InputOptions(maxSkipped: .percent(101)))?.hasPrefix("max skipped is 101%, ") == true)
        #expect(problem(InputOptions(skipLines: -2)) == "skip lines is -2, expected 0 or more")
        #expect(
            problem(InputOptions(isStrict: true, maxSkipped: .rows(1)))
                == "max skipped can't be used with strict, which allows no skipped row")
        #expect(problem(InputOptions(maxSkipped: .percent(100))) == nil)
    }

    @Test func `options of CSV alone are refused for GeoJSON`() throws {
        let options = InputOptions(skipLines: 1)
        let name = "skip lines"
        #expect(problem([GeoJSONText.feature()], options) == "0.csv: is GeoJSON, but \(name) is only for CSV")
        #expect(error([GeoJSONText.feature()], options)?.kind == .usage)
        #expect(problem([GeoJSONText.feature(), "lat,lon\nlat,lon\n1,2\n"], options) == nil)
        var build = BuildOptions(
            inputPaths: ["a"], outputPath: "part", input: options, clustering: ClusteringOptions(maxZoom: 4))
        build.schema = PointSchema(columns: [])
        let world = WorldPart(tile: try #require(TileCoordinate(z: 0, x: 0, y: 0)), cutZoom: 1)
        let part = PartOptions(build: build, part: world)
        #expect(part.problem?.description == "\(name) can't be used with part, which reads GeoJSON")
        #expect(build.planProblem(cutZoom: 1)?.description == "\(name) can't be used with part, which reads GeoJSON")
    }
}
