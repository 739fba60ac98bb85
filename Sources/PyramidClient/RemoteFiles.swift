import Foundation
import PyramidTiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The files of a tileset on a web host. Requests that fail temporarily are repeated.
actor RemoteFiles {
    /// The TileJSON and the index of bundles.
    struct Description: Sendable {
        let tileJSON: TileJSON
        /// `nil` if every tile has a file of its own.
        let bundles: BundleIndex?

        /// The file that holds a tile: its own or a bundle; `nil` if there is none.
        func file(holding tile: TileCoordinate) -> FileAddress? {
            bundles.map { $0.file(holding: tile) } ?? .tile(tile)
        }
    }

    /// The size limit of a file, both as sent and inflated.
    static let limitBytes = 64 << 20

    let url: URL
    private(set) var description: Description
    private let downloads: Downloads

    /// The pauses before further attempts.
    private static let pauses: [Duration] = [.milliseconds(300), .seconds(1), .seconds(3)]

    /// Reads the TileJSON.
    init(at url: URL, session: URLSession) async throws {
        self.url = url
        downloads = Downloads(session)
        description = try await RemoteFiles.description(at: url, downloads)
    }

    /// Reads the TileJSON again, unless another call has done so since `old` was read.
    func refresh(after old: Description) async throws {
        guard description.tileJSON == old.tileJSON else { return }
        description = try await RemoteFiles.description(at: url, downloads, ignoresCache: true)
    }

    private static func description(
        at url: URL, _ downloads: Downloads, ignoresCache: Bool = false
    ) async throws -> Description {
        guard let bytes = try await bytes(at: url, downloads, ignoresCache: ignoresCache) else {
            throw RemoteTilesError(url: url, problem: "there is no TileJSON")
        }
        do throws(MetadataError) {
            let tileJSON = try TileJSON(decoding: bytes)
            return Description(tileJSON: tileJSON, bundles: try tileJSON.bundles?.decoded())
        } catch {
            throw RemoteTilesError(url: url, problem: "\(error)")
        }
    }

    /// The bytes of a file, with gzip inflated; `nil` if the host has no such file.
    nonisolated func bytes(at url: URL) async throws -> [UInt8]? { try await RemoteFiles.bytes(at: url, downloads) }

    /// The bytes at a URL, with gzip inflated; `nil` if the host has no such file.
    private static func bytes(
        at url: URL, _ downloads: Downloads, ignoresCache: Bool = false
    ) async throws -> [UInt8]? {
        var request = URLRequest(url: url)
        if ignoresCache { request.cachePolicy = .reloadIgnoringLocalCacheData }
        var pauses = RemoteFiles.pauses[...]
        while true {
            do {
                let (data, response) = try await downloads.answer(to: request, limitBytes: limitBytes)
                let status = (response as? HTTPURLResponse)?.statusCode ?? 200
                guard isTemporary(status), let pause = pauses.popFirst() else {
                    return try content(of: data, status: status, at: url)
                }
                try await Task.sleep(for: pause)
            } catch let error as URLError where error.code != .cancelled {
                guard let pause = pauses.popFirst() else { throw error }
                try await Task.sleep(for: pause)
            }
        }
    }

    private static func isTemporary(_ status: Int) -> Bool { status == 429 || (500..<600).contains(status) }

    private static func content(of data: Data, status: Int, at url: URL) throws -> [UInt8]? {
        if status == 404 || status == 204 { return nil }
        guard (200..<300).contains(status) else {
            throw RemoteTilesError(url: url, problem: "the host answers \(status)")
        }
        guard data.starts(with: Gzip.magic) else { return Array(data) }
        do {
            return try Gzip.decompress(Array(data), limitBytes: limitBytes)
        } catch {
            throw RemoteTilesError(url: url, problem: "can't be inflated: \(error)")
        }
    }
}
