import PyramidStore
import PyramidTiles

/// Checks tiles one by one, each by itself, and collects their markers. Each worker has its own.
struct TileCheck {
    let tileset: any TilesetReader
    let options: ClusteringOptions
    private let countLabel: CountLabel
    private(set) var log = FindingLog()
    private(set) var markers: MarkerSections
    /// The totals of everything that could be read.
    private(set) var totals: Totals
    private var reader: StoredFileReader
    private var body: [UInt8] = []

    struct Totals: Sendable {
        var content: ContentTally
        var tiles = 0
        var bodyBytes = 0
        var storedBytes = 0
        /// Tiles that are missing or can't be read: their content is missing from every sum.
        var unreadTiles = 0

        init(_ manifest: Manifest) {
            content = ContentTally(manifest)
        }

        mutating func add(_ other: Totals) {
            content.add(other.content)
            tiles += other.tiles
            bodyBytes += other.bodyBytes
            storedBytes += other.storedBytes
            unreadTiles += other.unreadTiles
        }
    }

    init(tileset: any TilesetReader, manifest: Manifest, zoom: Int) {
        self.tileset = tileset
        options = manifest.options
        countLabel = manifest.content.clusters.countLabel
        totals = Totals(manifest)
        markers = MarkerSections(zoom: zoom)
        reader = StoredFileReader(tileset: tileset)
    }

    /// Reads a tile and checks it.
    /// - Parameter index: the tile's index in the list.
    mutating func run(_ entry: TileList.Entry, index: Int) {
        do throws(StoredFileReader.Problem) {
            try reader.read(.tile(entry.address), entry.file, &body)
        } catch {
            add(error.kind, entry.address, error.detail)
            totals.unreadTiles += 1
            return
        }
        guard decode(entry, index: index) else {
            totals.unreadTiles += 1
            return
        }
        totals.tiles += 1
        totals.bodyBytes += entry.file.bodyByteCount
        totals.storedBytes += entry.file.byteCount
    }

    private mutating func add(_ kind: Finding.Kind, _ tile: TileCoordinate, _ detail: String) {
        log.add(kind, in: tileset.storage.relativePath(of: tile), detail)
    }

    private mutating func decode(_ entry: TileList.Entry, index: Int) -> Bool {
        // A copy of the reference, so that the rest of the value can change while the bytes are read.
        let body = self.body
        return body.withUnsafeBytes { bytes in
            do throws(TileDecodingError) {
                var reader = try GeoJSONFeatureReader(
                    bytes, keepsProperties: false, watchedNames: totals.content.watchedNames)
                var last: UInt64?
                while let feature = try reader.next() {
                    let code = MortonCode(WebMercator.project(feature.coordinate))
                    if let last, code.rawValue < last {
                        add(.outOfOrder, entry.address, "\(feature.place) stands behind one that follows it")
                    }
                    last = code.rawValue
                    let section = totals.content.section(of: feature, reader.json)
                    check(feature, code, entry.address, reader.json, idMask: section.idMask)
                    append(feature, code, index: index, reader.json, to: section)
                    if let problem = totals.content.add(feature, reader.json, atZoom: entry.address.z) {
                        add(.wrongContent, entry.address, "\(feature.place) \(problem)")
                    }
                }
                if last == nil { add(.emptyTile, entry.address, "has no features, expected at least one") }
                return true
            } catch {
                add(.notATile, entry.address, "\(error)")
                return false
            }
        }
    }

    private mutating func append(
        _ feature: DecodedFeature, _ code: MortonCode, index: Int, _ json: JSONReader, to section: MarkerSections.Key
    ) {
        let cluster = feature.cluster.map {
            ZoomMarkers.ClusterRecord(
                pointCount: $0.pointCount, boundingBox: $0.boundingBox, expansionZoom: $0.expansionZoom)
        }
        let record = ZoomMarkers.Record(
            code: code.rawValue, identity: feature.cluster.map { $0.id ^ section.idMask } ?? json.hash(of: feature.id),
            coordinate: feature.coordinate, tile: UInt32(truncatingIfNeeded: index), cluster: 0)
        markers.append(record, cluster: cluster, to: section)
    }

    /// What must hold for a marker wherever its neighbours are.
    private mutating func check(
        _ feature: DecodedFeature, _ code: MortonCode, _ tile: TileCoordinate, _ json: JSONReader, idMask: UInt64
    ) {
        if !tile.contains(code.point) {
            add(
                .outsideTile, tile,
                "\(feature.place) belongs to \(TileCoordinate(containing: code.point, atZoom: tile.z))")
        }
        guard let cluster = feature.cluster else { return }
        let staysTogether = options.staysTogether(pointCount: cluster.pointCount, in: cluster.boundingBox)
        guard tile.z <= options.clusterMaxZoom || staysTogether else {
            let exception = options.coincidentLimit.map { " and clusters of more than \($0) points at one place" } ?? ""
            add(
                .unexpectedCluster, tile,
                "\(feature.place), expected only points\(exception) beyond zoom \(options.clusterMaxZoom)")
            return
        }
        if cluster.pointCount < options.minPoints {
            add(
                .clusterTooSmall, tile,
                "\(feature.place) has \(cluster.pointCount) points, expected at least \(options.minPoints)")
        }
        let abbreviated = AbbreviatedCount.json(of: cluster.pointCount, label: countLabel)
        if !json.bytes[cluster.abbreviatedCount].elementsEqual(abbreviated.utf8) {
            add(
                .wrongAbbreviatedCount, tile,
                "\(feature.place) has point_count_abbreviated "
                    + "\(String(decoding: json.bytes[cluster.abbreviatedCount].prefix(24), as: UTF8.self)), "
                    + "expected \(abbreviated) for \(cluster.pointCount)")
        }
        let hasRightExpansion =
            cluster.expansionZoom.map {
                !staysTogether && $0 > tile.z && $0 <= options.clusterMaxZoom + 1
            } ?? staysTogether
        if !hasRightExpansion {
            let expected = staysTogether ? "none" : "\(tile.z + 1) to \(options.clusterMaxZoom + 1)"
            add(
                .wrongExpansionZoom, tile,
                "\(feature.place) has \(cluster.expansionZoom.map { "expansion_zoom \($0)" } ?? "no expansion_zoom"), "
                    + "expected \(expected)")
        }
        checkPlace(feature, cluster, code, tile, idMask: idMask)
    }

    private mutating func checkPlace(
        _ feature: DecodedFeature, _ cluster: DecodedFeature.ClusterProperties, _ code: MortonCode,
        _ tile: TileCoordinate, idMask: UInt64
    ) {
        // Apart from rounding, a computed place lies between the members on the map; an inset one need not.
        let isComputed = options.position == .centroid
        let isInside =
            cluster.boundingBox.contains(feature.coordinate)
            || isComputed && cluster.boundingBox.clampedToMap.contains(feature.coordinate, withinMicrodegrees: 1)
        let isClustered = tile.z <= options.clusterMaxZoom
        if (options.position != .inset || !isClustered) && !isInside {
            add(.wrongBoundingBox, tile, "\(feature.place) stands outside its box")
        }
        if !isClustered, [code.clusterID, code.placeID].contains(cluster.id ^ idMask) {
            // ``NestingCheck`` knows which of them it must be.
        } else if (options.placesAreAnchors || !isClustered) && cluster.id != code.clusterID ^ idMask {
            add(
                .wrongClusterID, tile,
                "\(feature.place) has the id of another place, expected \(code.clusterID ^ idMask)")
        } else if cluster.id >> 52 != 1 {
            add(.wrongClusterID, tile, "\(feature.place) has an id that no place has, expected one of 53 bits")
        }
    }
}

extension ClusteringOptions {
    /// Whether a cluster is at its anchor, so that its place reveals the anchor's full Morton code.
    var placesAreAnchors: Bool { method == .anchors && position == .anchor }
}

extension DecodedFeature {
    /// What the marker is and where, for a finding.
    fileprivate var place: String {
        let place = "\(coordinate.longitude),\(coordinate.latitude)"
        return cluster.map { "cluster \($0.id) at \(place)" } ?? "point at \(place)"
    }
}

/// The `point_count_abbreviated` of a count by its definition, independent of the encoder: the number itself below
/// 1,000, then "1k", "1.2k" to "9.9k", "10k" to "999k", "1M", "1.2M" and so on, with halves rounded up.
enum AbbreviatedCount {
    /// The JSON value.
    static func json(of count: Int, label: CountLabel = .abbreviated) -> String {
        switch label {
        case .exact: return String(count)
        case .ninetyNine: return count < 100 ? String(count) : "\"99+\""
        case .abbreviated: break
        }
        if count < 1_000 { return String(count) }
        // From 999,500, the thousands would be rounded to 1000.
        let (unit, suffix) = count < 999_500 ? (1_000, "k") : (1_000_000, "M")
        let tenths = rounded(count, to: unit / 10)
        // 9.95 and above is rounded to 10.
        let isShort = tenths < 100 && tenths % 10 != 0
        let number = isShort ? "\(tenths / 10).\(tenths % 10)" : "\(rounded(count, to: unit))"
        return "\"\(number)\(suffix)\""
    }

    private static func rounded(_ count: Int, to unit: Int) -> Int {
        count / unit + (count % unit * 2 >= unit ? 1 : 0)
    }
}
