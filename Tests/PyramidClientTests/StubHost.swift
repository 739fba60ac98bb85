import Foundation
import PyramidBuild
import PyramidParts
import PyramidClient
import PyramidTiles
import Synchronization
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A web host without a network: what it answers stands in `answer(to:)`.
final class StubHost: URLProtocol {
    static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubHost.self]
        return URLSession(configuration: configuration)
    }()

    static func url(_ path: String) -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("http", "stub.invalid", "/" + path)
        return parts.url ?? URL(fileURLWithPath: path)
    }

    /// Files that tests bring along, by path.
    private static let served = Mutex<[String: [UInt8]]>([:])

    /// Serves files for as long as the tests run.
    /// - Parameter files: by path.
    /// - Returns: the URL of their folder.
    static func serve(_ files: [String: [UInt8]]) -> URL {
        let folder = url(UUID().uuidString)
        replace(files, at: folder)
        return folder
    }

    static func replace(_ files: [String: [UInt8]], at folder: URL) {
        served.withLock { served in
            for (path, bytes) in files { served[folder.appendingPathComponent(path).path] = bytes }
        }
    }

    /// Builds a tileset of rows with ids and serves it.
    static func tileset(
        _ rows: String, _ clustering: ClusteringOptions, _ change: @Sendable (inout BuildOptions) -> Void
    ) async throws -> RemoteTiles {
        let folder = try TemporaryFolder()
        let output = folder.path("out")
        var options = BuildOptions(
            inputPaths: [try folder.file("rows", rows)], outputPath: output, clustering: clustering)
        options.input.idColumn = "id"
        change(&options)
        _ = try PyramidBuilder(options: options).build()
        let files = try fileTree(at: output).map { path, content in
            (path.hasSuffix(".gz") ? String(path.dropLast(3)) : path, [UInt8](content))
        }
        return try await RemoteTiles(at: serve(Dictionary(uniqueKeysWithValues: files)), session: session)
    }

    private static let tile = #"""
        {"type":"FeatureCollection","features":[{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[24.1059,56.946]},"properties":{}}]}
        """#

    private static func tileJSON(_ template: String) -> [UInt8] {
        let bounds = BoundingBox(west: 0, south: 0, east: 30_000_000, north: 60_000_000)
        let tileJSON = TileJSON(tileTemplate: template, minZoom: 0, maxZoom: 5, bounds: bounds, fields: [:])
        return (try? tileJSON.encoded()) ?? []
    }

    private static func gzip(_ text: String) -> [UInt8] { Array(text.utf8).gzipped() }

    /// The answers to the first two requests for a tile, the last one first.
    private static let failures = Mutex([503, 429])

    private static func answer(to path: String) -> (status: Int, body: [UInt8]) {
        switch path {
        case "/plain/tilejson.json": (200, tileJSON("tiles/{z}/{x}/{y}.json"))
        case "/absolute/tilejson.json": (200, tileJSON("https://cdn.example.org/a/{z}/{x}/{y}.json"))
        case "/plain/tiles/3/4/2.json": (200, gzip(tile))
        case "/plain/tiles/3/1/0.json": (204, [])
        case "/plain/tiles/3/2/0.json": (200, [])
        case "/plain/tiles/3/3/0.json": (200, Array(#"{"type":"FeatureCollection","features":[]}"#.utf8))
        case "/plain/tiles/3/4/0.json": (500, [])
        case "/plain/tiles/3/5/0.json": (200, Array("<html>".utf8))
        case "/plain/tiles/3/6/0.json": (200, Array(gzip(tile).dropLast(12)))
        case endlessPath: (200, [])
        case "/plain/tiles/3/1/1.json": (200, [UInt8](repeating: 0, count: RemoteTiles.tileLimitBytes + 1).gzipped())
        case "/plain/tiles/3/7/0.json": failures.withLock { $0.popLast() }.map { ($0, []) } ?? (200, gzip(tile))
        default: served.withLock { $0[path] }.map { (200, $0) } ?? (404, Array("not found".utf8))
        }
    }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() { isStopped.store(true, ordering: .relaxed) }

    private let isStopped = Atomic(false)

    /// A body of a gigabyte, in pieces, as far as the client took it.
    static let endlessPath = "/plain/tiles/3/0/1.json"
    static let endlessPieceCount = 1024
    static let sentPieceCount = Atomic(0)

    /// Sends pieces until the client stops.
    private func sendEndlessly() {
        // This task's own thread: what it sends is received on others.
        nonisolated(unsafe) let host = self
        Thread.detachNewThread {
            let piece = Data(count: 1 << 20)
            for _ in 0..<StubHost.endlessPieceCount where !host.isStopped.load(ordering: .relaxed) {
                host.client?.urlProtocol(host, didLoad: piece)
                StubHost.sentPieceCount.add(1, ordering: .relaxed)
                usleep(2000)
            }
            if !host.isStopped.load(ordering: .relaxed) { host.client?.urlProtocolDidFinishLoading(host) }
        }
    }

    override func startLoading() {
        guard let url = request.url else { return }
        let (status, body) = StubHost.answer(to: url.path)
        if let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:]) {
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
        if url.path == StubHost.endlessPath { return sendEndlessly() }
        client?.urlProtocol(self, didLoad: Data(body))
        client?.urlProtocolDidFinishLoading(self)
    }
}
