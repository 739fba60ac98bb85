import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Answers requests for the files of one tileset.
///
/// The path of a request is never used as the path of a file. It is one of a fixed set of names, or the address of a
/// tile, whose path is written anew from its parsed numbers.
struct PyramidResponder: Sendable {
    private let served: ServedTileset
    /// The tileset during one request.
    private var tileset: any TilesetReader
    let missingTile: MissingTileAnswer
    private let access: ServerAccess
    private let page: [UInt8]

    init(
        tileset: any TilesetReader, missingTile: MissingTileAnswer, access: ServerAccess = ServerAccess(),
        leaflet: LocalLeaflet?, basemap: Basemap?
    ) {
        served = ServedTileset(tileset)
        self.tileset = tileset
        self.missingTile = missingTile
        self.access = access
        // The URL doesn't contain the name of the directory or archive, so the page gets it.
        let path = tileset.directoryPath ?? (tileset as? ArchiveTileset)?.name
        let directory = path.map { URL(fileURLWithPath: $0).standardizedFileURL.lastPathComponent }
        page = PreviewPage.html(leaflet: leaflet, directoryName: directory, basemap: basemap)
    }

    /// The files beside the tiles, with their types.
    private static let metadataTypes = [
        TileJSON.fileName: "application/json", Manifest.fileName: "application/json",
        FileList.fileName: "text/tab-separated-values; charset=utf-8",
    ]
    private static let methods = "GET, HEAD, OPTIONS"

    func response(to request: RequestHead) -> Response {
        var responder = self
        responder.tileset = served.current
        let refusal = access.refusal(of: request)
        var response = refusal ?? responder.answer(request)
        response.fields.append(("X-Content-Type-Options", "nosniff"))
        if refusal == nil { response.fields += access.fields(for: request) }
        return response
    }

    private func answer(_ request: RequestHead) -> Response {
        switch request.method {
        case "GET", "HEAD": break
        case "OPTIONS":
            return Response(
                .noContent,
                [
                    ("Allow", PyramidResponder.methods), ("Access-Control-Allow-Methods", PyramidResponder.methods),
                    ("Access-Control-Allow-Headers", "*"), ("Access-Control-Max-Age", "86400"),
                ])
        default:
            var response = Response(.methodNotAllowed, text: "expected GET, HEAD or OPTIONS")
            response.fields.append(("Allow", PyramidResponder.methods))
            return response
        }
        do {
            return try content(of: request) ?? Response(.notFound, text: "no such file in this pyramid")
        } catch {
            // Clients shouldn't see the tileset's path on this machine.
            let folder =
                tileset.directoryPath ?? URL(fileURLWithPath: tileset.name).deletingLastPathComponent().path
            return Response(.failed, text: "\(error)".replacing("\(folder)/", with: ""))
        }
    }

    private func content(of request: RequestHead) throws -> Response? {
        let name = String(request.path.dropFirst())
        if name.isEmpty || name == TilesetMetadata.previewName {
            return success(request, page, type: PreviewPage.contentType)
        }
        if let archive = tileset as? ArchiveTileset, name.percentDecoded == archive.servedName {
            return try archive.openedFile().map { self.archive($0, request) }
        }
        if let type = PyramidResponder.metadataTypes[name] {
            // The list of a large tileset is sent in pieces.
            if let root = tileset.directoryPath, name == FileList.fileName {
                return try OpenedFile(below: root, [name]).map {
                    success(request, .file($0, 0..<$0.byteCount), type: type, tag: EntityTag($0))
                }
            }
            return try stored({ try tileset.metadataBytes(of: name) }).map { bytes in
                let sent = name == TileJSON.fileName ? absoluteTileJSON(bytes, for: request) : bytes
                return success(request, sent, type: type)
            }
        }
        let storage = tileset.storage
        guard let (address, suffix) = TileStorage.parse(path: name), suffix == storage.suffix else {
            return nil
        }
        if let response = try response(to: request, storedAt: address) { return response }
        guard address.kind == .tile else { return nil }
        // Clients that know nothing of bundles get the tile all the same.
        if let body = try tileset.bundledBody(of: address.tile) {
            return success(request, body, type: storage.codec.mediaType)
        }
        switch missingTile {
        case .noContent where request.fields["if-match"] != nil: return Response(.preconditionFailed)
        case .noContent: return Response(.noContent, [("Cache-Control", "no-cache")])
        case .notFound: return Response(.notFound, text: "the tileset has no such tile")
        case .empty:
            return success(request, storage.codec.emptyTile, type: storage.codec.mediaType)
        }
    }

    /// TileJSON with the tiles' URLs on this server, because MapLibre takes no relative ones; as it is if it has URLs
    /// already, can't be read, or if the browser's address of this server isn't known.
    private func absoluteTileJSON(_ bytes: [UInt8], for request: RequestHead) -> [UInt8] {
        // Proxies have an address of their own, and often another scheme.
        let isProxied = request.fields.keys.contains { $0 == "forwarded" || $0.hasPrefix("x-forwarded-") }
        guard !isProxied, let authority = request.authority, let tileJSON = try? TileJSON(decoding: bytes) else {
            return bytes
        }
        return (try? tileJSON.withBaseURL("http://\(authority.text)/").encoded()) ?? bytes
    }

    private func stored(at address: FileAddress) throws -> [UInt8]? {
        guard let root = tileset.directoryPath else {
            return try stored { try tileset.storedBytes(of: address, limitBytes: TileStorage.tileLimitBytes) }
        }
        // Follows no links, not even of folders, so clients can't get outside.
        let path = tileset.storage.relativePath(of: address)
        let file = try OpenedFile(below: root, path.split(separator: "/").map(String.init))
        return try file.map { try $0.bytes(0..<$0.byteCount) }
    }

    /// `nil` if the file is missing or not a regular file.
    private func stored(_ read: () throws -> [UInt8]) throws -> [UInt8]? {
        do {
            return try read()
        } catch let error as StoreError where [.missing, .notRegularFile].contains(error.reason) {
            return nil
        }
    }

    /// A file as it is stored, or inflated for clients that don't accept gzip; `nil` if there is no such file.
    private func response(to request: RequestHead, storedAt address: FileAddress) throws -> Response? {
        guard let stored = try stored(at: address) else { return nil }
        let type = tileset.storage.codec.mediaType
        let vary = ("Vary", "Accept-Encoding")
        // Tiles may be stored uncompressed.
        guard stored.starts(with: Gzip.magic) else {
            return success(request, stored, type: type)
        }
        if AcceptEncoding(request.fields["accept-encoding"]).acceptsGzip {
            return success(
                request, .bytes(stored), type: type, tag: EntityTag(stored, isGzip: true),
                [("Content-Encoding", "gzip"), vary])
        }
        let body = try Gzip.decompress(stored, limitBytes: TileStorage.tileLimitBytes)
        return success(request, .bytes(body), type: type, tag: EntityTag(body, isGzip: false), [vary])
    }

    /// An archive, or the part of it that the client asks for.
    private func archive(_ file: OpenedFile, _ request: RequestHead) -> Response {
        let tag = EntityTag(file)
        let fields = [("Accept-Ranges", "bytes")]
        // Ranges apply to GET only, and the other conditions take precedence.
        let takesRange =
            request.method == "GET" && !tag.fails(request.fields["if-match"])
            && !tag.matches(request.fields["if-none-match"])
        let range = ByteRange(
            takesRange ? request.fields["range"] : nil, condition: request.fields["if-range"], tag: tag,
            byteCount: file.byteCount)
        switch range {
        case .whole:
            return success(request, .file(file, 0..<file.byteCount), type: ArchiveTileset.contentType, tag: tag, fields)
        case .part(let part):
            var response = success(request, .file(file, part), type: ArchiveTileset.contentType, tag: tag, fields)
            response.status = .partialContent
            response.fields.append(
                ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.byteCount)"))
            return response
        case .unsatisfiable:
            var response = Response(.rangeNotSatisfiable, text: "the archive has \(file.byteCount) bytes")
            response.fields += fields + [("Content-Range", "bytes */\(file.byteCount)"), ("ETag", tag.text)]
            return response
        }
    }

    private func success(_ request: RequestHead, _ bytes: [UInt8], type: String) -> Response {
        success(request, .bytes(bytes), type: type, tag: EntityTag(bytes, isGzip: false))
    }

    /// The bytes; a 304 if the client has them already, or a 412 if it expects others.
    private func success(
        _ request: RequestHead, _ body: Response.Body, type: String, tag: EntityTag,
        _ fields: [(name: String, value: String)] = []
    ) -> Response {
        // The tileset may be rebuilt at any time, so clients must revalidate.
        let fields = fields + [("ETag", tag.text), ("Cache-Control", "no-cache")]
        guard !tag.fails(request.fields["if-match"]) else { return Response(.preconditionFailed, fields) }
        guard !tag.matches(request.fields["if-none-match"]) else { return Response(.notModified, fields) }
        return Response(.ok, [("Content-Type", type)] + fields, body: body)
    }
}

/// The answer to a request for a tile that doesn't exist because it has no markers.
public enum MissingTileAnswer: String, CaseIterable, Sendable {
    /// 204 No Content.
    case noContent = "204"
    /// 404 Not Found, as most static hosts do.
    case notFound = "404"
    /// 200 with a tile that has no features, for clients that treat 204 and 404 as failures.
    case empty
}
