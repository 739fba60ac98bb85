import PyramidTiles

/// The HTTP headers of a file.
public struct PublishingHeaders: Hashable, Sendable {
    public var contentType: String
    /// `nil` if the file isn't encoded.
    public var contentEncoding: String?
    public var cacheControl: String

    public init(contentType: String, contentEncoding: String? = nil, cacheControl: String) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.cacheControl = cacheControl
    }
}

/// How long caches may keep published files, as values of Cache-Control (RFC 9111).
public struct PublishingCaching: Equatable, Sendable {
    /// Five minutes for tiles: a client that pans around fetches each tile once, and edits show soon.
    public static let defaultTiles = "public, max-age=300"
    /// Files beside the tiles are revalidated every time, which is cheap if they haven't changed.
    public static let defaultMetadata = "no-cache"
    /// A year for the files of a version, which never change.
    public static let version = "public, max-age=31536000, immutable"

    /// For tiles and bundles.
    public var tiles: String
    public var metadata: String

    public init(tiles: String = defaultTiles, metadata: String = defaultMetadata) {
        self.tiles = tiles
        self.metadata = metadata
    }

    /// For tiles and bundles.
    func tileHeaders(_ storage: TileStorage) -> PublishingHeaders {
        PublishingHeaders(
            contentType: storage.codec.mediaType, contentEncoding: storage.compression == .gzip ? "gzip" : nil,
            cacheControl: tiles)
    }

    /// - Parameter name: the name of a file beside the tiles.
    func metadataHeaders(_ name: String) -> PublishingHeaders {
        let types = [
            "json": "application/json", "tsv": "text/tab-separated-values; charset=utf-8",
            "html": "text/html; charset=utf-8",
        ]
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        return PublishingHeaders(contentType: types[ending] ?? "application/octet-stream", cacheControl: metadata)
    }

    /// Whether a text can be the value of a header: printable ASCII.
    public static func isValue(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
