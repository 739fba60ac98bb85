import Foundation
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

struct DirectoryDestinationTests {
    private let temporary: TemporaryFolder
    /// Not there yet.
    private var folder: String { temporary.path("there") }

    init() throws { temporary = try TemporaryFolder() }

    @Test func `a directory becomes what the pyramid is, with no directory too many`() throws {
        let series = try PyramidSeries([(40, 8, 4), (5, 9, 2), (5, 9, nil), (9, 3, 1)])
        let destination = DirectoryDestination(path: folder + "/a/b")
        for pyramid in series.pyramids {
            try Publisher(tileset: pyramid, destination: destination).publish()
            let paths = { (path: String) in Set(try FileManager.default.subpathsOfDirectory(atPath: path)) }
            #expect(try paths(destination.path) == paths(pyramid.path))
            #expect(
                try PyramidSeries.files(of: DirectoryTileset(path: destination.path))
                    == PyramidSeries.files(of: pyramid))
            #expect(try Publisher(tileset: pyramid, destination: destination).plan().isEmpty)
        }
    }

    @Test func `a file that a reader has open stays whole`() throws {
        let series = try PyramidSeries([(40, 8), (30, 9)])
        let destination = DirectoryDestination(path: folder)
        try Publisher(tileset: series.pyramids[0], destination: destination).publish()
        let reader = try #require(FileHandle(forReadingAtPath: folder + "/tiles/0/0/0.json"))
        let before = try PyramidSeries.files(of: series.pyramids[0])["tiles/0/0/0.json"]
        try Publisher(tileset: series.pyramids[1], destination: destination).publish()
        #expect(try reader.readToEnd().map(Array.init) == before)
    }

    @Test func `symbolic links are not followed`() throws {
        let series = try PyramidSeries([(40, 8)])
        try FileManager.default.createDirectory(atPath: folder + "/www/tiles", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/else", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/www/tiles/0", withDestinationPath: folder + "/else")
        var publisher = Publisher(
            tileset: series.pyramids[0], destination: DirectoryDestination(path: folder + "/www"))
        let refused = #expect(throws: PublishingError.self) { try publisher.publish() }
        #expect(refused?.kind == .unusable && refused?.cause == .otherFile)
        publisher.replacesOthers = true
        let error = #expect(throws: PublishingError.self) { try publisher.publish() }
        #expect(error?.kind == .unusable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/else").isEmpty)

        // A file that is a link gives way to the file, if it may.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/else/mine"))
        try FileManager.default.removeItem(atPath: folder + "/www")
        try FileManager.default.createDirectory(atPath: folder + "/www", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/www/tilejson.json", withDestinationPath: folder + "/else/mine")
        try publisher.publish()
        #expect(FileManager.default.contents(atPath: folder + "/else/mine") == Data("mine".utf8))
    }

    @Test func `after a stop nothing more is written`() throws {
        let series = try PyramidSeries([(9, 3)])
        let destination = DirectoryDestination(path: folder)
        destination.stop()
        let error = #expect(throws: PublishingError.self) {
            try Publisher(tileset: series.pyramids[0], destination: destination).publish()
        }
        #expect(error?.kind == .stopped)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: [false, true])
    func `after a stop while a failed publish is undone, the next one succeeds`(isVersioned: Bool) throws {
        let series = try PyramidSeries([(9, 3)])
        let destination = DirectoryDestination(path: folder)
        var publisher = Publisher(
            tileset: UnreadableTileset(of: series.pyramids[0]) { destination.stop() }, destination: destination)
        if isVersioned { publisher.keptVersionCount = 1 }
        #expect(throws: StoreError.self) { try publisher.publish() }
        var next = Publisher(tileset: series.pyramids[0], destination: DirectoryDestination(path: folder))
        next.keptVersionCount = publisher.keptVersionCount
        try next.publish()
        #expect(try next.plan().isEmpty)
    }
}

/// A tileset none of whose tiles can be read.
private struct UnreadableTileset: TilesetReader {
    private let tileset: DirectoryTileset
    private let read: @Sendable () -> Void

    /// - Parameter read: called for each tile.
    init(of tileset: DirectoryTileset, read: @escaping @Sendable () -> Void) {
        (self.tileset, self.read) = (tileset, read)
    }

    var name: String { tileset.name }
    var storage: TileStorage { tileset.storage }
    var directoryPath: String? { tileset.directoryPath }
    var isBeingBuilt: Bool { tileset.isBeingBuilt }

    func metadataBytes(of name: String) throws(StoreError) -> [UInt8] { try tileset.metadataBytes(of: name) }

    func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        read()
        throw StoreError(path: tileset.path, reason: .notAsListed)
    }

    func strays(_ list: FileList) -> [StrayFile] { tileset.strays(list) }
}
