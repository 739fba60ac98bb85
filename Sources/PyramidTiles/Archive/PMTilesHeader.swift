/// The first 127 bytes of a PMTiles archive: where its sections are, and what they contain.
///
/// Source: [PMTiles 3](https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
public struct PMTilesHeader: Equatable, Sendable {
    public static let byteCount = 127
    /// Readers fetch this many bytes at first; the header and the root directory must lie within them.
    public static let startByteCount = 16_384
    /// An archive's first bytes: the format's name, and the only version that is read and written.
    public static let magic = Array("PMTiles\u{3}".utf8)

    /// How the tiles, or the directories and metadata, are compressed. PMTiles has other values, which are not read.
    public enum Compression: UInt8, Sendable {
        case gzip = 2
    }

    /// The format of the tiles.
    public enum TileType: UInt8, Sendable {
        /// A format without a number in PMTiles, such as GeoJSON.
        case other = 0
        case mvt = 1

        package init(_ codec: TileCodec) { self = codec == .mvt ? .mvt : .other }
    }

    /// The range of the root directory in the file.
    public var rootDirectory: Range<Int>
    public var metadata: Range<Int>
    /// The directories that entries of the root directory refer to, one after another; may be empty.
    public var leafDirectories: Range<Int>
    public var tileData: Range<Int>
    /// The number of tiles, including duplicates.
    public var tileCount: Int
    /// The number of directory entries for tiles, without those for leaf directories.
    public var entryCount: Int
    /// The number of distinct tiles.
    public var contentCount: Int
    /// Whether tiles are stored in the order of their numbers.
    public var isClustered: Bool
    public var internalCompression: Compression
    public var tileCompression: Compression
    public var tileType: TileType
    public var zooms: ClosedRange<Int>
    public var area: Area

    /// Bounds and center in ten-millionths of a degree.
    public struct Area: Equatable, Sendable {
        public var west, south, east, north: Int32
        public var centerZoom: Int
        public var centerLongitude, centerLatitude: Int32
    }

    /// - Parameters:
    ///   - counts: the numbers of tiles, entries and different tiles.
    package init(
        rootDirectory: Range<Int>, metadata: Range<Int>, leafDirectories: Range<Int>, tileData: Range<Int>,
        counts: (tiles: Int, entries: Int, contents: Int), tileType: TileType, zooms: ClosedRange<Int>, area: Area
    ) {
        self.rootDirectory = rootDirectory
        self.metadata = metadata
        self.leafDirectories = leafDirectories
        self.tileData = tileData
        (tileCount, entryCount, contentCount) = counts
        isClustered = true
        internalCompression = .gzip
        tileCompression = .gzip
        self.tileType = tileType
        self.zooms = zooms
        self.area = area
    }

    /// The smallest size of a file that has all sections.
    public var fileByteCount: Int {
        [rootDirectory, metadata, leafDirectories, tileData].reduce(PMTilesHeader.byteCount) { max($0, $1.upperBound) }
    }

    public func encoded() -> [UInt8] {
        var bytes = PMTilesHeader.magic
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for section in [rootDirectory, metadata, leafDirectories, tileData] {
            append(UInt64(section.lowerBound))
            append(UInt64(section.count))
        }
        for count in [tileCount, entryCount, contentCount] { append(UInt64(count)) }
        bytes.append(isClustered ? 1 : 0)
        bytes += [internalCompression.rawValue, tileCompression.rawValue, tileType.rawValue]
        bytes += [UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
        for degrees in [area.west, area.south, area.east, area.north] { append(degrees) }
        bytes.append(UInt8(area.centerZoom))
        append(area.centerLongitude)
        append(area.centerLatitude)
        return bytes
    }

    /// Reads a header from the first bytes of a file.
    /// - Throws: ``MetadataError`` if they aren't a header, or if the archive uses features that are not supported.
    public init(decoding bytes: some RandomAccessCollection<UInt8>) throws(MetadataError) {
        guard bytes.starts(with: PMTilesHeader.magic) else {
            let isOther = bytes.starts(with: PMTilesHeader.magic.dropLast())
            throw MetadataError(
                isOther ? "is a PMTiles archive of a version other than 3" : "is not a PMTiles archive")
        }
        guard bytes.count >= PMTilesHeader.byteCount else {
            throw MetadataError("has \(bytes.count) bytes, expected a header of \(PMTilesHeader.byteCount)")
        }
        var rest = bytes.dropFirst(PMTilesHeader.magic.count)
        func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value {
            let size = Value.bitWidth / 8
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        }
        func section(_ name: String) throws(MetadataError) -> Range<Int> {
            let (start, count) = (integer(UInt64.self), integer(UInt64.self))
            let end = start.addingReportingOverflow(count)
            guard !end.overflow, end.partialValue <= UInt64(Int.max) else {
                throw MetadataError(
                    "has a header with an impossible position of \(name): \(count) bytes from byte \(start)")
            }
            return Int(start)..<Int(end.partialValue)
        }
        func count() -> Int { Int(clamping: integer(UInt64.self)) }
        func compression(_ what: String) throws(MetadataError) -> Compression {
            let value = integer(UInt8.self)
            guard let compression = Compression(rawValue: value) else {
                throw MetadataError("has \(what) with compression \(value), expected 2 (gzip)")
            }
            return compression
        }
        rootDirectory = try section("the root directory")
        metadata = try section("the metadata")
        leafDirectories = try section("the leaf directories")
        tileData = try section("the tile data")
        tileCount = count()
        entryCount = count()
        contentCount = count()
        isClustered = integer(UInt8.self) == 1
        internalCompression = try compression("directories")
        tileCompression = try compression("tiles")
        let type = integer(UInt8.self)
        guard let tileType = TileType(rawValue: type) else {
            throw MetadataError("has tiles of type \(type), expected 0 (GeoJSON) or 1 (MVT)")
        }
        self.tileType = tileType
        let (minZoom, maxZoom) = (Int(integer(UInt8.self)), Int(integer(UInt8.self)))
        guard minZoom <= maxZoom, maxZoom <= TileCoordinate.zooms.upperBound else {
            throw MetadataError("has zooms \(minZoom) to \(maxZoom), expected zooms from 0 to 30")
        }
        zooms = minZoom...maxZoom
        let box = (0..<4).map { _ in integer(Int32.self) }
        area = Area(
            west: box[0], south: box[1], east: box[2], north: box[3], centerZoom: Int(integer(UInt8.self)),
            centerLongitude: integer(), centerLatitude: integer())
    }
}

extension PMTilesHeader.Area {
    private static let perDegree: Double = 10_000_000

    /// The center of a TileJSON, and its bounds, widened.
    package init(_ tileJSON: TileJSON) {
        func units(_ degrees: Double) -> Int32 {
            Int32(clamping: Int((degrees * PMTilesHeader.Area.perDegree).rounded()))
        }
        (west, south, east, north) = (tileJSON.boundingBox ?? .world).widened
        (centerLongitude, centerLatitude) = (units(tileJSON.center[0]), units(tileJSON.center[1]))
        centerZoom = Int(tileJSON.center[2])
    }

    /// West, south, east and north in degrees, rounded to microdegrees.
    package var boundsInDegrees: [Double] { [west, south, east, north].map(PMTilesHeader.Area.degrees) }

    /// Longitude and latitude in degrees, and a zoom.
    package var centerInDegrees: [Double] {
        [centerLongitude, centerLatitude].map(PMTilesHeader.Area.degrees) + [Double(centerZoom)]
    }

    /// Rounded as a whole number, which has no -0.
    private static func degrees(_ units: Int32) -> Double { Double(Int32((Double(units) / 10).rounded())) / 1e6 }
}
