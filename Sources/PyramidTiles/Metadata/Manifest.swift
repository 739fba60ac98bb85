import PyramidPlatform

/// `manifest.json`: what a tileset was made from, how, and what it contains. It is written last, so a directory whose
/// manifest matches its tiles is complete.
public struct Manifest: Codable, Equatable, Sendable {
    public static let fileName = "manifest.json"
    /// Tilesets of other versions are not read.
    public static let currentFormatVersion = 3

    public var formatVersion = Manifest.currentFormatVersion
    /// The name and version of the program that built the tileset.
    public var generator: String
    public var options: ClusteringOptions
    public var content: ContentOptions
    public var input: InputSummary
    /// Totals of the points' values, the same at every zoom.
    public var totals = ContentTotals()
    /// The totals of each zoom, from the first to the last.
    public var zooms: [ZoomSummary]
    /// The other files beside the tiles, by name; in an archive, its sections too.
    public var files: [String: FileSummary]
    /// The CRC-32 of this file, computed with eight zeros instead of the checksum, as eight hexadecimal digits.
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

    /// What markers contain, and how the tiles are stored.
    public struct ContentOptions: Codable, Equatable, Sendable {
        /// How the input's rows are read, with columns by their names in the input.
        public var columns: InputOptions
        /// Columns whose properties have another name in the tiles because theirs was taken: property name to column
        /// name.
        public var renamed: [String: String]
        /// In MVT tiles, the property of points for ids that aren't whole numbers from 0 to 2⁵³ - 1. `nil` if there are
        /// none, and in GeoJSON tiles.
        public var idProperty: String?
        /// The names of the points' properties, in the order of their columns.
        public var properties: [String]
        /// The additional properties of clusters.
        public var clusters: ClusterContentOptions
        public var storage: TileStorage
        /// The gzip level. It has no effect if tiles aren't compressed.
        public var compressionLevel: Int
        /// The compressor's name, with its version and settings; empty if tiles aren't compressed.
        public var compressor: String

        public init(
            columns: InputOptions = InputOptions(), renamed: [String: String] = [:], idProperty: String? = nil,
            properties: [String], clusters: ClusterContentOptions = ClusterContentOptions(),
            storage: TileStorage = TileStorage(),
            compressionLevel: Int, compressor: String
        ) {
            self.compressor = compressor
            self.columns = columns
            self.renamed = renamed
            self.idProperty = idProperty
            self.properties = properties
            self.clusters = clusters
            self.storage = storage
            self.compressionLevel = compressionLevel
        }
    }

    /// The input that was read. `rowsRead` is always `rowsAccepted` plus the sum of `rowsSkipped`.
    public struct InputSummary: Codable, Equatable, Sendable {
        /// A digest of the header and the accepted rows that doesn't depend on their order; 16 hexadecimal digits.
        public var digest: String
        public var rowsRead: Int
        public var rowsAccepted: Int
        /// The number of accepted rows north or south of the map, which are drawn on its edge.
        public var rowsClamped: Int
        /// The number of skipped rows by reason.
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
        /// The size of the tiles as JSON or MVT, without compression.
        public var bodyBytes: Int
        /// The size of the tiles as stored.
        public var storedBytes: Int
        /// The promised distance between any two markers of a group, or only between its clusters: see
        /// ``ClusteringOptions/promisedDistanceUnits(atZoom:)``. One unit is 2⁻³² of the world's width. `nil` if none
        /// is promised.
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
        guard let range = Manifest.checksumRange(in: bytes) else {
            preconditionFailure("the manifest has no checksum")
        }
        bytes.replaceSubrange(range, with: Array(Gzip.crc32(bytes).hexadecimal.utf8))
        return bytes
    }

    /// Reads the file's bytes.
    /// - Throws: ``MetadataError`` if they are damaged or of another format version, or if no build accepts the options.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        guard let range = Manifest.checksumRange(in: bytes) else { throw MetadataError("has no checksum") }
        var blank = bytes
        blank.replaceSubrange(range, with: Array(Manifest.blankChecksum.utf8))
        let expected = Gzip.crc32(blank).hexadecimal
        guard bytes[range].elementsEqual(expected.utf8) else {
            throw MetadataError("is damaged: its checksum should be \(expected)")
        }
        if let version = Manifest.otherFormatVersion(of: bytes) {
            throw MetadataError(
                "has format version \(version), expected \(Manifest.currentFormatVersion): another version of pyramid wrote "
                    + "it; build it again")
        }
        self = try MetadataJSON.decode(Manifest.self, from: bytes)
        guard checksum == expected else { throw MetadataError("is damaged: its checksum is in the wrong place") }
        let added = AddedProperty.all(content.clusters, options)
        if let problem = options.problem ?? content.clusters.problem(adding: added) {
            throw MetadataError("has invalid options: \(problem)")
        }
    }

    /// The format version of a manifest that can't be read; `nil` if it is the current one, or if there is none.
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

    /// The range of the eight digits: after the first `"checksum"`, a colon and a quote.
    private static func checksumRange(in bytes: [UInt8]) -> Range<Int>? {
        guard let key = bytes.firstRange(of: checksumKey) else { return nil }
        let rest = bytes[key.upperBound...]
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")), quote + 9 <= bytes.count else { return nil }
        return quote + 1..<quote + 9
    }
}
