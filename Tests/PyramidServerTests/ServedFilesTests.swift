import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidServer

@Suite(.tags(.slow, .threads)) struct ServedFilesTests {
    @Test func `a tile is sent as it is stored to a client that takes gzip`() async throws {
        let server = try await RunningServer()
        let answer = try await server.get("/tiles/4/9/4.json", "Accept-Encoding: br, gzip")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/geo+json")
        #expect(answer.fields["content-encoding"] == "gzip")
        #expect(answer.fields["vary"] == "Accept-Encoding, Origin")
        #expect(answer.body == RunningServer.gzip(RunningServer.tileText))
        #expect(answer.fields["content-length"] == "\(answer.body.count)")
    }

    @Test func `a tile is inflated for a client that does not`() async throws {
        let server = try await RunningServer()
        let answer = try await server.get("/tiles/4/9/4.json", "Accept-Encoding: gzip;q=0")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/geo+json")
        #expect(answer.fields["content-encoding"] == nil)
        #expect(answer.text == RunningServer.tileText)
    }

    @Test func `bundles are served as tiles are, and missing ones are not found`() async throws {
        let server = try await RunningServer()
        try server.write("bundles/4/9/7.json", RunningServer.gzip(RunningServer.tileText))
        let answer = try await server.get("/bundles/4/9/7.json")
        #expect(answer.status == 200 && answer.text == RunningServer.tileText)
        for path in ["4/9/1.json", "4/9/07.json", "4/-1/7.json", "4/9/7", "4/9/7/0.json"] {
            #expect(try await server.get("/bundles/\(path)").status == 404, "\(path)")
        }
    }

    @Test func `MVT tiles have their own type`() async throws {
        let server = try await RunningServer(missingTile: .empty, storage: TileStorage(codec: .mvt))
        try server.write("tiles/4/9/4.mvt", RunningServer.gzip("a tile"))
        let tile = try await server.get("/tiles/4/9/4.mvt")
        #expect(tile.text == "a tile" && tile.fields["content-type"] == "application/vnd.mapbox-vector-tile")
        let missing = try await server.get("/tiles/4/9/5.mvt")
        #expect(
            missing.status == 200 && missing.body.isEmpty
                && missing.fields["content-type"] == tile.fields["content-type"])
        #expect(try await server.get("/tiles/4/9/4.json").status == 404)
    }

    @Test func `a tile that is stored plain is sent plain`() async throws {
        let server = try await RunningServer()
        try server.write("tiles/4/9/5.json", Array(RunningServer.tileText.utf8))
        let answer = try await server.get("/tiles/4/9/5.json", "Accept-Encoding: gzip")
        #expect(answer.fields["content-encoding"] == nil)
        #expect(answer.text == RunningServer.tileText)
    }

    @Test func `the two codings have their own tags, and a client that has the bytes gets none`() async throws {
        let server = try await RunningServer()
        let zipped = try await server.get("/tiles/4/9/4.json", "Accept-Encoding: gzip")
        let plain = try await server.get("/tiles/4/9/4.json")
        let tag = try #require(zipped.fields["etag"])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
        #expect(tag != plain.fields["etag"])

        for field in [tag, "\"other\", W/\(tag)", "*"] {
            let again = try await server.get("/tiles/4/9/4.json", "Accept-Encoding: gzip", "If-None-Match: \(field)")
            #expect(again.status == 304)
            #expect(again.fields["etag"] == tag)
            #expect(again.body.isEmpty)
        }
        let other = try await server.get("/tiles/4/9/4.json", "If-None-Match: \(tag)")
        #expect(other.status == 200)

        try server.write("tiles/4/9/4.json", RunningServer.gzip(RunningServer.tileText + " "))
        let changed = try await server.get("/tiles/4/9/4.json", "Accept-Encoding: gzip", "If-None-Match: \(tag)")
        #expect(changed.status == 200)
    }

    @Test func `a client that expects other bytes gets none`() async throws {
        let server = try await RunningServer()
        for path in ["/tiles/4/9/4.json", "/files.tsv", "/tilejson.json", "/"] {
            let tag = try #require(try await server.get(path).fields["etag"])
            for field in [tag, "\"other\", \(tag)", "*"] {
                #expect(try await server.get(path, "If-Match: \(field)").status == 200, "\(path)")
            }
            for field in ["\"other\"", "W/\(tag)", ""] {
                let refused = try await server.get(path, "If-Match: \(field)", "If-None-Match: \(tag)")
                #expect(refused.status == 412 && refused.fields["etag"] == tag, "\(path) \(field)")
            }
        }
        // A tile that isn't there has no bytes to match.
        #expect(try await server.get("/tiles/4/9/3.json", "If-Match: *").status == 412)
        #expect(try await server.get("/tiles/4/9/3.json").status == 204)
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        let server = try await RunningServer()
        for path in ["/tiles/4/9/4.json", "/files.tsv", "/"] {
            var whole = try await server.get(path, "Accept-Encoding: gzip").fields
            let head = try await server.get(path, method: "HEAD", "Accept-Encoding: gzip")
            var fields = head.fields
            (whole["date"], fields["date"]) = (nil, nil)
            #expect(head.status == 200)
            #expect(fields == whole)
            #expect(head.body.isEmpty)
        }
    }

    @Test(arguments: [
        (MissingTileAnswer.noContent, 204, ""), (.notFound, 404, "the tileset has no such tile\n"),
        (.empty, 200, #"{"type":"FeatureCollection","features":[]}"#),
    ])
    func `a tile without points is answered as asked for`(
        answer: MissingTileAnswer, status: Int, text: String
    ) async throws {
        let server = try await RunningServer(missingTile: answer)
        let found = try await server.get("/tiles/4/9/3.json")
        #expect(found.status == status)
        #expect(found.text == text)
        // Neither of these may say how long it is (RFC 9110, 8.6).
        #expect((found.fields["content-length"] == nil) == (status == 204))
    }

    @Test func `the metadata have their types`() async throws {
        let server = try await RunningServer()
        let types = [
            "/tilejson.json": "application/json", "/manifest.json": "application/json",
            "/files.tsv": "text/tab-separated-values; charset=utf-8",
        ]
        for (path, type) in types {
            let answer = try await server.get(path)
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == type)
            #expect(Data(answer.body) == FileManager.default.contents(atPath: server.root.path + path))
        }
        let list = try await server.get("/files.tsv")
        let tag = try #require(list.fields["etag"])
        #expect(try await server.get("/files.tsv", "If-None-Match: \(tag)").status == 304)
        try server.write("files.tsv", Array("tile\n4/9/4\n4/9/5\n".utf8))
        #expect(try await server.get("/files.tsv", "If-None-Match: \(tag)").status == 200)
    }

    @Test func `a large list arrives whole`() async throws {
        let server = try await RunningServer()
        let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try server.write("files.tsv", bytes)
        #expect(try await server.get("/files.tsv").body == bytes)
    }

    @Test func `the page is at the root and under its name`() async throws {
        let server = try await RunningServer()
        for path in ["/", "/index.html", "/?zoom=3"] {
            let answer = try await server.get(path)
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
            #expect(answer.body == PreviewPage.html(leaflet: nil, directoryName: "out"))
        }
    }
}
