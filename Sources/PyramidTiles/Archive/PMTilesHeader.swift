/// The first 127 bytes of a PMTiles archive: where its sections are, and what is in it.
///
/// Source: [PMTiles 3](https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
public struct PMTilesHeader: Equatable, Sendable {
    /// The size of the header.
    public static let byteCount = 127
    /// The header and the root directory must lie in so many bytes at the start, which readers fetch at once.
    public static let startByteCount = 16_384
    /// What an archive begins with: its name, and the version that is read and written here.
    public static let magic = Array("PMTiles\u{3}".utf8)

    /// How a section, or every tile, is compressed. Others are not read here.
    public enum Compression: UInt8, Sendable {
        case gzip = 2
    }

    /// What the tiles are.
    public enum TileType: UInt8, Sendable {
        /// Not named by PMTiles, such as GeoJSON.
        case other = 0
        case mvt = 1

        package init(_ codec: TileCodec) { self = codec == .mvt ? .mvt : .other }
    }

    /// The bytes of the file that hold the root directory.
    public var rootDirectory: Range<Int>
    public var metadata: Range<Int>
    /// Directories that entries of the root refer to, one after the other; may be empty.
    public var leafDirectories: Range<Int>
    public var tileData: Range<Int>
    /// How many tiles there are.
    public var tileCount: Int
    /// How many entries of directories stand for tiles.
    public var entryCount: Int
    /// How many different tiles are stored.
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
    ///   - sections: where the directories, metadata and tile data are.
    ///   - counts: of tiles, entries and different contents.
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

    /// How many bytes a file with these sections has at least.
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

    /// Reads the first bytes of a file.
    /// - Throws: ``MetadataError`` if they are no header, or if the archive is of a kind that is not read here.
    public init(decoding bytes: some RandomAccessCollection<UInt8>) throws(MetadataError) {
        guard bytes.starts(with: PMTilesHeader.magic) else {
            let isOther = bytes.starts(with: PMTilesHeader.magic.dropLast())
            throw MetadataError(isOther ? "is a PMTiles archive of another version than 3" : "is no PMTiles archive")
        }
        guard bytes.count >= PMTilesHeader.byteCount else {
            throw MetadataError("has \(bytes.count) bytes, expected at least \(PMTilesHeader.byteCount) of a header")
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
                throw MetadataError("has a header with \(name) beyond all files: \(count) bytes from byte \(start) on")
            }
            return Int(start)..<Int(end.partialValue)
        }
        func count() -> Int { Int(clamping: integer(UInt64.self)) }
        func compression(_ what: String) throws(MetadataError) -> Compression {
            let value = integer(UInt8.self)
            guard let compression = Compression(rawValue: value) else {
                throw MetadataError("has \(what) of compression \(value), expected gzip, which is 2")
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
            throw MetadataError("has tiles of type \(type), expected 0 for GeoJSON or 1 for MVT")
        }
        self.tileType = tileType
        let (minZoom, maxZoom) = (Int(integer(UInt8.self)), Int(integer(UInt8.self)))
        guard minZoom <= maxZoom, maxZoom <= TileCoordinate.zooms.upperBound else {
            throw MetadataError("has zooms \(minZoom) to \(maxZoom), expected some of 0 to 30")
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

    /// The bounds of a TileJSON, widened, and its center.
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

    private static func degrees(_ units: Int32) -> Double { (Double(units) / 10).rounded() / 1e6 }
}
