import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

@Suite(.tags(.slow)) struct VersionedPublishingTests {
    private let series: PyramidSeries
    private let trees: [[String: [UInt8]]]

    init() throws {
        series = try PyramidSeries([(20, 8, 1), (20, 9, nil), (14, 3, nil)], maxZoom: 2)
        trees = try series.pyramids.map { try PyramidSeries.files(of: $0) }
    }

    private func publisher(_ index: Int, _ destination: MemoryDestination, keeping count: Int = 1) -> Publisher {
        var publisher = Publisher(tileset: series.pyramids[index], destination: destination)
        publisher.batchCount = 7
        publisher.takesOver = true
        publisher.keptVersionCount = count
        return publisher
    }

    /// The name of the folder of a pyramid.
    private func version(_ index: Int) -> String { VersionFolder.name(ofManifest: trees[index]["manifest.json"] ?? []) }

    /// What is there after publishes of these, the newest first.
    private func expected(_ indices: [Int]) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for index in indices { files.merge(trees[index].map { ("\(version(index))/\($0)", $1) }) { $1 } }
        var pointer = try series.pyramids[indices[0]].tileJSON()
        pointer.tiles = pointer.tiles.map { "\(version(indices[0]))/\($0)" }
        pointer.data = pointer.tiles
        if let bundles = pointer.bundles?.template {
            pointer.bundles?.template = "\(version(indices[0]))/\(bundles)"
        }
        pointer.versions = indices.map(version)
        files["tilejson.json"] = try pointer.encoded()
        return files
    }

    @Test func `a version is in a folder of its own, which caches keep, below a TileJSON that they don't`() throws {
        let destination = MemoryDestination()
        try publisher(0, destination).publish()
        #expect(try destination.files.mapValues(\.bytes) == expected([0]))
        for (path, file) in destination.files {
            let caching = path == "tilejson.json" ? "no-cache" : "public, max-age=31536000, immutable"
            #expect(file.headers.cacheControl == caching, "\(path)")
        }
        _ = destination.takeLog()
        #expect(try publisher(0, destination).publish().isEmpty && destination.takeLog() == [])
    }

    @Test func `the TileJSON comes after all files of its version, and old versions go last`() throws {
        let destination = MemoryDestination()
        for index in 0..<2 { try publisher(index, destination).publish() }
        #expect(try destination.files.mapValues(\.bytes) == expected([1, 0]))
        _ = destination.takeLog()
        let plan = try publisher(2, destination).publish()
        #expect(try destination.files.mapValues(\.bytes) == expected([2, 1]))
        let log = destination.takeLog().filter { !$0.contains(".publishing") }
        let pointer = try #require(log.firstIndex(of: "upload tilejson.json"))
        #expect(Set(log[..<pointer]) == Set(trees[2].keys.map { "upload \(version(2))/\($0)" }))
        #expect(Set(log[(pointer + 1)...]) == Set(trees[0].keys.map { "remove \(version(0))/\($0)" }))
        #expect(Set(plan.uploads) == Set(trees[2].keys.map { "\(version(2))/\($0)" } + ["tilejson.json"]))
        #expect(plan.purges == ["tilejson.json"])
    }

    @Test func `going back is one small write`() throws {
        let destination = MemoryDestination()
        for index in [0, 1] { try publisher(index, destination).publish() }
        _ = destination.takeLog()
        #expect(try publisher(0, destination).publish().uploads == ["tilejson.json"])
        #expect(try destination.files.mapValues(\.bytes) == expected([0, 1]))
        #expect(destination.takeLog().filter { !$0.contains(".publishing") } == ["upload tilejson.json"])
    }

    @Test(arguments: [0, 1, 2])
    func `after a kill at any moment clients find a whole version, and the next publish leaves nothing behind`(
        next: Int
    ) throws {
        var changes = 0
        while true {
            let destination = MemoryDestination()
            for index in [0, 1] { try publisher(index, destination).publish() }
            destination.fail(afterChanges: changes)
            let isKilled = (try? publisher(2, destination).publish()) == nil
            destination.fail(afterChanges: .max)
            let files = destination.files.mapValues(\.bytes)
            let found = try TileJSON(decoding: files["tilejson.json"] ?? []).versions ?? []
            let shown = try #require([1, 2].first { [version($0)] == found.prefix(1) })
            for (path, bytes) in trees[shown] { #expect(files["\(version(shown))/\(path)"] == bytes) }
            #expect(shown == 2 || found == [version(1), version(0)], "after \(changes) changes")
            guard isKilled else { break }
            // The first version may have gone already.
            try publisher(next, destination).publish()
            let kept = (shown == 2 ? [2, 1] : [1, 0]).filter { $0 != next }.prefix(1)
            #expect(try destination.files.mapValues(\.bytes) == expected([next] + kept), "after \(changes) changes")
            changes += 1
        }
        #expect(changes > trees[2].count + 3)
    }

    @Test func `files that were lost are uploaded again if all are checked`() throws {
        let destination = MemoryDestination()
        try publisher(0, destination).publish()
        destination.files["\(version(0))/tiles/0/0/0.json"]?.bytes = []
        destination.files["\(version(0))/tilejson.json"] = nil
        var publisher = publisher(0, destination)
        #expect(try publisher.plan().isEmpty)
        publisher.checksSizes = true
        #expect(try publisher.publish().uploads.count == 2)
        #expect(try destination.files.mapValues(\.bytes) == expected([0]))
    }

    @Test func `a version whose folder is a link is refused before anything is touched, until it is moved away`() throws
    {
        let temporary = try TemporaryFolder()
        let www = temporary.path("www")
        func publish(_ index: Int) throws {
            var publisher = Publisher(
                tileset: series.pyramids[index], destination: DirectoryDestination(path: www, syncs: false))
            publisher.keptVersionCount = 0
            try publisher.publish()
        }
        try publish(0)
        for name in [version(0), version(1)] {
            let folder = "\(www)/\(name)"
            if name == version(0) { try FileManager.default.moveItem(atPath: folder, toPath: temporary.path("else")) }
            try FileManager.default.createSymbolicLink(
                atPath: folder, withDestinationPath: temporary.path("else"))
            let before = try fileTree(at: temporary.url.path)
            for index in [0, 1] where index == 1 || name == version(0) {
                let error = #expect(throws: PublishingError.self) { try publish(index) }
                #expect(error?.kind == .unusable)
                #expect(
                    error?.description.hasSuffix("\(name): is a symbolic link, expected a directory; move it away")
                        == true)
                #expect(try fileTree(at: temporary.url.path) == before)
            }
            try FileManager.default.removeItem(atPath: folder)
            try publish(0)
        }
        try publish(1)
        #expect(try fileTree(at: www).mapValues { [UInt8]($0) } == expected([1]))
    }

    @Test func `absolute URLs and those of bundles lead into the version, too`() throws {
        var fixture = PyramidFixture(ClusteringOptions(maxZoom: 5), points: .asymmetric(count: 60, seed: 4))
        fixture.storage.layout = .bundles(limit: 10)
        try fixture.withDirectory { pyramid in
            let base = "https://cdn.example.org/tiles/"
            let pointer = try pyramid.tileJSON().withBaseURL(base).leading(to: ["0123456789abcdef"])
            #expect(
                pointer.tiles == [base + "0123456789abcdef/tiles/{z}/{x}/{y}.json"] && pointer.data == pointer.tiles)
            #expect(pointer.bundles?.template == base + "0123456789abcdef/bundles/{z}/{x}/{y}.json")
            #expect(try TileJSON(decoding: pointer.encoded()) == pointer)
            for versions in [[], ["../0123456789abc"], ["0123456789ABCDEF"], ["0123456789abcde"]] {
                var wrong = pointer
                wrong.versions = versions
                let bytes = try wrong.encoded()
                #expect(throws: MetadataError.self) { try TileJSON(decoding: bytes) }
            }
        }
    }

    @Test(arguments: [nil, 1], [12, .max])
    func `versions and a tileset in place don't mix, whether the first publish is finished or not`(
        count: Int?, changes: Int
    ) throws {
        let destination = MemoryDestination()
        var (first, second) = (publisher(0, destination), publisher(1, destination))
        first.keptVersionCount = count
        second.keptVersionCount = count == nil ? 1 : nil
        destination.fail(afterChanges: changes)
        #expect(((try? first.publish()) == nil) == (changes < .max))
        destination.fail(afterChanges: .max)
        let before = destination.files
        let error = #expect(throws: PublishingError.self) { try second.publish() }
        #expect(error?.kind == .unusable && error?.cause == .otherLayout)
        // A publish that died still holds the destination.
        #expect(changes < .max || destination.files == before)
        try first.publish()
        let files = destination.files.mapValues(\.bytes)
        #expect(try count == nil ? files == trees[0] : files == expected([0]))
    }

    @Test func `the TileJSON never leads to a version that another publish has removed`() throws {
        // The second publish takes over at each moment of the first one, as if that had died.
        var (moment, overtaken) = (0, 0)
        while true {
            let calls = Mutex(0)
            let place = MemoryDestination.Place()
            try publisher(2, MemoryDestination(at: place)).publish()
            let other = publisher(1, MemoryDestination(at: place))
            let destination = MemoryDestination(at: place) { [moment] in
                let call = calls.withLock {
                    $0 += 1; return $0 - 1
                }
                if call == moment { _ = try? other.publish() }
            }
            let isWhole = (try? publisher(0, destination).publish()) != nil
            if !isWhole { overtaken += 1 }
            let files = destination.files.mapValues(\.bytes)
            let version = try #require(TileJSON(decoding: files["tilejson.json"] ?? []).versions?.first)
            let index = try #require((0..<3).first { self.version($0) == version })
            for (path, bytes) in trees[index] {
                #expect(files["\(version)/\(path)"] == bytes, "moment \(moment): \(path)")
            }
            guard calls.withLock({ $0 }) > moment else { break }
            moment += 1
        }
        #expect(overtaken > 5)
    }

    @Test func `other folders and files beside the versions stay`() throws {
        let temporary = try TemporaryFolder()
        let others = [
            "mine/tiles/0/0/0.json", "0123456789abcde/manifest.json", "0123456789abcdef/mine.txt",
            "0123456789abcdef/tiles/x.json", "fedcba9876543210/tiles/0/0/0.json", "fedcba9876543210/manifest.json",
            "fedcba9876543210/tilejson.json",
        ]
        var publisher = Publisher(
            tileset: series.pyramids[0], destination: DirectoryDestination(path: temporary.path("www"), syncs: false))
        publisher.keptVersionCount = 0
        try publisher.publish()
        for name in others { try temporary.file("www/\(name)", "mine") }
        publisher = Publisher(tileset: series.pyramids[1], destination: publisher.destination)
        publisher.keptVersionCount = 0
        try publisher.publish()
        let found = try fileTree(at: temporary.path("www")).mapValues { [UInt8]($0) }
        #expect(try found == expected([1]).merging(others.map { ($0, Array("mine".utf8)) }) { $1 })
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("www")).count == 6)
    }
}
