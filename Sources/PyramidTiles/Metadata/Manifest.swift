import Foundation

/// `manifest.json`: what a pyramid was made from, how, and what is in it. It is written last, so a directory whose
/// manifest agrees with its tiles is complete.
public struct Manifest: Codable, Equatable, Sendable {
    public static let fileName = "manifest.json"
    public static let currentFormatVersion = 1

    public var formatVersion = Manifest.currentFormatVersion
    /// The program and its version.
    public var generator: String
    public var options: ClusteringOptions
    public var content: ContentOptions
    public var input: InputSummary
    /// What the points' values add up to, at every zoom.
    public var totals = ContentTotals()
    /// By zoom, from the first to the last.
    public var zooms: [ZoomSummary]
    /// The other files beside the tiles.
    public var files: [String: FileSummary]
    /// The CRC-32 of this file with eight zeros in this place, as eight hexadecimal digits.
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

    /// What the tiles hold besides the markers' places, and how they are stored.
    public struct ContentOptions: Codable, Equatable, Sendable {
        /// The column that gives points their ids.
        public var idColumn: String?
        /// The points' property names, in the order of the columns.
        public var properties: [String]
        /// What clusters carry.
        public var clusters: ClusterContentOptions
        public var storage: TileStorage
        /// The gzip level; of no meaning where tiles are not compressed.
        public var compressionLevel: Int
        /// ``GzipCompressor/name(level:)`` of what compressed the tiles; empty where they are not.
        public var compressor: String

        public init(
            idColumn: String?, properties: [String], clusters: ClusterContentOptions = ClusterContentOptions(),
            storage: TileStorage = TileStorage(), compressionLevel: Int
        ) {
            compressor = storage.compression == .gzip ? GzipCompressor.name(level: compressionLevel) : ""
            self.idColumn = idColumn
            self.properties = properties
            self.clusters = clusters
            self.storage = storage
            self.compressionLevel = compressionLevel
        }
    }

    /// What was read. `rowsRead` is always `rowsAccepted` plus the sum of `rowsSkipped`.
    public struct InputSummary: Codable, Equatable, Sendable {
        /// A digest of the header and of the accepted rows, whatever their order; 16 hexadecimal digits.
        public var digest: String
        public var rowsRead: Int
        public var rowsAccepted: Int
        /// How many of the accepted lie beyond the map's upper or lower edge and are drawn on it.
        public var rowsClamped: Int
        /// By reason.
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
        /// The tiles' bytes as JSON.
        public var bodyBytes: Int
        /// The tiles' bytes as stored.
        public var storedBytes: Int
        /// No two markers of one group are closer (or no two clusters: ``ClusteringOptions/promiseCoversPoints``), in units
        /// of 2⁻³² of the world's width; absent where nothing is promised.
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

        /// Of the list's file.
        package init(of list: TileList) {
            var (byteCount, crc32) = (0, UInt32(0))
            list.forEachPiece {
                byteCount += $0.count
                crc32 = Gzip.crc32($0, after: crc32)
            }
            self.init(bytes: byteCount, crc32: crc32.hexadecimal)
        }

        package init(of content: UnsafeRawBufferPointer) {
            self.init(bytes: content.count, crc32: Gzip.crc32(content).hexadecimal)
        }
    }
}

/// Why a metadata file can't be read.
public struct MetadataError: Error, Equatable, CustomStringConvertible, Sendable {
    public let description: String

    package init(_ description: String) { self.description = description }
}

extension Manifest {
    private static let blankChecksum = "00000000"
    private static let checksumKey = Array(#""checksum""#.utf8)

    /// The file's bytes, its checksum filled in.
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
    /// - Throws: ``MetadataError`` where they are damaged or of another format version.
    public init(decoding bytes: [UInt8]) throws(MetadataError) {
        guard let place = Manifest.checksumPlace(in: bytes) else { throw MetadataError("has no checksum") }
        var blank = bytes
        blank.replaceSubrange(place, with: Array(Manifest.blankChecksum.utf8))
        let expected = Gzip.crc32(blank).hexadecimal
        guard bytes[place].elementsEqual(expected.utf8) else {
            throw MetadataError("is damaged: its bytes have the checksum \(expected)")
        }
        self = try MetadataJSON.decode(Manifest.self, from: bytes)
        guard formatVersion == Manifest.currentFormatVersion else {
            throw MetadataError("has format version \(formatVersion), expected \(Manifest.currentFormatVersion)")
        }
        guard checksum == expected else { throw MetadataError("is damaged: its checksum stands elsewhere") }
    }

    /// Where the eight digits stand: after the first `"checksum"`, a colon and a quote.
    private static func checksumPlace(in bytes: [UInt8]) -> Range<Int>? {
        guard let key = bytes.firstRange(of: checksumKey) else { return nil }
        let rest = bytes[key.upperBound...]
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")), quote + 9 <= bytes.count else { return nil }
        return quote + 1..<quote + 9
    }
}
