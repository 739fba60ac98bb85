import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidServer

@Suite(.tags(.slow, .threads)) struct ServedArchiveTests {
    private static let tile = "tiles/4/9/4.json"
    private static let body = RunningServer.gzip(RunningServer.tileText)

    /// A server of an archive with a tile, and the path of the archive.
    private func serve() async throws -> (server: RunningServer, path: String) {
        let folder = try TemporaryFolder()
        let path = folder.path("my points.pmtiles")
        try ServedArchiveTests.build(path, ServedArchiveTests.body, name: "first")
        return (try await RunningServer(tileset: try ArchiveTileset(path: path), folder: folder), path)
    }

    private static func build(_ path: String, _ body: [UInt8], name: String) throws {
        let writer = try ArchiveTilesetWriter(path: path, syncs: false)
        let file = StoredFile(byteCount: body.count, crc32: Gzip.crc32(body), bodyByteCount: 1, bodyCRC32: 2)
        let tile = try #require(TileCoordinate("4/9/4"))
        try body.withUnsafeBytes { try writer.write($0, to: .tile(tile), file) }
        _ = try writer.finish(
            TilesetMetadata(
                list: FileList(),
                tileJSON: TileJSON(
                    tileTemplate: TileStorage().template(of: .tile), minZoom: 4, maxZoom: 4,
                    bounds: BoundingBox(west: 1, south: 2, east: 3, north: 4), fields: [:],
                    options: TileJSONOptions(name: name)),
                manifest: Manifest(
                    generator: "pyramid test", options: ClusteringOptions(minZoom: 4, maxZoom: 4),
                    content: .init(properties: [], compressionLevel: 6, compressor: ""),
                    input: .init(digest: "00", rowsRead: 1, rowsAccepted: 1, rowsClamped: 0, rowsSkipped: [:]),
                    zooms: [])))
    }

    @Test(arguments: [
        ("my%20points", "my points"), ("gr%C3%bcn", "grün"), ("100%25", "100%"), ("a+b", "a+b"), ("%2525", "%25"),
    ])
    func `a percent-encoded name is decoded once`(encoded: String, name: String) {
        #expect(encoded.percentDecoded == name)
    }

    @Test(arguments: ["100%", "%2", "%zz", "%+5", "%C3", "%\u{ff12}0"])
    func `what is not percent-encoded text has no decoded form`(text: String) {
        #expect(text.percentDecoded == nil)
    }

    private static let archive = "/my%20points.pmtiles"

    @Test func `tiles and metadata of an archive are served as those of a directory`() async throws {
        let (server, _) = try await serve()
        let zipped = try await server.get("/\(ServedArchiveTests.tile)", "Accept-Encoding: gzip")
        #expect(zipped.status == 200 && zipped.body == ServedArchiveTests.body)
        #expect(zipped.fields["content-encoding"] == "gzip")
        #expect(try await server.get("/\(ServedArchiveTests.tile)").text == RunningServer.tileText)
        #expect(try await server.get("/tiles/4/9/5.json").status == 204)
        let tileJSON = try TileJSON(decoding: try await server.get("/tilejson.json").body)
        #expect(tileJSON.name == "first" && tileJSON.tiles == ["http://localhost/tiles/{z}/{x}/{y}.json"])
        #expect(try await server.get("/files.tsv").status == 404)
    }

    @Test func `an archive that is cut short is an error, which doesn't say where it lies`() async throws {
        let (server, path) = try await serve()
        // The same file, so what was opened before is cut short too.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 127)
        let answer = try await server.get("/\(ServedArchiveTests.tile)")
        #expect(answer.status == 500 && answer.text.hasPrefix("my points.pmtiles"), "\(answer.text)")
        #expect(!answer.text.contains(server.folder.path))
    }

    @Test func `the archive itself is sent as a whole and in parts`() async throws {
        let (server, path) = try await serve()
        let bytes = try #require(FileManager.default.contents(atPath: path).map { [UInt8]($0) })
        let count = bytes.count
        let whole = try await server.get(ServedArchiveTests.archive)
        #expect(whole.status == 200 && whole.body == bytes)
        #expect(whole.fields["content-type"] == "application/vnd.pmtiles")
        #expect(whole.fields["accept-ranges"] == "bytes" && whole.fields["content-encoding"] == nil)
        #expect(whole.fields["access-control-expose-headers"]?.contains("ETag, Content-Range") == true)
        let tag = try #require(whole.fields["etag"])
        #expect(tag.hasPrefix("\""))

        let parts: [(String, Range<Int>)] = [
            ("bytes=0-126", 0..<127), ("bytes=5-5", 5..<6), ("bytes=100-", 100..<count),
            ("bytes=-7", count - 7..<count), ("bytes=-999999999", 0..<count),
            ("Bytes= 3-99999999999999999999", 3..<count),
            ("bytes=\(count - 1)-", count - 1..<count),
        ]
        for (field, range) in parts {
            let part = try await server.get(ServedArchiveTests.archive, "Range: \(field)", "Accept-Encoding: gzip")
            #expect(part.status == 206 && part.body == Array(bytes[range]), "\(field)")
            #expect(part.fields["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
            #expect(part.fields["content-length"] == "\(range.count)" && part.fields["etag"] == tag)
        }
        for field in ["bytes=\(count)-", "bytes=-0", "bytes=99999999999999999999-"] {
            let none = try await server.get(ServedArchiveTests.archive, "Range: \(field)")
            #expect(none.status == 416 && none.fields["content-range"] == "bytes */\(count)", "\(field)")
        }
        // What can't be understood is ignored, and so are several parts.
        for field in [
            "bytes=7-3", "bytes=", "bytes=-", "bytes=a-b", "bytes=0-1,5-6", "lines=0-1", "bytes=+1-2", "bytes=1--2",
        ] {
            let all = try await server.get(ServedArchiveTests.archive, "Range: \(field)")
            #expect(all.status == 200 && all.body == bytes, "\(field)")
        }
        let head = try await server.get(ServedArchiveTests.archive, method: "HEAD", "Range: bytes=0-9")
        #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "\(count)")
    }

    @Test func `a part is only sent of the archive that the client knows`() async throws {
        let (server, path) = try await serve()
        let tag = try #require(try await server.get(ServedArchiveTests.archive).fields["etag"])
        let range = "Range: bytes=0-9"
        #expect(try await server.get(ServedArchiveTests.archive, range, "If-Range: \(tag)").status == 206)
        #expect(try await server.get(ServedArchiveTests.archive, range, "If-Range: W/\(tag)").status == 200)
        let date = "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(try await server.get(ServedArchiveTests.archive, range, date).status == 200)
        #expect(try await server.get(ServedArchiveTests.archive, range, "If-None-Match: \(tag)").status == 304)
        let past = "Range: bytes=999999-"
        #expect(try await server.get(ServedArchiveTests.archive, past, "If-None-Match: \(tag)").status == 304)

        let changed = RunningServer.gzip(RunningServer.tileText + " ")
        try ServedArchiveTests.build(path, changed, name: "second")
        let other = try await server.get(ServedArchiveTests.archive, range, "If-Range: \(tag)")
        #expect(other.status == 200 && other.fields["etag"] != tag)
        #expect(try await server.get("/\(ServedArchiveTests.tile)", "Accept-Encoding: gzip").body == changed)
        #expect(try TileJSON(decoding: try await server.get("/tilejson.json").body).name == "second")
    }
}
