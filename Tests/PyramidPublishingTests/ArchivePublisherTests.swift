import Foundation
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

@Suite(.tags(.slow, .threads)) struct ArchivePublisherTests {
    private let fixture = PyramidFixture(ClusteringOptions(maxZoom: 3), points: .asymmetric(count: 30, seed: 5))

    /// A publisher whose archive has a plain name.
    private func publisher(_ archive: ArchiveTileset, to destination: any PublishingDestination) -> ArchivePublisher {
        ArchivePublisher(archive: archive, destination: destination)
    }

    @Test func `an archive is sent once, as one file, uncompressed`() throws {
        try fixture.withArchive { archive in
            let destination = MemoryDestination()
            let publisher = publisher(archive, to: destination)
            let first = try publisher.publish()
            let name = archive.location.name
            #expect(first == .init(name: name, byteCount: archive.byteCount, isUploaded: true, replaces: false))
            let file = try #require(destination.files[name])
            #expect(destination.files.count == 1)
            #expect(try file.bytes == archive.file.bytes(0..<archive.byteCount))
            #expect(file.headers.contentType == "application/vnd.pmtiles" && file.headers.contentEncoding == nil)
            #expect(file.headers.cacheControl == PublishingCaching.defaultTiles)

            _ = destination.takeLog()
            #expect(try publisher.publish().isUploaded == false)
            #expect(destination.takeLog() == [])
            var all = publisher
            all.uploadsAll = true
            #expect(
                try all.publish() == .init(name: name, byteCount: archive.byteCount, isUploaded: true, replaces: true))
        }
    }

    @Test func `an archive that differs in any section is sent again`() throws {
        try fixture.withArchive { archive in
            let temporary = try TemporaryFolder()
            let folder = temporary.path("there")
            let destination = DirectoryDestination(path: folder)
            let publisher = publisher(archive, to: destination)
            #expect(try publisher.plan().isUploaded)
            #expect(!FileManager.default.fileExists(atPath: folder))
            try publisher.publish()
            let there = folder + "/" + archive.location.name
            let bytes = try archive.file.bytes(0..<archive.byteCount)
            #expect(FileManager.default.contents(atPath: there).map { [UInt8]($0) } == bytes)
            for edit: (inout ForgedArchive) -> Void in [
                { $0.metadata.name = "other" }, { $0.tileData[20] ^= 1 }, { $0.entries.removeLast() },
            ] {
                var forged = try ForgedArchive(archive)
                edit(&forged)
                try Data(try forged.bytes()).write(to: URL(fileURLWithPath: there))
                var publisher = publisher
                // Some don't look like archives of pyramid any more.
                publisher.replacesOthers = true
                #expect(
                    try publisher.publish()
                        == .init(
                            name: archive.location.name, byteCount: archive.byteCount, isUploaded: true, replaces: true)
                )
                #expect(FileManager.default.contents(atPath: there).map { [UInt8]($0) } == bytes)
            }
            // An upload that was cut off elsewhere.
            for count in [40, bytes.count - 1] {
                try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: there))
                var publisher = publisher
                let error = #expect(throws: PublishingError.self) { try publisher.publish() }
                #expect(error?.kind == .unusable && error?.cause == .otherFile)
                publisher.replacesOthers = true
                #expect(try publisher.publish().isUploaded)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        }
    }

    @Test func `a damaged archive is not sent`() throws {
        try fixture.withArchive { archive in
            var bytes = try archive.file.bytes(0..<archive.byteCount)
            let path = archive.name + "-damaged.pmtiles"
            defer { try? FileManager.default.removeItem(atPath: path) }
            bytes[bytes.count - 40] ^= 4
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let destination = MemoryDestination()
            #expect(throws: StoreError.self) {
                try publisher(try ArchiveTileset(path: path), to: destination).publish()
            }
            #expect(destination.files.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `an archive that is built again is uploaded as it was opened, and an error if it was written to`(
        isWrittenTo: Bool
    ) throws {
        try fixture.withArchive { archive in
            let bytes = try archive.file.bytes(0..<archive.byteCount)
            let temporary = try TemporaryFolder()
            // Checked when it is published first.
            try publisher(archive, to: MemoryDestination()).publish()
            let url = URL(fileURLWithPath: archive.name)
            try Data(bytes.map { ~$0 }).write(to: url, options: isWrittenTo ? [] : .atomic)
            let folder = try DirectoryHandle(path: temporary.url.path)
            try folder.pin(archive.file, as: "pinned")
            #expect(try folder.content(of: "pinned") == (isWrittenTo ? bytes.map { ~$0 } : bytes))
            try Data(bytes).write(to: url, options: isWrittenTo ? [] : .atomic)
            let destination = MemoryDestination()
            guard isWrittenTo else {
                try publisher(archive, to: destination).publish()
                #expect(destination.files[archive.location.name]?.bytes == bytes)
                return
            }
            let error = #expect(throws: PublishingError.self) { try publisher(archive, to: destination).publish() }
            #expect(error?.kind == .badData && error?.description.contains("was written to") == true)
        }
    }

    @Test func `an archive and a directory of the same tiles don't differ`() throws {
        try fixture.withArchive { archive in
            let directory = String(archive.name.dropLast(".pmtiles".count))
            let listings = try [archive.name, directory].map { try TilesetListing(path: $0) }
            #expect(PyramidDifference(from: listings[0], to: listings[1]).changes == [])
            #expect(PyramidDifference(from: listings[1], to: listings[0]).changes == [])
            #expect(PyramidDifference(from: listings[0], to: listings[0]).changes == [])

            var forged = try ForgedArchive(archive)
            let last = try #require(forged.entries.popLast().flatMap { TileCoordinate(pmtilesID: $0.tileID) })
            forged.metadata.name = "other"
            let path = archive.name + "-other"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Data(try forged.bytes()).write(to: URL(fileURLWithPath: path))
            let changes = PyramidDifference(from: listings[0], to: try TilesetListing(path: path)).changes
            #expect(changes.map(\.description) == ["D tiles/\(last).json", "M manifest.json"])
        }
    }
}
