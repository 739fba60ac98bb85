import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidServer

@Suite(.tags(.slow, .threads)) struct HostileClientTests {
    @Test(arguments: [
        "/../secret.json", "/tiles/../../secret.json", "/%2e%2e/secret.json", "/tiles/%2e%2e/%2e%2e/secret.json",
        "/tiles/4/9/..%2f..%2f..%2f..%2fsecret.json", "//secret.json", "//etc/passwd", "/notes.txt",
        "/tiles//4/9/4.json", "/tiles/4/9/4.json/", "/tiles/4/9/4.json/.", "/./tilejson.json", "/tiles",
        "/tiles/", "/tiles/4/9", "/tiles/4/9/..\\..\\secret.json", "/..\\secret.json", "/tilejson.json%00.txt",
        "/tiles/4/9/4.json%00", "/tiles/+4/9/4.json", "/tiles/04/9/4.json", "/tiles/4/16/4.json", "/tiles/4/-1/4.json",
        "/tiles/4/9/4.json.json", "/tiles/99999999999999999999/0/0.json", "/tiles/31/0/0.json", "/TILES/4/9/4.json",
        "/index.html/../notes.txt", "/.building", "/tiles/٤/9/4.json",
    ])
    func `no path leads to anything but the pyramid's files`(path: String) async throws {
        let server = try await RunningServer()
        let answer = try await server.get(path)
        #expect(answer.status == 404 || answer.status == 400)
        #expect(!answer.text.contains(RunningServer.secret) && !answer.text.contains("Riga"))
    }

    @Test func `symbolic links are no files`() async throws {
        let server = try await RunningServer(missingTile: .notFound)
        let secret = server.folder.url.appendingPathComponent("secret.json")
        let outside = server.folder.url.appendingPathComponent("outside/7")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data(RunningServer.secret.utf8).write(to: outside.appendingPathComponent("7.json"))
        try server.link("tiles/4/9/7.json", to: secret)
        try server.link("tiles/5/7", to: outside)
        try server.link("tiles/6", to: outside.deletingLastPathComponent())
        try FileManager.default.removeItem(at: server.root.appendingPathComponent("manifest.json"))
        try server.link("manifest.json", to: secret)
        for path in ["/tiles/4/9/7.json", "/tiles/5/7/7.json", "/tiles/6/7/7.json", "/manifest.json"] {
            let answer = try await server.get(path)
            #expect(answer.status == 404)
            #expect(!answer.text.contains(RunningServer.secret))
        }
    }

    @Test func `what is no file is no tile`() async throws {
        let server = try await RunningServer()
        try FileManager.default.createDirectory(
            atPath: server.root.path + "/tiles/4/9/6.json", withIntermediateDirectories: true)
        #expect(mkfifo(server.root.path + "/tiles/4/9/7.json", 0o600) == 0)
        try makeSocket(server.root.path + "/tiles/4/9/8.json")
        #expect(try await server.get("/tiles/4/9/6.json").status == 204)
        #expect(try await server.get("/tiles/4/9/7.json").status == 204)
        #expect(try await server.get("/tiles/4/9/8.json").status == 204)
    }

    private func makeSocket(_ path: String) throws {
        // The path of a socket has less room than others.
        let short = TemporaryFolder.parent.path + "/" + UUID().uuidString.prefix(8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(short.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        let bound = withUnsafeBytes(of: &address) {
            bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        try #require(bound == 0 && rename(short, path) == 0)
    }

    @Test func `a damaged tile is an error for who wants it inflated, and for nobody else`() async throws {
        let server = try await RunningServer()
        let stored = Array(RunningServer.gzip(RunningServer.tileText).dropLast(9))
        try server.write("tiles/4/9/4.json", stored)
        #expect(try await server.get("/tiles/4/9/4.json").status == 500)
        #expect(try await server.get("/tiles/4/9/4.json", "Accept-Encoding: gzip").body == stored)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nX: \u{0}\r\n\r\n", 400), ("GET /\u{0} HTTP/1.1\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nX: é\r\nConnection: close\r\n\r\n", 200),
        ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1 \r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nX : 1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nX: 1\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nX: 1\nY: 2\r\n\r\n", 400), ("GET http://else.org/ HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / SPDY/3\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody", 405),
        ("DELETE /tiles/4/9/4.json HTTP/1.1\r\nConnection: close\r\n\r\n", 405),
    ])
    func `every request is answered, and a wrong one ends the connection`(request: String, status: Int) async throws {
        let server = try await RunningServer()
        #expect(try Answer(await server.exchange(request)).status == status)
        if request.hasPrefix("GET ") {
            let answer = try Answer(await server.exchange("HEAD " + request.dropFirst(4)))
            #expect(answer.status == status && answer.body.isEmpty)
        }
        #expect(try await server.get("/tilejson.json").status == 200)
    }

    @Test(arguments: [20_000, 500_000])
    func `a head that is too long is refused before it ends`(byteCount: Int) async throws {
        let server = try await RunningServer()
        let endless = "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: byteCount)
        #expect(try Answer(await server.exchange(endless)).status == 431)
        #expect(try Answer(await server.exchange(endless + "\r\n\r\n")).status == 431)
        let answer = try Answer(await server.exchange("HEAD " + endless.dropFirst(4)))
        #expect(answer.status == 431 && answer.body.isEmpty)
        #expect(try await server.get("/tilejson.json").status == 200)
    }

    @Test func `a body is no second request`() async throws {
        let server = try await RunningServer()
        let inner = "GET /tilejson.json HTTP/1.1\r\n\r\n"
        for field in ["Content-Length: \(inner.utf8.count)", "Transfer-Encoding: chunked"] {
            let received = try await server.exchange("GET /files.tsv HTTP/1.1\r\n\(field)\r\n\r\n\(inner)")
            #expect(try Answer(received).text == "tile\n4/9/4\n")
        }
    }

    @Test func `requests may follow each other, and arrive in pieces`() async throws {
        let server = try await RunningServer()
        let client = try RawClient(port: server.port)
        let received = try await RawClient.apart {
            for piece in [
                "GET /files.tsv HT", "TP/1.1\r\n\r", "\nGET /none HTTP/1.1\r\n\r\n\r\nGET /files.tsv HTTP/1.0\r\n\r\n",
            ] {
                _ = client.send(Array(piece.utf8))
                usleep(20_000)
            }
            return try client.receiveAll()
        }
        let text = String(decoding: received, as: UTF8.self)
        #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        #expect(text.components(separatedBy: "HTTP/1.1 404 Not Found").count == 2)
        #expect(text.components(separatedBy: "tile\n4/9/4\n").count == 3)
    }

    @Test(arguments: [1, 2, 3, 64])
    func `the longest head is read however it arrives, and a longer one is not`(pieceBytes: Int) throws {
        let head = Array("GET / HTTP/1.1\r\nA: b".utf8)
        func read(limitBytes: Int) throws -> [UInt8]? {
            var received = ReceivedHeads(limitBytes: limitBytes)
            let sent = head + RequestHead.end
            for start in stride(from: 0, to: sent.count, by: pieceBytes) {
                received.append(sent[start..<min(start + pieceBytes, sent.count)])
                if let head = try received.next() { return head }
            }
            return nil
        }
        #expect(try read(limitBytes: head.count) == head)
        #expect(throws: ResponseStatus.headTooLarge) { try read(limitBytes: head.count - 1) }
    }

    @Test func `silent clients make place for others`() async throws {
        var limits = RunningServer.patientLimits
        limits.connections = 4
        let server = try await RunningServer(limits: limits)
        let silent = try (0..<40).map { _ in try RawClient(port: server.port) }
        for client in silent { _ = client.send(Array("GET /tiles".utf8)) }
        for _ in 0..<8 { #expect(try await server.get("/tilejson.json").status == 200) }
        // All but the last few were given up.
        for client in silent.prefix(36) { #expect(try await RawClient.apart { try client.receiveAll() }.isEmpty) }
    }

    @Test func `clients that don't read make place for others`() async throws {
        var limits = RunningServer.patientLimits
        limits.connections = 4
        let server = try await RunningServer(limits: limits)
        try server.write("files.tsv", [UInt8](repeating: 65, count: 30_000_000))
        let deaf = try (0..<12).map { _ in try RawClient(port: server.port) }
        for client in deaf { _ = client.send(Array("GET /files.tsv HTTP/1.1\r\n\r\n".utf8)) }
        for _ in 0..<8 { #expect(try await server.get("/tilejson.json").status == 200) }
        withExtendedLifetime(deaf) {}
    }

    @Test func `a client that is too slow is given up`() async throws {
        var limits = ServerLimits()
        limits.patience = .milliseconds(200)
        let server = try await RunningServer(limits: limits)
        let client = try RawClient(port: server.port)
        _ = client.send(Array("GET /tilejson.json HTTP/1.1\r\n".utf8))
        #expect(try await RawClient.apart { try client.receiveAll() }.isEmpty)
    }

    @Test func `clients that leave at once leave nothing behind`() async throws {
        let server = try await RunningServer()
        try server.write("files.tsv", [UInt8](repeating: 65, count: 3_000_000))
        for _ in 0..<100 {
            let client = try RawClient(port: server.port)
            _ = client.send(Array("GET /files.tsv HTTP/1.1\r\n\r\n".utf8))
        }
        #expect(try await server.get("/tilejson.json").status == 200)
        #if os(Linux)
            // A client's end of a connection isn't counted, and the server may not have noticed yet that it is alone.
            var left = (sockets: 0, files: 0)
            for _ in 0..<6000 {
                left = try descriptors(of: server)
                if left == (1, 0) { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(left == (sockets: 1, files: 0), "all but the socket that listens")
        #endif
    }

    #if os(Linux)
        /// How many sockets at the server's port this process has open, and how many of the server's files.
        private func descriptors(of server: RunningServer) throws -> (sockets: Int, files: Int) {
            // "0: 0100007F:1F90 ...", with the socket's number in the tenth column.
            let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
            let port = String(format: ":%04X", server.port)
            let sockets = table.split(separator: "\n").compactMap { line -> String? in
                let columns = line.split(separator: " ")
                return columns[1].hasSuffix(port) ? "socket:[\(columns[9])]" : nil
            }
            let opened = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                // One that is closed meanwhile leads nowhere.
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
            }
            return (
                opened.count { sockets.contains($0) }, opened.count { $0.hasPrefix(server.folder.path + "/") }
            )
        }
    #endif
}
