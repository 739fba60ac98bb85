import Foundation
import TestSupport
import Testing

/// `plan`, as a program.
@Suite(.tags(.slow)) struct PlanCommandTests {
    private struct Answer: Decodable {
        struct Part: Decodable {
            let tile: String
            let rows, rowsWithHalo, memoryBytes: Int
        }
        let countOccupiedTilesAt: [Int]?
        let cutZoom, countRowsAt: Int?
        let haloUnits: UInt64?
        let parts: [Part]?
    }

    private func answer(_ options: String..., input: String = "") throws -> Answer {
        let outcome = try CommandLineProgram.run(["plan"] + options, input: Data(input.utf8))
        try #require(outcome.exitCode == 0, "\(outcome.standardError)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: Data(outcome.standardOutput.utf8))
    }

    @Test func `three steps lead from options to parts`() throws {
        // A marker has a cell of 64 pixels: two zooms more than its own, and not more than 4^9 of them at zoom 9.
        let zooms = try #require(try answer("--max-zoom", "10", "--join-markers", "300000").countOccupiedTilesAt)
        #expect(zooms == [10])
        let cut = try answer("--max-zoom", "10", "--join-markers", "300000", "--occupied-tiles", "10:300001")
        #expect(cut.cutZoom == 7 && cut.countRowsAt == 5 && cut.parts == nil)
        #expect(
            try answer("--max-zoom", "10", "--join-markers", "300000", "--occupied-tiles", "10:300000").cutZoom == 8)
        // Of two counts for one zoom, the greater one is safe.
        let twice = ["10:300001,10:7", "10:7,10:300001"]
        for counts in twice {
            let answer = try answer("--max-zoom", "10", "--join-markers", "300000", "--occupied-tiles", counts)
            #expect(answer.cutZoom == 7)
        }
        #expect(try answer("--max-zoom", "10").cutZoom == nil)
        #expect(try answer("--max-zoom", "8").cutZoom == 6)

        // Two towns on both sides of the antimeridian, and one in the middle, counted in smaller tiles.
        let counts = "5/0/9 600\n5/31/9\t300\n6/32/33 400\n6/33/33 2\n"
        let plan = try answer("--max-zoom", "10", "--cut-zoom", "7", "--rows-per-part", "700", input: counts)
        #expect(plan.cutZoom == 7)
        #expect(try #require(plan.haloUnits) <= 992 << 17)
        let parts = try #require(plan.parts)
        #expect(parts.map(\.rows).reduce(0, +) == 1302)
        // Each of the two towns is in the other part's halo, so they can't be separated.
        #expect(parts.filter { [600, 300].contains($0.rows) }.map(\.rowsWithHalo) == [900, 900])
        #expect(parts.contains { $0.rows == 402 && $0.tile.hasPrefix("1/1/1") })
        #expect(try answer("--max-zoom", "10", "--cut-zoom", "7", input: counts).parts?.map(\.tile) == ["0/0/0"])
    }

    @Test func `parts need more memory for more columns, and tiles of other sizes have other halos`() throws {
        let counts = "5/9/8 1000000\n"
        let plain = try answer("--max-zoom", "10", "--cut-zoom", "7", input: counts)
        let summed = try answer(
            "--max-zoom", "10", "--cut-zoom", "7", "--accumulate-attribute", "n:sum", input: counts)
        let (less, more) = (try #require(plain.parts?.first), try #require(summed.parts?.first))
        #expect(less.memoryBytes > 50_000_000 && more.memoryBytes > less.memoryBytes + 30_000_000)
        let tiles = try answer("--max-zoom", "10", "--cut-zoom", "7", "--format", "mvt", input: "")
        #expect(try #require(tiles.haloUnits) < (try #require(plain.haloUnits)) * 2 / 3)
    }

    @Test(arguments: [
        (["--max-zoom", "auto"], "", "--part needs --max-zoom with a number"),
        (["--max-zoom", "1"], "", "two zooms with clusters"),
        (["--max-zoom", "9", "--cut-zoom", "8"], "", "--cut-zoom is 8, expected 0 to 7"),
        (["--max-zoom", "9", "--cluster-distance", "900"], "", "--cluster-distance is 900"),
        (["--max-zoom", "9", "--rows-per-part", "0"], "", "--rows-per-part is 0, expected 1 or more"),
        (["--max-zoom", "9", "--occupied-tiles", "9"], "", "expected zoom:count, such as 11:52000"),
    ])
    func `options that can't be planned are refused`(options: [String], input: String, words: String) throws {
        let outcome = try CommandLineProgram.run(["plan"] + options, input: Data(input.utf8))
        #expect(outcome.exitCode == 64 && outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains(words), "\(outcome.standardError)")
    }

    @Test(arguments: [
        ("5/1/2 7\n4/1/2 7\n", "standard input:2: found tile 4/1/2, expected tiles of zoom 5; count the rows in these"),
        ("5/1/2 7\n5/1/2 x\n", "standard input:2: found \"5/1/2 x\", expected a tile and its number of rows"),
        ("5/1/2,7\n", "standard input:1"), ("5/32/2 7\n", "standard input:1"), ("5/1/2 -7\n", "standard input:1"),
        ("5/1/2 7 7\n", "standard input:1"), ("5//2 7\n", "standard input:1"), ("5/1/2 \n", "standard input:1"),
        ("5/1/2 9999999999999\n", "standard input:1"),
    ])
    func `counts that can't be read are named by their line`(input: String, words: String) throws {
        let outcome = try CommandLineProgram.run(
            ["plan", "--max-zoom", "10", "--cut-zoom", "7"], input: Data(input.utf8))
        #expect(outcome.exitCode == 65 && outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains(words), "\(outcome.standardError)")
    }
}
