import Foundation
import Testing

/// What the fuzzer found before, without libFuzzer and the address sanitizer, but whenever tests run.
struct SeedTests {
    // One after the other, because checks write files.
    @Test(.serialized, arguments: FuzzTarget.allCases)
    func `every seed passes the checks of its target`(target: FuzzTarget) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Seeds/\(target.rawValue)").standardized
        let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!seeds.isEmpty)
        for seed in seeds { try Data(contentsOf: seed).withUnsafeBytes(target.check) }
    }
}
