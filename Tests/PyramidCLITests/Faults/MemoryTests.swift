import Foundation
import TestSupport
import Testing

/// The memory of builds, counted at every allocation, beside what the article Speed and reliability promises.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct MemoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a build has allocated at most, and its tiles.
    private func build(points: Int, maxZoom: Int, _ options: [String]) throws -> (bytes: Int, tiles: Int) {
        var random = SeededRandom(seed: 8)
        let rows = (0..<points).map { index in
            let (north, east) = (random.next(below: 160_000), random.next(below: 360_000))
            return "\(Double(north) / 1000 - 80),\(Double(east) / 1000 - 180),\(index % 97)\n"
        }
        let input = try folder.file("points.csv", "lat,lon,n\n" + rows.joined())
        let outcome = try CommandLineProgram.run(
            ["build", input, folder.path("\(UUID())"), "--max-zoom", "\(maxZoom)", "--jobs", "1", "--quiet", "--json"]
                + ["--no-sync"] + options,
            environment: FaultLibrary.environment(memoryLogPath: folder.path("most")))
        try #require(outcome.exitCode == 0, "\(outcome.standardError)")
        let tiles = try #require((outcome.json()["tiles"] as? [String: Int])?["written"])
        let text = try String(contentsOfFile: folder.path("most"), encoding: .utf8)
        return (try #require(Int(text.trimmingCharacters(in: .newlines))), tiles)
    }

    /// The numbers of the article: bytes of a build, of one with bundles, of a point, a column's value, and a tile.
    private func promise() throws -> (build: Int, bundles: Int, point: Int, value: Int, tile: Int) {
        let article = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
                "../../../Sources/Documentation/Pyramid.docc/Reference/SpeedAndReliability.md"), encoding: .utf8)
        let start = try #require(article.range(of: "A build needs at most about "))
        let sentence = try #require(article[start.upperBound...].split(separator: "tile").first)
        let numbers = sentence.split { !$0.isNumber }.compactMap { Int($0) }
        try #require(numbers.count == 5, "\(sentence)")
        return (numbers[0] * 1_000_000, numbers[1] * 1_000_000, numbers[2], numbers[3], numbers[4])
    }

    @Test(arguments: [[], ["--accumulate-attribute", "n:sum"], ["--bundle", "256"]])
    func `a build needs no more for each point and tile than the article says`(options: [String]) throws {
        let promise = try promise()
        let perPoint = promise.point + (options.contains("n:sum") ? promise.value : 0)
        let few = try build(points: 4000, maxZoom: 3, options)
        let many = try build(points: 24_000, maxZoom: 3, options)
        #expect(few.bytes < (options.contains("--bundle") ? promise.bundles : promise.build))
        // The places of the points alone are 16 bytes.
        #expect(many.bytes - few.bytes > 20_000 * 16)
        #expect(many.bytes - few.bytes <= 20_000 * perPoint + (many.tiles - few.tiles) * promise.tile)
        let deep = try build(points: 24_000, maxZoom: 8, options)
        #expect(deep.tiles > many.tiles + 100 || options.contains("--bundle"))
        // Each further zoom takes 4 bytes for each of its markers. With fewer points, it would be as little as the buffers that
        // threads happen to have at once.
        #expect(deep.bytes - many.bytes <= (deep.tiles - many.tiles) * promise.tile + 5 * 24_000 * 4)
    }
}
