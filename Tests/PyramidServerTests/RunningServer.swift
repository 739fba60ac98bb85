import Foundation
import PyramidTiles
import TestSupport

@testable import PyramidServer
@testable import PyramidStore

/// A server of a small pyramid in a temporary folder, beside which lies a file that nobody may see.
final class RunningServer {
    static let secret = "nobody may read this"
    static let tileText =
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","#
        + #""coordinates":[24.1059,56.946]},"properties":{"city":"Riga"}}]}"#

    let folder: TemporaryFolder
    let root: URL
    private(set) var port: UInt16 = 0
    private var task: Task<Void, any Error>?

    /// Without a limit of time: where many tests run at once, an honest client may be slow.
    static let patientLimits = {
        var limits = ServerLimits()
        limits.patience = .seconds(3600)
        return limits
    }()

    convenience init(
        missingTile: MissingTileAnswer = .noContent, limits: ServerLimits = patientLimits,
        storage: TileStorage = TileStorage(), access: ServerAccess = ServerAccess()
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.file("secret.json", RunningServer.secret)
        for (name, bytes) in [
            ("tiles/4/9/4.json", RunningServer.gzip(RunningServer.tileText)),
            ("tilejson.json", Array(#"{"tilejson":"3.0.0"}"#.utf8)),
            ("manifest.json", Array(#"{"rows_accepted":1}"#.utf8)), ("files.tsv", Array("tile\n4/9/4\n".utf8)),
            ("notes.txt", Array(RunningServer.secret.utf8)),
        ] {
            try folder.file("out/" + name, Data(bytes))
        }
        try await self.init(
            tileset: DirectoryTileset(path: folder.path("out"), storage: storage), folder: folder,
            missingTile: missingTile, limits: limits, access: access)
    }

    /// - Parameter folder: around the tileset.
    init(
        tileset: any TilesetReader, folder: TemporaryFolder, missingTile: MissingTileAnswer = .noContent,
        limits: ServerLimits = patientLimits, access: ServerAccess = ServerAccess()
    ) async throws {
        self.folder = folder
        root = folder.url.appendingPathComponent("out")
        var server = PyramidServer(
            tileset: tileset, port: 0, missingTile: missingTile, access: access, leaflet: nil)
        server.limits = limits
        let (urls, announce) = AsyncStream.makeStream(of: String.self)
        task = Task { [server] in
            defer { announce.finish() }
            try await server.run { announce.yield($0) }
        }
        for await url in urls {
            port = url.split(separator: ":").last.flatMap { UInt16($0.dropLast()) } ?? 0
            break
        }
    }

    deinit {
        task?.cancel()
    }

    /// Writes a file of the pyramid.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        try folder.file("out/" + name, Data(bytes))
    }

    /// Puts a symbolic link into the pyramid.
    func link(_ name: String, to target: URL) throws {
        let file = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    }

    static func gzip(_ text: String) -> [UInt8] { Array(text.utf8).gzipped() }

    /// The answer to one request over a connection of its own.
    func get(_ path: String, method: String = "GET", _ fields: String...) async throws -> Answer {
        let host = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: localhost"]
        let lines = ["\(method) \(path) HTTP/1.1"] + host + fields + ["Connection: close"]
        let received = try await exchange(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        return try Answer(received)
    }

    /// Sends bytes and gives all that comes back until the server ends the connection.
    func exchange(_ text: String) async throws -> [UInt8] {
        let client = try RawClient(port: port)
        return try await RawClient.apart {
            // The server may have closed before it has read all of it.
            _ = client.send(Array(text.utf8))
            return try client.receiveAll()
        }
    }
}

/// An answer, taken apart.
struct Answer {
    let status: Int
    /// By name in lower case.
    let fields: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    struct Malformed: Error {
        let text: String
    }

    init(_ bytes: [UInt8]) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw Malformed(text: String(decoding: bytes, as: UTF8.self))
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard lines[0].hasPrefix("HTTP/1.1 "), let status = Int(lines[0].dropFirst(9).prefix(3)) else {
            throw Malformed(text: lines[0])
        }
        self.status = status
        let pairs = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
        }
        fields = Dictionary(pairs) { "\($0), \($1)" }
        body = Array(bytes[end.upperBound...])
    }
}
