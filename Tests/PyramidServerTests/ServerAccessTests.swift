import PyramidTiles
import TestSupport
import Testing

@testable import PyramidServer

@Suite(.tags(.slow, .threads)) struct ServerAccessTests {
    @Test(arguments: [
        "localhost", "localhost:8080", "LocalHost:65535", "localhost.", "shops.localhost:1", "127.0.0.1:8080", "[::1]",
        "[::1]:8080", "192.168.1.7:8080", "[fe80::1]", "10.0.2.2", "my-mac.local", "My-Mac.local.:8080",
    ])
    func `names of this machine, addresses and allowed names are answered`(host: String) async throws {
        let server = try await RunningServer(access: ServerAccess(hosts: ["MY-mac.local"]))
        #expect(try await server.get("/files.tsv", "Host: \(host)").status == 200)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example",
        "my-mac.local.evil.example", "999.0.0.1", "2130706433", "local\u{212a}ost",
    ])
    func `a name that someone else lets lead here gets nothing`(host: String) async throws {
        let server = try await RunningServer(
            access: ServerAccess(hosts: ["my-mac.local"]) { "say that \($0) is a friend" })
        for path in ["/", "/files.tsv", "/tiles/4/9/4.json", "/none"] {
            for method in ["GET", "OPTIONS"] {
                let answer = try await server.get(path, method: method, "Host: \(host)", "Origin: http://\(host)")
                #expect([400, 403].contains(answer.status))
                #expect(answer.fields["access-control-allow-origin"] == nil)
                #expect(!answer.text.contains("4/9/4") && !answer.text.contains("<html"))
            }
        }
        let name = host.split(separator: ":")[0]
        let refused = try await server.get("/", "Host: \(host)")
        #expect(refused.status == 400 || refused.text.contains("; to allow it, say that \(name) is a friend\n"))
    }

    @Test(arguments: [
        "", ":8080", "a b", "localhost:", "localhost:x", "localhost:65536", "localhost:1:2", "[::1", "[::1]8080", "::1",
        "user@localhost", "localhost/", "http://localhost", ".localhost", "[localhost]", "localhost, localhost",
    ])
    func `a Host that is none is a bad request`(host: String) async throws {
        let server = try await RunningServer()
        #expect(try await server.get("/files.tsv", "Host: \(host)").status == 400)
    }

    @Test func `the host that the server listens on needs no permission`() throws {
        var access = ServerAccess()
        access.allow("my-mac.local")
        let request = try RequestHead(Array("GET / HTTP/1.1\r\nHost: my-mac.local:80".utf8))
        #expect(access.refusal(of: request) == nil && ServerAccess().refusal(of: request) != nil)
    }

    /// By the page's origin: whether it may read from a server that it calls 192.168.1.7:8080.
    @Test(arguments: [
        ("http://localhost:5173", true), ("https://localhost", true), ("http://127.0.0.1:3000", true),
        ("http://[::1]:3000", true), ("http://app.localhost:5173", true), ("http://192.168.1.7:5173", true),
        ("https://maps.example:8443", true), ("https://example.org", true), ("http://192.168.1.8:5173", false),
        ("https://example.org:8443", false), ("http://example.org", false), ("https://evil.example", false),
        ("https://example.org.evil.example", false), ("https://localhost.evil.example", false), ("null", false),
        ("https://example.org/", false), ("http://localhost:5173, https://evil.example", false),
    ])
    func `pages of this machine and of allowed origins may read`(origin: String, isAllowed: Bool) async throws {
        let server = try await RunningServer(
            access: ServerAccess(origins: ["https://example.org:443", "https://maps.example:8443"]))
        for method in ["GET", "HEAD", "OPTIONS"] {
            for path in ["/tiles/4/9/4.json", "/tilejson.json", "/tiles/4/9/5.json"] {
                let answer = try await server.get(
                    path, method: method, "Host: 192.168.1.7:8080", "Origin: \(origin)",
                    "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: x-own")
                #expect(answer.fields["access-control-allow-origin"] == (isAllowed ? origin : nil))
                #expect(answer.fields["vary"]?.hasSuffix("Origin") == true)
                guard method == "OPTIONS" else { continue }
                #expect(answer.status == 204 && answer.fields["access-control-allow-headers"] == "*")
                #expect(answer.fields["access-control-allow-methods"]?.contains("GET") == true)
            }
        }
    }

    @Test func `all pages may read if the user says so`() async throws {
        let server = try await RunningServer(access: ServerAccess(origins: ["https://example.org", "*"]))
        let answer = try await server.get("/files.tsv", "Origin: null")
        #expect(answer.fields["access-control-allow-origin"] == "*" && answer.fields["vary"] == nil)
    }

    @Test func `what is no name or origin can't be allowed`() {
        for text in ["", "http://my-mac.local", "my-mac.local:8080", "*.local", "a b", "ma\u{308}c"] {
            #expect(throws: ServerAccess.InvalidEntry.host(text)) { try ServerAccess(hosts: [text]) }
        }
        for text in ["", "example.org", "https://example.org/", "https://", "ftp://example.org", "https://*", "null"] {
            #expect(throws: ServerAccess.InvalidEntry.origin(text)) { try ServerAccess(origins: [text]) }
        }
    }

    /// A tileset with bundles, of which TileJSON has two templates.
    private static func tileJSON(baseURL: String? = nil) throws -> [UInt8] {
        var tileJSON = TileJSON(
            tileTemplate: "tiles/{z}/{x}/{y}.json", minZoom: 2, maxZoom: 4,
            bounds: BoundingBox(west: 1, south: 2, east: 3, north: 4), fields: ["a": "String"],
            options: TileJSONOptions(name: "Café </script>", baseURL: baseURL))
        tileJSON.bundles = TileJSON.Bundles(
            limit: 7, root: .tile, template: (baseURL ?? "") + "bundles/{z}/{x}/{y}.json", deflated: [1, 2])
        return try tileJSON.encoded()
    }

    @Test(arguments: ["localhost:8080", "127.0.0.1", "[::1]:9", "192.168.1.7:8080", "shops.localhost:81"])
    func `TileJSON has the URLs at which the client reached the server`(host: String) async throws {
        let server = try await RunningServer()
        let stored = try ServerAccessTests.tileJSON()
        try server.write("tilejson.json", stored)
        let answer = try await server.get("/tilejson.json", "Host: \(host)", "Accept-Encoding: gzip")
        #expect(answer.status == 200 && answer.fields["content-type"] == "application/json")
        #expect(answer.fields["content-length"] == "\(answer.body.count)")
        // What `build --base-url` would have written.
        #expect(try answer.body == ServerAccessTests.tileJSON(baseURL: "http://\(host)/"))
        let tag = try #require(answer.fields["etag"])
        let again = try await server.get("/tilejson.json", "Host: \(host)", "If-None-Match: \(tag)")
        #expect(again.status == 304)
        // Another address is another text.
        let other = try await server.get("/tilejson.json", "Host: localhost:1", "If-None-Match: \(tag)")
        #expect(other.status == 200)
        let head = try await server.get("/tilejson.json", method: "HEAD", "Host: \(host)")
        #expect(head.body.isEmpty && head.fields["content-length"] == "\(answer.body.count)")
        #expect(head.fields["etag"] == tag)
    }

    @Test func `TileJSON stays as it is if it has URLs, or if the client's address isn't known`() async throws {
        let server = try await RunningServer()
        let published = try ServerAccessTests.tileJSON(baseURL: "https://cdn.example/shops/")
        try server.write("tilejson.json", published)
        #expect(try await server.get("/tilejson.json").body == published)
        let relative = try ServerAccessTests.tileJSON()
        try server.write("tilejson.json", relative)
        for field in ["X-Forwarded-Host: cdn.example", "X-Forwarded-Proto: https", "Forwarded: proto=https"] {
            #expect(try await server.get("/tilejson.json", field).body == relative)
        }
        let received = try await server.exchange("GET /tilejson.json HTTP/1.0\r\n\r\n")
        #expect(try Answer(received).body == relative)
    }
}
