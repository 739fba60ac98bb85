import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidClusters
@testable import PyramidInput
@testable import PyramidParts

/// Builds from a file that is changed in the middle.
struct ChangedDuringBuildTests {
    enum Output: CaseIterable {
        case tiles, bundles, vectorTiles
    }

    /// When the file is changed.
    enum Moment: CaseIterable {
        case reading, sorting, clustering, arranging, writing

        func isReached(_ progress: BuildProgress) -> Bool {
            switch (self, progress) {
            case (.reading, .reading), (.sorting, .sorting), (.clustering, .clustering), (.arranging, .arranging),
                (.writing, .writing):
                true
            default: false
            }
        }
    }

    private static let header = "id,lat,lon,name,size\n"
    private static let rows = (0..<24).map { index in
        "\(index),\(Double(index % 7) * 1.5 - 4),\(Double(index % 11) * -2.25),\"n \(index % 3), \"\"x\"\"\",\(index * 3)\n"
    }
    private static var content: String { header + rows.joined() }

    private static let features = (0..<24).map { index in
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(index % 11),\#(index % 7)]},"#
            + #""properties":{"id":\#(index),"name":"n \#(index % 3)","size":\#(index * 3)}}"#
    }
    private static var collection: String {
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",\n") + "]}\n"
    }

    /// Other contents. All of what was there is on one page of memory, which stays if the file is cut.
    private static func changes(of content: String) -> [[UInt8]] {
        let bytes = Array(content.utf8)
        let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: bytes.count)
        let longer = content.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "9" }
        return [
            Array(bytes.reversed()), quotes, Array(longer.joined(separator: "\n").utf8),
            Array(content.replacing("n 1", with: "\"\"1").utf8), Array(content.replacing(",", with: "\n").utf8),
            Array(bytes.dropFirst(7) + bytes.prefix(7)), Array(bytes.prefix(10)), bytes + bytes,
        ]
    }

    @Test(arguments: Output.allCases, Moment.allCases)
    func `a file that is changed in the middle of a build ends it with an error`(
        output: Output, moment: Moment
    ) throws {
        for content in [ChangedDuringBuildTests.content, ChangedDuringBuildTests.collection] {
            for change in ChangedDuringBuildTests.changes(of: content) {
                try build(content, output, changedAt: moment, to: change)
            }
        }
    }

    private func build(
        _ content: String, _ output: Output, changedAt moment: Moment, to change: [UInt8]
    ) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("points", content)
        // Some systems take the time from a slow clock.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        var options = BuildOptions(
            inputPaths: [path], outputPath: folder.path("out"), input: InputOptions(idColumn: "id"),
            clustering: ClusteringOptions(maxZoom: 3),
            clusters: ClusterContentOptions(
                accumulate: [Accumulation(name: "size", operation: .sum)],
                countBy: [CategoryCount(name: "name", limit: 2)], memberLimit: 5),
            jobs: 2)
        options.syncs = false
        switch output {
        case .tiles: break
        case .bundles: options.storage.layout = .bundles(limit: 100)
        case .vectorTiles: options.storage.codec = .mvt
        }
        let writer = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let error = #expect(throws: InputError.self) {
            _ = try PyramidBuilder(options: options).build { progress in
                guard moment.isReached(progress) else { return }
                _ = change.withUnsafeBytes { pwrite(writer.fileDescriptor, $0.baseAddress, $0.count, 0) }
                ftruncate(writer.fileDescriptor, off_t(change.count))
            }
        }
        #expect(error?.kind == .unreadable && error?.description.contains("was changed by another program") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out/\(Manifest.fileName)")))
    }
}
