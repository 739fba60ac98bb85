import Foundation
@testable import PyramidVerification
import TestSupport
import Testing

@testable import PyramidTiles

/// The fuzzer's checks without libFuzzer and the address sanitizer, but whenever tests run. One after the other, because checks
/// write files.
@Suite(.serialized) struct SeedTests {
    private func seeds(_ target: FuzzTarget) throws -> [Data] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Seeds/\(target.rawValue)").standardized
        let written = (WrittenSeeds.all[target] ?? [:]).sorted { $0.key < $1.key }.map { Data($0.value) }
        guard FileManager.default.fileExists(atPath: folder.path) else { return written }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try written + files.sorted { $0.path < $1.path }.map { try Data(contentsOf: $0) }
    }

    @Test func `the seeds that are written are complete, and their tilesets are sound`() throws {
        let counts: [FuzzTarget: Int] = [
            .partwise: 6, .manifest: 8, .tilejson: 8, .lists: 8, .forgery: 8, .tile: 1, .archive: 6, .part: 6,
        ]
        #expect(WrittenSeeds.all.mapValues(\.count) == counts)
        for (name, seed) in WrittenSeeds.all[.manifest] ?? [:] {
            let sections = seed.withUnsafeBytes { NamedSections($0) }
            let manifest = try Manifest(decoding: #require(sections[Manifest.fileName]))
            #expect(
                PyramidVerifier(tileset: FuzzedTileset(manifest, sections), jobs: 1).verify().findings == [], "\(name)")
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every seed passes the checks of its target`(target: FuzzTarget) throws {
        let seeds = try seeds(target)
        #expect(!seeds.isEmpty)
        for seed in seeds { seed.withUnsafeBytes(target.check) }
    }

    @Test(arguments: ["facets", "facets-vector"])
    func `each value of the metadata can be missing, doubled or far too large`(tileset: String) throws {
        let number = UInt8(try #require(Forgery.tilesets.firstIndex { $0.key == tileset }))
        let count = Forgery(of: Int(number)).valueCount
        #expect(count > 150)
        for index in 0..<count {
            for kind: UInt8 in [0, 1, 3] {
                [number, kind, UInt8(index >> 8), UInt8(index & 255), 0].withUnsafeBytes(checkForgery)
            }
        }
    }

    /// Twenty inputs, the same in every run; as many as fit into `PYRAMID_FUZZ_SECONDS`, each time others. A check that fails ends
    /// the process, and leaves its input.
    @Test(arguments: FuzzTarget.allCases)
    func `seeds with random changes pass the checks of their target`(target: FuzzTarget) throws {
        let seconds = ProcessInfo.processInfo.environment["PYRAMID_FUZZ_SECONDS"].flatMap(Double.init)
        let input = TemporaryFolder.parent.appendingPathComponent("pyramid-fuzzing-\(target.rawValue)-\(getpid())")
        let end = seconds.map { Date(timeIntervalSinceNow: $0) }
        if seconds != nil { print("\(target): if a check ends the process, its input is \(input.path)") }
        var random = SeededRandom(seed: seconds == nil ? 0 : .random(in: 0 ... .max))
        let seeds = try seeds(target)
        var count = 0
        while end.map({ Date() < $0 }) ?? (count < 20) {
            let bytes = Data(mutated(seeds, &random))
            try bytes.write(to: input)
            bytes.withUnsafeBytes(target.check)
            count += 1
        }
        try FileManager.default.removeItem(at: input)
        if seconds != nil { print("\(target): \(count) inputs") }
    }

    /// One of the seeds with up to eight changes, some of them by pieces of others.
    private func mutated(_ seeds: [Data], _ random: inout SeededRandom) -> [UInt8] {
        func piece(of bytes: [UInt8]) -> Range<Int> {
            let start = random.next(below: bytes.count + 1)
            return start..<start + random.next(below: min(bytes.count - start, 64) + 1)
        }
        var bytes = [UInt8](seeds[random.next(below: seeds.count)])
        for _ in 0...random.next(below: 8) {
            let range = piece(of: bytes)
            switch random.next(below: 5) {
            case 0 where range.lowerBound < bytes.count: bytes[range.lowerBound] ^= 1 << UInt8(random.next(below: 8))
            case 1 where range.lowerBound < bytes.count:
                let telling: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, 10, 34, 45, 48, 57]
                bytes[range.lowerBound] = telling[random.next(below: telling.count)]
            case 2: bytes.removeSubrange(range)
            case 3: bytes.insert(contentsOf: bytes[range], at: random.next(below: bytes.count + 1))
            default:
                let other = [UInt8](seeds[random.next(below: seeds.count)])
                bytes.replaceSubrange(range, with: other[piece(of: other)])
            }
        }
        return bytes
    }
}
