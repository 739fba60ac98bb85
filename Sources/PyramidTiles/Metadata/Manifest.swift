import PyramidPlatform

/// `manifest.json`: what a tileset was made from, how, and what is in it. It is written last, so a directory whose
/// manifest matches its tiles is complete.
public struct Manifest: Codable, Equatable, Sendable {
    public static let fileName = "manifest.json"
    /// Tilesets of other versions are not read.
    public static let currentFormatVersion = 3

    public var formatVersion = Manifest.currentFormatVersion
    /// The program and its version.
    public var generator: String
    public var options: ClusteringOptions
    public var content: ContentOptions
    public var input: InputSummary
    /// Totals of the points' values, the same at every zoom.
    public var totals = ContentTotals()
    /// By zoom, from first to last.
    public var zooms: [ZoomSummary]
    /// The other files beside the tiles.
    public var files: [String: FileSummary]
    /// The CRC-32 of this file with eight zeros in its place, as eight hexadecimal digits.
    public var checksum = Manifest.blankChecksum

    public init(
        generator: String, options: ClusteringOptions, content: ContentOptions, input: InputSummary,
        totals: ContentTotals = ContentTotals(), zooms: [ZoomSummary], files: [String: FileSummary] = [:]
    ) {
        self.generator = generator
        self.options = options
        self.content = content
        self.input = input
        self.totals = totals
        self.zooms = zooms
        self.files = files
    }

    /// What the tiles contain besides the markers' places, and how they are stored.
    public struct ContentOptions: Codable, Equatable, Sendable {
        /// Which columns of the input the tiles are made from.
        public var columns: InputColumns
        /// The property of points in MVT tiles for ids that are no whole numbers from 0 to 2⁵³ - 1; `nil` in GeoJSON tiles.
        public var idProperty: String?
        /// The names of the points' properties, in the order of the columns.
        public var properties: [String]
        /// What clusters carry.
        public var clusters: ClusterContentOptions
        public var storage: TileStorage
        /// The gzip level; meaningless if tiles aren't compressed.
        public var compressionLevel: Int
        /// What compressed the tiles, as the compressor names itself; empty if they aren't compressed.
        public var compressor: String

        public init(
            columns: InputColumns = InputColumns(), idProperty: String? = nil, properties: [String],
            clusters: ClusterContentOptions = ClusterContentOptions(), storage: TileStorage = TileStorage(),
            compressionLevel: Int, compressor: String
        ) {
            self.compressor = compressor
            self.columns = columns
            self.idProperty = idProperty
            self.properties = properties
            self.clusters = clusters
            self.storage = storage
            self.compressionLevel = compressionLevel
        }
    }

    /// The options that say what the columns of the input are, by their names there; each absent if it isn't given.
    public struct InputColumns: Codable, Equatable, Sendable {
        public var longitude, latitude, point: String?
        /// The column that gives points their ids.
        public var id: String?
        public var include, exclude: [String]?
        /// Each as "column:type".
        public var types: [String]?
        /// The names in the input of the properties that are called otherwise in the tiles, because the name is taken.
        public var renamed: [String: String]?

        public init(id: String? = nil) { self.id = id }
    }

    /// What was read. `rowsRead` is always `rowsAccepted` plus the sum of `rowsSkipped`.
    public struct InputSummary: Codable, Equatable, Sendable {
        /// A digest of the header and the accepted rows that doesn't depend on their order; 16 hexadecimal digits.
        public var digest: String
        public var rowsRead: Int
        public var rowsAccepted: Int
        /// How many accepted rows lie beyond the map's top or bottom edge and are drawn on it.
        public var rowsClamped: Int
        /// Skipped rows by reason.
        public var rowsSkipped: [String: Int]

        public init(
            digest: String, rowsRead: Int, rowsAccepted: Int, rowsClamped: Int, rowsSkipped: [String: Int]
        ) {
            self.digest = digest
            self.rowsRead = rowsRead
            self.rowsAccepted = rowsAccepted
            self.rowsClamped = rowsClamped
            self.rowsSkipped = rowsSkipped
        }
    }

    public struct ZoomSummary: Codable, Equatable, Sendable {
        public var zoom: Int
        public var tiles: Int
        public var markers: Int
        /// How many of the markers are clusters.
        public var clusters: Int
        /// The size of the tiles as JSON.
        public var bodyBytes: Int
        /// The size of the tiles as stored.
        public var storedBytes: Int
        /// The distance that any two markers of one group keep (or any two clusters:
        /// ``ClusteringOptions/promiseCoversPoints``), in units of 2⁻³² of the world's width; absent if none is
        /// promised.
        public var minimumDistanceUnits: UInt64?

        public init(
            zoom: Int, tiles: Int, markers: Int, clusters: Int, bodyBytes: Int, storedBytes: Int,
            minimumDistanceUnits: UInt64?
        ) {
            self.zoom = zoom
            self.tiles = tiles
            self.markers = markers
            self.clusters = clusters
            self.bodyBytes = bodyBytes
            self.storedBytes = storedBytes
            self.minimumDistanceUnits = minimumDistanceUnits
        }
    }

    public struct FileSummary: Codable, Equatable, Sendable {
        public var bytes: Int
        /// Eight hexadecimal digits.
        public var crc32: String

        public init(bytes: Int, crc32: String) {
            self.bytes = bytes
            self.crc32 = crc32
        }

        public init(of content: [UInt8]) {
            self = content.withUnsafeBytes { FileSummary(of: $0) }
        }

        package init(of content: UnsafeRawBufferPointer) {
            self.init(bytes: content.count, crc32: Gzip.crc32(content).hexadecimal)
        }
    }
}

extension Manifest {
    private static let blankChecksum = "00000000"
    private static let checksumKey = Array(#""checksum""#.utf8)

    /// The file's bytes, including its checksum.
    public func encoded() throws -> [UInt8] {
        var blank = self
        blank.checksum = Manifest.blankChecksum
        var bytes = try MetadataJSON.encode(blank)
        guard let place = Manifest.checksumPlace(in: bytes) else {
            preconditionFailure("the manifest has no checksum")
        }
        bytes.replaceSubrange(place, with: Array(Gzip.crc32(bytes).hexadecimal.utf8))
        return bytes
    }

    /// Reads the file's bytes.
    /// - Throws: ``MetadataError`` if they are damaged or of another format version.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        guard let place = Manifest.checksumPlace(in: bytes) else { throw MetadataError("has no checksum") }
        var blank = bytes
        blank.replaceSubrange(place, with: Array(Manifest.blankChecksum.utf8))
        let expected = Gzip.crc32(blank).hexadecimal
        guard bytes[place].elementsEqual(expected.utf8) else {
            throw MetadataError("is damaged: its bytes have the checksum \(expected)")
        }
        if let version = Manifest.otherFormatVersion(of: bytes) {
            throw MetadataError(
                "has format version \(version), expected \(Manifest.currentFormatVersion): another version of pyramid wrote "
                    + "it; build it again")
        }
        self = try MetadataJSON.decode(Manifest.self, from: bytes)
        guard checksum == expected else { throw MetadataError("is damaged: its checksum stands elsewhere") }
    }

    /// The format version of a manifest that is not read; `nil` if it is the current one, or if it has none.
    public static func otherFormatVersion(of bytes: [UInt8]) -> Int? {
        struct Version: Decodable {
            var formatVersion: Int
        }
        let version = try? MetadataJSON.decode(Version.self, from: bytes)
        return version.flatMap { $0.formatVersion == currentFormatVersion ? nil : $0.formatVersion }
    }

    /// The files that a manifest of any version lists; `nil` if it can't be read.
    package static func files(in bytes: [UInt8]) -> [String: FileSummary]? {
        struct Files: Decodable {
            var files: [String: FileSummary]
        }
        return (try? MetadataJSON.decode(Files.self, from: bytes))?.files
    }

    /// Where the eight digits are: after the first `"checksum"`, a colon and a quote.
    private static func checksumPlace(in bytes: [UInt8]) -> Range<Int>? {
        guard let key = bytes.firstRange(of: checksumKey) else { return nil }
        let rest = bytes[key.upperBound...]
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")), quote + 9 <= bytes.count else { return nil }
        return quote + 1..<quote + 9
    }
}
