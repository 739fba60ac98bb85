import Foundation
import PyramidParts
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

/// Builds whose lists of files are larger than the memory for them.
struct ListMemoryTests {
    private static func csv(seed: UInt64) -> String {
        var random = SeededRandom(seed: seed)
        let rows = (0..<300).map { number in
            "p\(number),\(random.next(below: 80_000) - 3_000)e-3,\(random.next(below: 300_000) - 150_000)e-3\n"
        }
        return "name,lat,lon\n" + rows.joined()
    }

    /// Every file of an output, by its path.
    private func files(_ folder: TemporaryFolder, _ name: String) -> [String: Data] {
        var files: [String: Data] = [:]
        for path in [name] + (folder.url.subpaths(of: name)) {
            files[String(path.dropFirst(name.count))] = FileManager.default.contents(atPath: folder.path(path))
        }
        return files
    }

    @Test(arguments: [TilesetLayout.files, .bundles(limit: 20), .archive], [1, 1000])
    func `lists on disk give the same bytes, for a new tileset and over an older one`(
        layout: TilesetLayout, budgetBytes: Int
    ) throws {
        let folder = try TemporaryFolder()
        let spools = try TemporaryFolder()
        let suffix = layout == .archive ? ".pmtiles" : ""
        func build(_ seed: UInt64, to name: String, onDisk: Bool) throws -> BuildReport {
            var options = BuildOptions(
                inputPaths: [try folder.file("\(seed).csv", ListMemoryTests.csv(seed: seed))],
                outputPath: folder.path(name), clustering: ClusteringOptions(maxZoom: 6), jobs: 3)
            options.storage.layout = layout
            options.syncs = false
            if onDisk { options.listMemory = ListMemory(budgetBytes: budgetBytes, folder: spools.path) }
            return try PyramidBuilder(options: options).build()
        }
        let (expected, found) = ("expected\(suffix)", "found\(suffix)")
        for seed in [4, 5] as [UInt64] {
            let reports = try [build(seed, to: expected, onDisk: false), build(seed, to: found, onDisk: true)]
            #expect(files(folder, found) == files(folder, expected), "version \(seed)")
            #expect(reports[0].changes == reports[1].changes)
            #expect(reports[0].manifest.zooms == reports[1].manifest.zooms)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: spools.path).isEmpty)
    }
}

extension URL {
    fileprivate func subpaths(of name: String) -> [String] {
        let found = try? FileManager.default.subpathsOfDirectory(atPath: appendingPathComponent(name).path)
        return (found ?? []).map { "\(name)/\($0)" }
    }
}
