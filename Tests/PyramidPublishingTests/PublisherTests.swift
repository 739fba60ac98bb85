import Foundation
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

@Suite(.tags(.slow, .threads)) struct PublisherTests {
    private static let metadata = ["files.tsv", "tilejson.json", "manifest.json"]

    private func publisher(_ pyramid: DirectoryTileset, _ destination: MemoryDestination) -> Publisher {
        var publisher = Publisher(tileset: pyramid, destination: destination)
        publisher.batchCount = 7
        // Whoever has failed here can't even release the destination.
        publisher.takesOver = true
        return publisher
    }

    @Test func `the first publish uploads every file, the second none`() throws {
        let series = try PyramidSeries([(40, 8)])
        let files = try PyramidSeries.files(of: series.pyramids[0])
        let destination = MemoryDestination()
        let plan = try publisher(series.pyramids[0], destination).publish()
        #expect(destination.files.mapValues(\.bytes) == files)
        #expect(plan.entries.count == files.count - 3 && plan.removals.isEmpty)
        #expect(plan.purges.isEmpty)
        _ = destination.takeLog()
        let second = try publisher(series.pyramids[0], destination).publish()
        #expect(second.isEmpty && destination.takeLog().isEmpty)
    }

    @Test func `tiles come first, then the list, the TileJSON and the manifest, deletions last`() throws {
        let series = try PyramidSeries([(40, 8), (30, 9)], maxZoom: 6)
        let destination = MemoryDestination()
        try publisher(series.pyramids[0], destination).publish()
        let old = try PyramidSeries.files(of: series.pyramids[0])
        let new = try PyramidSeries.files(of: series.pyramids[1])
        _ = destination.takeLog()
        let plan = try publisher(series.pyramids[1], destination).publish()
        #expect(destination.files.mapValues(\.bytes) == new)

        let log = destination.takeLog().filter { !$0.contains(".publishing") }
        let changed = new.filter { old[$0.key] != $0.value }.keys.filter { $0.hasPrefix("tiles/") }
        let removed = Set(old.keys).subtracting(new.keys)
        try #require(changed.count > 7 && removed.count > 3)
        #expect(Set(log[..<changed.count]) == Set(changed.map { "upload " + $0 }))
        #expect(Array(log[changed.count..<changed.count + 3]) == PublisherTests.metadata.map { "upload " + $0 })
        #expect(Set(log[(changed.count + 3)...]) == Set(removed.map { "remove " + $0 }))
        #expect(Set(plan.purges) == Set(changed).union(PublisherTests.metadata).union(removed))
        #expect(Set(plan.removals) == removed)
    }

    /// Two pyramids whose tiles of the last zooms differ, but not in size.
    private static func alike() throws -> PyramidSeries {
        let fixtures = ["a", "b"].map { text -> PyramidFixture in
            var fixture = PyramidFixture(ClusteringOptions(maxZoom: 4), points: .asymmetric(count: 20, seed: 8))
            for zoom in 3...4 { fixture.edit(atZoom: zoom) { "\(text)\($0)" } }
            return fixture
        }
        return try PyramidSeries(fixtures)
    }

    /// What the first one has noted says nothing of the files of the second.
    @Test func `a publish that fails before its first note is continued from its own journal`() throws {
        let series = try PublisherTests.alike()
        let expected = try PyramidSeries.files(of: series.pyramids[1])
        for (first, second) in (5..<40).flatMap({ first in (2..<8).map { (first, $0) } }) {
            let destination = MemoryDestination()
            for (index, changes) in [(0, first), (1, second)] {
                destination.fail(afterChanges: changes, times: 1)
                _ = try? publisher(series.pyramids[index], destination).publish()
            }
            destination.fail(afterChanges: .max)
            try publisher(series.pyramids[1], destination).publish()
            #expect(destination.files.mapValues(\.bytes) == expected, "after \(first) and \(second) changes")
        }
    }

    @Test func `a bundled pyramid is published over a plain one, and back`() throws {
        let plain = PyramidFixture(ClusteringOptions(maxZoom: 5), points: .asymmetric(count: 60, seed: 4))
        var bundled = plain
        bundled.storage.layout = .bundles(limit: 10)
        try plain.withDirectory { plain in
            try bundled.withDirectory { bundled in
                let destination = MemoryDestination()
                for pyramid in [plain, bundled, plain] {
                    _ = destination.takeLog()
                    try publisher(pyramid, destination).publish()
                    #expect(destination.files.mapValues(\.bytes) == (try PyramidSeries.files(of: pyramid)))
                    let log = destination.takeLog().filter { !$0.contains(".publishing") }
                    let description = try #require(log.firstIndex(of: "upload tilejson.json"))
                    let isEntry = { (line: String) in line.contains("/") }
                    #expect(log[..<description].allSatisfy { $0.hasPrefix("upload ") })
                    #expect(!log[description...].contains { isEntry($0) && $0.hasPrefix("upload ") })
                    #expect(try publisher(pyramid, destination).publish().isEmpty)
                }
            }
        }
    }

    @Test func `bundles go with the tiles, before the list, and are removed last`() throws {
        let series = try PyramidSeries([(60, 8, 10), (50, 9, 10), (60, 8, nil)], maxZoom: 5)
        let files = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        let bundles = files.map { $0.filter { $0.key.hasPrefix("bundles/") } }
        let destination = MemoryDestination()
        func publish(_ index: Int) throws -> (plan: PublishingPlan, log: [String]) {
            let plan = try publisher(series.pyramids[index], destination).publish()
            #expect(destination.files.mapValues(\.bytes) == files[index])
            return (plan, destination.takeLog().filter { !$0.contains(".publishing") })
        }
        let first = try publish(0)
        #expect(first.plan.entries.count == files[0].count - 3)
        #expect(Set(first.plan.uploads) == Set(files[0].keys))
        let stored = destination.files
        let bundle = try #require(bundles[0].keys.first)
        #expect(stored[bundle]?.headers == stored["tiles/0/0/0.json"]?.headers)

        let second = try publish(1)
        func inOrder(_ paths: [String]) -> [String] { paths.compactMap { PlacedFile(path: $0) }.sorted().map(\.path) }
        let changed = inOrder(bundles[1].keys.filter { bundles[0][$0] != bundles[1][$0] })
        let gone = inOrder(bundles[0].keys.filter { bundles[1][$0] == nil })
        try #require(!changed.isEmpty && !gone.isEmpty)
        let isOfBundle = { (line: String) in line.contains(" bundles/") }
        #expect(
            Set(second.log.prefix { $0 != "upload files.tsv" }.filter(isOfBundle))
                == Set(changed.map { "upload " + $0 }))
        let end = try #require(second.log.firstIndex(of: "upload manifest.json"))
        #expect(second.log.firstIndex(of: "upload files.tsv").map { $0 < end } == true)
        #expect(Set(second.log[end...].filter(isOfBundle)) == Set(gone.map { "remove " + $0 }))
        #expect(second.plan.purges.filter { $0.hasPrefix("bundles/") } == changed + gone)

        let third = try publish(2)
        #expect(third.log.last?.hasPrefix("remove bundles/") == true)
        #expect(third.plan.entries.allSatisfy { $0.address.kind == .tile })
        #expect(try publish(2).plan.isEmpty)
        #expect(try publish(0).plan.entries.filter { $0.address.kind == .bundle }.count == bundles[0].count)
    }

    @Test func `the journal is there from before the first tile until after the last deletion`() throws {
        let series = try PyramidSeries([(40, 8), (30, 9)])
        let destination = MemoryDestination()
        try publisher(series.pyramids[0], destination).publish()
        _ = destination.takeLog()
        try publisher(series.pyramids[1], destination).publish()
        let log = destination.takeLog()
        #expect(log[..<2] == ["upload .publishing", "upload .publishing-journal"])
        #expect(log[2].hasPrefix("upload tiles/"))
        #expect(log.suffix(2) == ["remove .publishing-journal", "remove .publishing"])
    }

    @Test func `each kind of file has its headers`() throws {
        let series = try PyramidSeries([(9, 3)])
        let destination = MemoryDestination()
        var publisher = publisher(series.pyramids[0], destination)
        publisher.caching = PublishingCaching(tiles: "public, max-age=60", metadata: "max-age=5")
        try publisher.publish()
        let files = destination.files
        #expect(
            files["tiles/0/0/0.json"]?.headers
                == PublishingHeaders(
                    contentType: "application/geo+json", contentEncoding: "gzip", cacheControl: "public, max-age=60"))
        #expect(
            files["tilejson.json"]?.headers
                == PublishingHeaders(contentType: "application/json", cacheControl: "max-age=5"))
        #expect(files["manifest.json"]?.headers == files["tilejson.json"]?.headers)
        #expect(files["files.tsv"]?.headers.contentType == "text/tab-separated-values; charset=utf-8")
        let plain = PublishingCaching().tileHeaders(TileStorage(suffix: ".geojson", compression: .none))
        #expect(plain.contentEncoding == nil)
        let vector = PublishingCaching().tileHeaders(TileStorage(codec: .mvt))
        #expect(vector.contentType == "application/vnd.mapbox-vector-tile" && vector.contentEncoding == "gzip")
    }

    @Test func `what an interrupted publish has done is not done again`() throws {
        let series = try PyramidSeries([(40, 8)])
        let destination = MemoryDestination()
        // The status and the journal, two batches with a status each, and some of the third.
        destination.fail(afterChanges: 2 + 8 + 8 + 3)
        #expect(throws: PublishingError.self) { try publisher(series.pyramids[0], destination).publish() }
        destination.fail(afterChanges: .max)
        _ = destination.takeLog()
        let plan = try publisher(series.pyramids[0], destination).publish()
        let files = try PyramidSeries.files(of: series.pyramids[0])
        #expect(destination.files.mapValues(\.bytes) == files)
        #expect(plan.entries.count == files.count - 3 - 14)
    }

    @Test func `a publish that can't note a batch doesn't claim it`() throws {
        let series = try PyramidSeries([(40, 8)])
        let count = try PyramidSeries.files(of: series.pyramids[0]).count - 3
        let destination = MemoryDestination()
        // The status and the journal, a batch of 7 with its status, and the next without one.
        destination.fail(afterChanges: 2 + 8 + 7)
        let error = #expect(throws: PublishingError.self) {
            try publisher(series.pyramids[0], destination).publish()
        }
        #expect(
            error?.description
                == "memory: stopped; 7 of \(count) tiles are uploaded, and the next publish continues from there")
        destination.fail(afterChanges: .max)
        #expect(try publisher(series.pyramids[0], destination).publish().entries.count == count - 7)
    }

    @Test(arguments: [1, 7, 12])
    func `a publish that is stopped releases the destination, and the next one repeats a batch`(count: Int) throws {
        let series = try PyramidSeries([(40, 8)])
        let files = try PyramidSeries.files(of: series.pyramids[0])
        let destination = MemoryDestination()
        let error = #expect(throws: PublishingError.self) {
            try publisher(series.pyramids[0], destination).publish { progress in
                if case .uploading(count, _, _) = progress { destination.stop() }
            }
        }
        let done = count / 7 * 7
        #expect(error?.kind == .stopped)
        // A stop after a batch lets its note fail, so nothing is claimed.
        #expect(error?.description.contains("; \(count == 7 ? 0 : done) of ") == true)
        var second = publisher(series.pyramids[0], destination)
        second.takesOver = false
        let plan = try second.publish()
        #expect(plan.entries.count == files.count - 3 - done)
        #expect(destination.files.mapValues(\.bytes) == files)
    }

    @Test func `what no list names is removed first, before anything is written`() throws {
        let series = try PyramidSeries([(3, 8, nil), (60, 9, 1)])
        let files = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        let destination = MemoryDestination()
        try publisher(series.pyramids[0], destination).publish()
        // After all tiles and bundles, the journal, and a status for each batch but the last.
        let count = files[1].count - 3
        destination.fail(afterChanges: 2 + count + (count + 6) / 7 - 1)
        #expect(throws: PublishingError.self) { try publisher(series.pyramids[1], destination).publish() }
        destination.fail(afterChanges: .max)
        let strays = Set(destination.files.keys).subtracting(files[0].keys).filter { $0.contains("/") }
        try #require(strays.contains { $0.hasPrefix("tiles/") } && strays.contains { $0.hasPrefix("bundles/") })
        _ = destination.takeLog()
        let plan = try publisher(series.pyramids[0], destination).publish()
        #expect(strays.isSubset(of: plan.purges))
        let log = destination.takeLog()
        let journal = try #require(log.firstIndex(of: "upload .publishing-journal"))
        let removals = log[..<journal].filter { $0.hasPrefix("remove ") }
        #expect(strays.isSubset(of: removals.map { String($0.dropFirst("remove ".count)) }))
        #expect(log[journal...].allSatisfy { !$0.hasPrefix("remove ") || !$0.contains("/") })
    }

    @Test(arguments: [false, true])
    func `a file of another size is uploaded again after an interruption, or if all are checked`(checks: Bool) throws {
        let series = try PyramidSeries([(40, 8), (41, 9)])
        let files = try PyramidSeries.files(of: series.pyramids[0])
        let destination = MemoryDestination()
        try publisher(series.pyramids[0], destination).publish()
        if !checks {
            destination.fail(afterChanges: 2)
            #expect(throws: PublishingError.self) { try publisher(series.pyramids[1], destination).publish() }
            destination.fail(afterChanges: .max)
        }
        let path = try #require(files.keys.sorted().last { $0.hasPrefix("tiles/") })
        destination.files[path]?.bytes = []
        destination.files["tilejson.json"] = nil
        var second = publisher(series.pyramids[0], destination)
        if checks { #expect(try second.plan().isEmpty) }
        second.checksSizes = checks
        #expect(try second.publish().uploads.contains(path))
        #expect(destination.files.mapValues(\.bytes) == files)
    }

    @Test func `progress goes from file to file, to all of them with all their bytes`() throws {
        let series = try PyramidSeries([(40, 8)])
        var reports: [Publisher.Progress] = []
        let plan = try publisher(series.pyramids[0], MemoryDestination()).publish { reports.append($0) }
        let steps = reports.compactMap { report in
            if case .uploading(let done, plan.entries.count, let bytes) = report { (done, bytes) } else { nil }
        }
        #expect(steps.map(\.0) == Array(1...plan.entries.count))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.1 < $1.1 })
        #expect(steps.last?.1 == plan.tileByteCount)
    }

    @Test(arguments: UInt64(1)...120, [nil, 1])
    func `after any number of interrupted publishes of any pyramids, the next whole one makes it right`(
        seed: UInt64, keptVersions: Int?
    ) throws {
        var random = SeededRandom(seed: seed)
        var fixtures = (0..<4).map { _ in
            PyramidFixture(
                ClusteringOptions(maxZoom: 2 + Int(random.next() % 2)),
                points: .asymmetric(count: 3 + Int(random.next() % 30), seed: random.next() % 3))
        }
        for index in [0, 1, 3] { fixtures[index].storage.layout = .bundles(limit: 1 + Int(random.next() % 9)) }
        for index in fixtures.indices {
            for zoom in 1...2 { fixtures[index].edit(atZoom: zoom) { _ in "tile \(random.next() % 2)" } }
        }
        fixtures[3].storage.suffix = ".geojson"
        let series = try PyramidSeries(fixtures)
        let files = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        let destination = MemoryDestination()
        func publisher(_ index: Int) -> Publisher {
            var publisher = self.publisher(series.pyramids[index], destination)
            publisher.keptVersionCount = keptVersions
            return publisher
        }
        for _ in 0..<6 {
            // After one failure, a publish can still note what it has done; after a kill, it can't.
            destination.fail(afterChanges: Int(random.next() % 80), times: random.next() % 2 == 0 ? 1 : .max)
            _ = try isPublished(publisher(Int(random.next() % 4)))
            if keptVersions == nil { try expectNoHoles(destination) }
        }
        destination.fail(afterChanges: .max)
        let last = Int(random.next() % 4)
        try publisher(last).publish()
        #expect(try publisher(last).plan().isEmpty)
        var found = destination.files.mapValues(\.bytes)
        if keptVersions != nil {
            let versions = try #require(TileJSON(decoding: found["tilejson.json"] ?? []).versions)
            #expect(versions.count <= 2)
            found["tilejson.json"] = nil
            found = found.filter { file in !versions.dropFirst().contains { file.key.hasPrefix($0 + "/") } }
            found = Dictionary(
                uniqueKeysWithValues: found.map { ($0.key.replacing("\(versions[0])/", with: ""), $0.value) })
        } else {
            // A whole pyramid has files to look for, or the checks in between would prove nothing.
            #expect(try expectNoHoles(destination) > 0)
        }
        #expect(found == files[last])
    }

    /// Publishes to a destination that may fail. Any other error than its own is thrown.
    /// - Returns: whether it hasn't failed.
    private func isPublished(_ publisher: Publisher) throws -> Bool {
        do {
            try publisher.publish()
            return true
        } catch let error as PublishingError where error.kind == .stopped {
            return false
        }
    }

    /// Every tile and bundle that a published list names is there, where the list is that of the manifest.
    /// - Returns: how many files were looked for.
    @discardableResult
    private func expectNoHoles(_ destination: MemoryDestination) throws -> Int {
        let files = destination.files
        guard let manifest = try files["manifest.json"].map({ try Manifest(decoding: $0.bytes) }) else { return 0 }
        func publishedList(_ name: String) -> [UInt8]? {
            files[name].map(\.bytes).flatMap { manifest.files[name] == Manifest.FileSummary(of: $0) ? $0 : nil }
        }
        let storage = manifest.content.storage
        let addresses = try publishedList("files.tsv").map { try FileList(decoding: $0).entries.map(\.address) } ?? []
        let paths = addresses.map { storage.relativePath(of: $0) }
        #expect(paths.filter { files[$0] == nil } == [])
        return paths.count
    }

    @Test func `a publish stops when another has taken over`() throws {
        let series = try PyramidSeries([(40, 8), (30, 9)])
        let destination = MemoryDestination()
        var second: Result<PublishingPlan, any Error>?
        let error = #expect(throws: PublishingError.self) {
            try publisher(series.pyramids[0], destination).publish { _ in
                second = second ?? Result { try publisher(series.pyramids[1], destination).publish() }
            }
        }
        #expect(error?.kind == .busy && destination.files[PublishingStatus.fileName] == nil)
        _ = try #require(second).get()
        #expect(PublisherTests.metadata.allSatisfy { destination.files[$0] != nil })
    }

    @Test(
        arguments: [
            (0.0, false, true), (6 * 3600 - 1, false, true), (6 * 3600, false, false), (0, true, false),
        ] as [(Double, Bool, Bool)])
    func `a publish that holds the destination is named, for six hours or until it is taken over`(
        age: Double, takesOver: Bool, isBusy: Bool
    ) throws {
        let series = try PyramidSeries([(9, 3)])
        let destination = MemoryDestination()
        let since = Date(timeIntervalSince1970: 1_795_632_000)
        var status = PublishingStatus()
        status.owner = .init(since: since)
        status.owner?.host = "elsewhere"
        try destination.put(status.encoded(), as: PublishingStatus.fileName, PublishingStatus.headers)
        var publisher = publisher(series.pyramids[0], destination)
        (publisher.takesOver, publisher.now) = (takesOver, { since.addingTimeInterval(age) })
        guard isBusy else {
            try publisher.publish()
            #expect(try destination.files.mapValues(\.bytes) == PyramidSeries.files(of: series.pyramids[0]))
            return
        }
        for isDryRun in [false, true] {
            let error = #expect(throws: PublishingError.self) {
                _ = try isDryRun ? publisher.plan() : publisher.publish()
            }
            #expect(error?.kind == .busy && error?.cause == .otherPublish)
            #expect(
                error?.description.hasSuffix(" on elsewhere has been publishing there since 2026-11-25T18:40:00Z")
                    == true)
        }
        #expect(destination.files.count == 1)
    }

    @Test func `a pyramid that is not whole is not published`() throws {
        let destination = MemoryDestination()
        func expectRefusal(
            _ words: String, bundleLimit: Int? = nil, _ damage: (DirectoryTileset) throws -> Void
        ) throws {
            let series = try PyramidSeries([(40, 8, bundleLimit)])
            try damage(series.pyramids[0])
            let error = #expect(throws: (any Error).self) {
                try publisher(series.pyramids[0], destination).publish()
            }
            #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "published")")
            #expect(destination.files["manifest.json"] == nil && destination.files["files.tsv"] == nil)
        }
        func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        try expectRefusal("a build or publish is in progress here or was interrupted") {
            try write("", $0.path(ofFile: ".building"))
        }
        try expectRefusal("manifest.json: ") { try write("{}", $0.path(ofFile: "manifest.json")) }
        try expectRefusal("files.tsv: ") { try write("", $0.path(ofFile: "files.tsv")) }
        try expectRefusal("tilejson.json: ") { try write("{}", $0.path(ofFile: "tilejson.json")) }
        #expect(destination.files.isEmpty)
        try expectRefusal("is not the file that the manifest or its list describes") {
            try write("x", $0.path(of: $0.tileEntries()[9].address))
        }
        try expectRefusal("is not the file that the manifest or its list describes") {
            // Of the right size.
            let url = URL(fileURLWithPath: try $0.path(of: $0.tileEntries()[9].address))
            try Data(try Data(contentsOf: url).map { ~$0 }).write(to: url)
        }
        try expectRefusal("/bundles/", bundleLimit: 10) { pyramid in
            let bundle = try #require(try pyramid.fileList()[.bundle].last)
            try write("x", pyramid.path(ofFile: pyramid.storage.relativePath(of: bundle.address)))
        }
    }

    /// Makes a tileset another one, as a build does: each file is replaced as a whole.
    private func rebuild(_ pyramid: DirectoryTileset, _ tree: [String: [UInt8]]) throws {
        for (path, bytes) in tree {
            try Data(bytes).write(to: URL(fileURLWithPath: pyramid.path(ofFile: path)), options: .atomic)
        }
    }

    @Test(arguments: [nil, 1])
    func `a pyramid that is built again during the upload is published as it was, or not at all`(
        keptVersions: Int?
    ) throws {
        let series = try PublisherTests.alike()
        let trees = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        let folder = keptVersions == nil ? "" : VersionFolder.name(ofManifest: trees[0]["manifest.json"] ?? []) + "/"
        var doneCount = 0
        for moment in 1..<trees[0].count - 2 {
            let destination = MemoryDestination()
            var publisher = publisher(series.pyramids[0], destination)
            publisher.keptVersionCount = keptVersions
            let result = Result {
                try publisher.publish { progress in
                    if case .uploading(filesDone: moment, _, _) = progress {
                        try? rebuild(series.pyramids[0], trees[1])
                    }
                }
            }
            switch result {
            case .success:
                doneCount += 1
                for (path, bytes) in trees[0] { #expect(destination.files[folder + path]?.bytes == bytes) }
            case .failure(let error):
                let error = error as? PublishingError
                #expect(error?.kind == .badData && error?.description.contains("was built again") == true)
                #expect(destination.files[folder + "manifest.json"] == nil && destination.files["tilejson.json"] == nil)
            }
            try rebuild(series.pyramids[0], trees[0])
        }
        // The last of its files was uploaded already.
        #expect(doneCount == 1)
    }

    @Test(arguments: [nil, 1], [0, 1, 2, 5])
    func `what was uploaded while the tileset was built again isn't taken for its files, after a kill either`(
        keptVersions: Int?, changesUntilKill: Int
    ) throws {
        let series = try PublisherTests.alike()
        let trees = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        for moment in 1..<trees[0].count - 3 {
            let destination = MemoryDestination()
            var publisher = publisher(series.pyramids[0], destination)
            publisher.keptVersionCount = keptVersions
            #expect(throws: (any Error).self) {
                try publisher.publish { progress in
                    if case .uploading(filesDone: moment, _, _) = progress {
                        try? rebuild(series.pyramids[0], trees[1])
                        destination.fail(afterChanges: changesUntilKill)
                    }
                }
            }
            destination.fail(afterChanges: .max)
            try rebuild(series.pyramids[0], trees[0])
            try publisher.publish()
            let folder =
                keptVersions == nil ? "" : VersionFolder.name(ofManifest: trees[0]["manifest.json"] ?? []) + "/"
            for (path, bytes) in trees[0] {
                #expect(destination.files[folder + path]?.bytes == bytes, "after \(moment) files: \(path)")
            }
        }
    }

    @Test(arguments: [nil, 0], [".publishing-journal", "manifest.json", "files.tsv", "tilejson.json"])
    func `where metadata are emptied, nothing is left of what they had stated`(keptVersions: Int?, name: String) throws
    {
        let series = try PyramidSeries([(12, 8, nil), (60, 9, 1), (20, 3, nil)], maxZoom: 4)
        let files = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        let folders = files.map {
            keptVersions == nil ? "" : VersionFolder.name(ofManifest: $0["manifest.json"] ?? []) + "/"
        }
        var emptiedCount = 0
        for changes in stride(from: 0, through: 120, by: 3) {
            let destination = MemoryDestination()
            func publisher(_ index: Int) -> Publisher {
                var publisher = self.publisher(series.pyramids[index], destination)
                publisher.keptVersionCount = keptVersions
                return publisher
            }
            if changes % 2 == 0 { try publisher(0).publish() }
            destination.fail(afterChanges: changes)
            _ = try? publisher(1).publish()
            destination.fail(afterChanges: .max)
            for path in destination.files.keys where path == name || path.hasSuffix("/\(name)") {
                destination.files[path]?.bytes = []
                emptiedCount += 1
            }
            try publisher(2).publish()
            var found = destination.files.mapValues(\.bytes)
            if keptVersions != nil { found["tilejson.json"] = nil }
            let expected = Dictionary(uniqueKeysWithValues: files[2].map { (folders[2] + $0, $1) })
            #expect(Set(found.keys).symmetricDifference(expected.keys) == [], "after \(changes) changes")
            #expect(found == expected)
            #expect(try publisher(2).plan().isEmpty)
        }
        #expect(emptiedCount > 5)
    }

    @Test(arguments: [nil, 1])
    func `damaged metadata at the destination are said, and --all makes them right`(keptVersions: Int?) throws {
        let series = try PyramidSeries([(40, 8), (30, 9), (20, 3)])
        let files = try series.pyramids.map { try PyramidSeries.files(of: $0) }
        let folders = files.map { VersionFolder.name(ofManifest: $0["manifest.json"] ?? []) + "/" }
        let names =
            keptVersions == nil
            ? ["manifest.json", "files.tsv", ".publishing-journal"]
            : [folders[0] + "manifest.json", folders[0] + "files.tsv", ".publishing-journal", "tilejson.json"]
        for name in names {
            let destination = MemoryDestination()
            func publisher(_ index: Int) -> Publisher {
                var publisher = self.publisher(series.pyramids[index], destination)
                publisher.keptVersionCount = keptVersions
                return publisher
            }
            for index in 0..<2 { try publisher(index).publish() }
            destination.files[name] = MemoryDestination.File(
                bytes: [1, 2, 3], headers: PublishingHeaders(contentType: "", cacheControl: ""))
            let before = destination.files
            var other = publisher(2)
            (other.keptVersionCount, other.uploadsAll) = (keptVersions == nil ? 1 : nil, true)
            if name != "tilejson.json" {
                let refused = #expect(throws: PublishingError.self) { try other.publish() }
                destination.files[PublishingStatus.fileName] = nil
                #expect(refused?.cause == .otherLayout && destination.files == before, "\(name)")
            }
            var third = publisher(2)
            let error = #expect(throws: PublishingError.self) { try third.publish() }
            #expect(error?.kind == .badData && error?.description.contains(name) == true)
            third.uploadsAll = true
            try third.publish()
            third.uploadsAll = false
            #expect(try third.plan().isEmpty)
            var expected = files[2]
            if keptVersions != nil {
                expected = Dictionary(uniqueKeysWithValues: files[2].map { (folders[2] + $0, $1) })
                // If the TileJSON can't be read, it isn't known which other versions are to stay.
                if name != "tilejson.json" { expected.merge(files[1].map { (folders[1] + $0, $1) }) { $1 } }
            }
            var found = destination.files.mapValues(\.bytes)
            if keptVersions != nil { found["tilejson.json"] = nil }
            #expect(found == expected, "\(name)")
        }
    }

    @Test func `a plan writes nothing`() throws {
        let series = try PyramidSeries([(9, 3)])
        let destination = MemoryDestination()
        destination.fail(afterChanges: 0)
        #expect(try publisher(series.pyramids[0], destination).plan().entries.count > 0)
        #expect(destination.files.isEmpty)
    }
}

extension PyramidFixture {
    /// Gives the tiles of a zoom other bytes, which needn't be those of a tile.
    fileprivate mutating func edit(atZoom zoom: Int, _ text: (TileCoordinate) -> String) {
        for tile in (zooms[zoom] ?? []).map({ tile(of: $0, zoom) }) {
            let bytes = Array(text(tile).utf8)
            storedEdits[tile] = { _ in bytes }
        }
    }
}
