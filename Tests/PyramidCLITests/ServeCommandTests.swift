import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.tags(.slow, .threads)) struct ServeCommandTests {
    private let folder: TemporaryFolder
    private let build: [String]

    init() throws {
        folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", "name,lat,lon\nSuva,-18.1416,178.4419\nLautoka,-17.61,177.45\n")
        build = ["build", input, folder.path("out"), "--max-zoom", "5", "--quiet"]
        try #require(try CommandLineProgram.run(build).exitCode == 0)
    }

    /// What opens a browser.
    enum Opener {
        case works, fails, missing
    }

    @Test func `serve prints its URL and serves the pyramid there`() async throws {
        let process = Process()
        process.executableURL = CommandLineProgram.url
        process.arguments = ["serve", folder.path("out"), "--port", "0", "--missing", "empty"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer { process.terminate() }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.hasPrefix("http://127.0.0.1:") && line.hasSuffix("/\n"))
        let root = try #require(URL(string: line.trimmingCharacters(in: .newlines)))

        let (tile, _) = try await URLSession.shared.data(from: root.appendingPathComponent("tiles/5/31/17.json"))
        let shown = try CommandLineProgram.run(["show", folder.path("out"), "5/31/17"])
        let expected = try JSONSerialization.jsonObject(with: Data(shown.standardOutput.utf8))
        #expect(try JSONSerialization.jsonObject(with: tile) as? NSDictionary == expected as? NSDictionary)
        let (missing, _) = try await URLSession.shared.data(from: root.appendingPathComponent("tiles/5/0/0.json"))
        #expect(missing == Data(#"{"type":"FeatureCollection","features":[]}"#.utf8))

        let port = try #require(root.port)
        let second = try CommandLineProgram.run(["serve", folder.path("out"), "--port", "\(port)"])
        #expect(second.exitCode == 74)
        #expect(second.standardError.contains("127.0.0.1:\(port): can't listen: "))
        #expect(second.standardError.contains("choose another --port, or 0 for a free one"))
    }

    @Test func `serve goes on with more clients than descriptors, and follows a build of other tiles`() throws {
        let url = try folder.file("url", "")
        let outcome = try CommandLineProgram.run(
            ["serve", folder.path("out"), "--port", "0"], outputPath: url, limit: "-n 64"
        ) { process in
            let port = try port(url)
            var silent: [RawClient] = []
            for _ in 0..<150 { silent.append(try RawClient(port: port)) }
            func status(_ path: String) throws -> String { try RawClient(port: port).status(of: path) }
            #expect(try status("/tiles/5/31/17.json") == "HTTP/1.1 200")
            try #require(try CommandLineProgram.run(build + ["--format", "mvt"]).exitCode == 0)
            #expect(try status("/tiles/5/31/17.mvt") == "HTTP/1.1 200")
            #expect(try status("/tiles/5/31/17.json") == "HTTP/1.1 404")
            #expect(process.isRunning)
            withExtendedLifetime(silent) {}
            process.terminate()
        }
        #expect(outcome.exitCode == SIGTERM && outcome.wasKilled)
    }

    @Test func `serve answers to the names and the pages that the user allows, and says how to allow others`() throws {
        let url = try folder.file("url", "")
        let options = ["--allow-host", "my-mac.local", "--allow-host", "other", "--cors", "https://example.org"]
        let outcome = try CommandLineProgram.run(
            ["serve", folder.path("out"), "--port", "0"] + options, outputPath: url
        ) { process in
            let port = try port(url)
            func answer(_ host: String) throws -> String {
                let fields = "Host: \(host)\r\nOrigin: https://example.org\r\nConnection: close\r\n\r\n"
                return try RawClient(port: port).answer(to: "GET /tilejson.json HTTP/1.1\r\n" + fields)
            }
            for host in ["my-mac.local:\(port)", "other"] {
                let answer = try answer(host)
                #expect(answer.contains("\r\nAccess-Control-Allow-Origin: https://example.org\r\n"))
                #expect(answer.contains("\"http://\(host)/tiles/{z}/{x}/{y}.json\""), "\(answer)")
            }
            #expect(try answer("third.example:\(port)").contains("; to allow it, use --allow-host third.example\n"))
            process.terminate()
        }
        #expect(outcome.wasKilled)
    }

    /// The port of a server that writes its URL into a file.
    private func port(_ url: String) throws -> UInt16 {
        func root() -> String { (try? String(contentsOfFile: url, encoding: .utf8)) ?? "" }
        poll { root().hasSuffix("/\n") }
        return try #require(root().split(separator: ":").last.flatMap { UInt16($0.dropLast(2)) })
    }

    @Test(arguments: [Opener.works, .fails, .missing])
    func `serve opens the browser, and goes on without one`(opener: Opener) throws {
        let words = opener == .fails ? "failed with exit code 3" : "is not installed"
        if opener != .missing {
            let script = opener == .works ? "echo \"$1\" >\"$0.opened\"" : "exit 3"
            for name in ["xdg-open", "open"] { try folder.program(name, script) }
        }
        let errors = try folder.file("errors", "")
        let leaflet = try folder.file("leaflet.js", "typeof exports; version=\"1.9.4\"")
        try folder.file("leaflet.css", "")
        let outcome = try CommandLineProgram.run(
            ["serve", folder.path("out"), "--port", "0", "--open", "--leaflet", leaflet], errorPath: errors,
            environment: ["PATH": folder.url.path]
        ) { process in
            let opened = ["xdg-open", "open"].map { folder.path($0 + ".opened") }
            func said() -> String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }
            func url() -> String? { opened.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first }
            poll { opener == .works ? url()?.hasSuffix("\n") == true : said().contains(words) }
            #expect(process.isRunning)
            process.terminate()
            if opener == .works {
                #expect(url()?.hasPrefix("http://127.0.0.1:") == true && said().isEmpty)
            } else {
                #expect(said().hasPrefix("warning: no browser was opened: ") && said().contains(words))
            }
        }
        #expect(outcome.standardOutput.hasPrefix("http://127.0.0.1:"))
    }

    @Test func `serve wants a pyramid, a port and an answer that there are`() throws {
        #expect(try CommandLineProgram.run(["serve", folder.path("nothing")]).exitCode == 66)
        #expect(try CommandLineProgram.run(["serve", folder.url.path]).exitCode == 66)
        let leaflet = ["serve", folder.path("out"), "--leaflet", folder.path("leaflet.js")]
        #expect(try CommandLineProgram.run(leaflet).exitCode == 66)
        #expect(try CommandLineProgram.run(["serve", folder.url.path, "--port", "65536"]).exitCode == 64)
        #expect(try CommandLineProgram.run(["serve", folder.url.path, "--missing", "500"]).exitCode == 64)
        for option in [["--allow-host", "http://other"], ["--cors", "example.org"]] {
            let outcome = try CommandLineProgram.run(["serve", folder.path("out")] + option)
            #expect(outcome.exitCode == 64 && outcome.standardError.contains("\(option[0]) takes "))
            #expect(outcome.standardError.contains("\"\(option[1])\""))
        }
    }
}

extension RawClient {
    /// "HTTP/1.1 200"; nothing if the server hangs up.
    fileprivate func status(of path: String) throws -> String {
        String(try answer(to: "GET \(path) HTTP/1.1\r\nConnection: close\r\n\r\n").prefix(12))
    }

    fileprivate func answer(to request: String) throws -> String {
        _ = send(Array(request.utf8))
        return String(decoding: try receiveAll(), as: UTF8.self)
    }
}
