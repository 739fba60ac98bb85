import PyramidStore
import PyramidTiles

/// Checks the tiles and bundles of a zoom, each by itself, and collects their markers. Each worker has its own value.
struct TileCheck: ~Copyable {
    let tileset: any TilesetReader
    let options: ClusteringOptions
    private let countLabel: CountLabel
    private let maxZoom: Int
    private let isBundled: Bool
    /// `nil` if clients don't filter.
    private let facets: FacetNumbers?
    private let hasParents: Bool
    private let precision: PlacePrecision
    private let router: MarkerRouter
    /// `nil` if each tile is read by itself.
    private let repeats: TileRepeats?
    private let zoom: Int
    /// Reads MVT tiles as GeoJSON.
    private var transcriber: MVTTranscriber
    /// Reads what markers carry; empty.
    private let content: ContentTally
    private(set) var found: Found
    private var reader: StoredFileReader
    private var body: [UInt8] = []

    struct Found: Sendable {
        /// By region: its markers, and those around it.
        var markers: [Int: MarkerChunk] = [:]
        /// The ids of points, as ``RepeatedIDs`` divides them.
        var ids: [Int: [PointID]] = [:]
        /// The totals of all files that could be read.
        var totals: Totals
        /// For the check of which tiles are bundles; empty in a tileset without bundles.
        var ruleFiles: [BundleRule.File] = []
        /// The indices of tiles at higher zooms that are the same bytes and were checked together with one of these.
        var repeats: [Int] = []
        var log = FindingLog()
    }

    struct Totals: Sendable {
        /// By zoom: the files' own, and then the higher ones that bundles hold.
        private(set) var contents: [ContentTally]
        /// Tiles with a file of their own. ``ZoomReading`` adds those in bundles.
        var tiles = 0
        var bodyBytes = 0
        var storedBytes = 0
        /// Tiles and bundles that are missing or can't be read, so that every sum lacks their content.
        var unreadTiles = 0

        /// - Parameter spansZooms: whether what is read at a zoom can be shown at higher zooms too.
        init(_ manifest: Manifest, atZoom zoom: Int, spansZooms: Bool) {
            let count = spansZooms ? max(1, manifest.options.maxZoom - zoom + 1) : 1
            contents = [ContentTally](repeating: ContentTally(manifest), count: count)
        }

        /// The content of the files' own zoom.
        var content: ContentTally { contents[0] }

        /// Removes and returns what markers state about their parents, by zoom from the files' own on.
        mutating func takeParents() -> [ContentTally.Parents] {
            contents.indices.map { contents[$0].takeParents() }
        }

        /// Adds a marker to the content of a zoom.
        /// - Parameter index: how much higher the zoom is than the files' own.
        /// - Returns: what is wrong with a value; `nil` if nothing is.
        mutating func add(_ feature: DecodedFeature, _ json: JSONReader, index: Int, atZoom zoom: Int) -> String? {
            contents[index].add(feature, json, atZoom: zoom)
        }

        /// Adds a tile that was checked together with one of a lower zoom.
        mutating func add(repeatOf file: StoredFile) {
            tiles += 1
            bodyBytes += file.bodyByteCount
            storedBytes += file.byteCount
        }

        /// Adds what the files of lower zooms show from this zoom on.
        /// - Parameter coarse: the totals of the next lower zoom.
        mutating func add(filesOf coarse: Totals) {
            for (index, content) in coarse.contents.dropFirst().enumerated() where index < contents.count {
                contents[index].add(content)
            }
        }

        mutating func add(_ other: Totals) {
            for index in contents.indices { contents[index].add(other.contents[index]) }
            tiles += other.tiles
            bodyBytes += other.bodyBytes
            storedBytes += other.storedBytes
            unreadTiles += other.unreadTiles
        }
    }

    init(
        tileset: any TilesetReader, manifest: Manifest, facets: FacetNumbers?, router: MarkerRouter,
        repeats: TileRepeats?, zoom: Int
    ) {
        self.tileset = tileset
        self.repeats = repeats
        options = manifest.options
        countLabel = manifest.content.clusters.countLabel
        self.router = router
        self.zoom = zoom
        maxZoom = manifest.options.maxZoom
        isBundled = manifest.content.storage.layout.bundleLimit != nil
        found = Found(totals: Totals(manifest, atZoom: zoom, spansZooms: isBundled || repeats != nil))
        content = found.totals.content
        self.facets = manifest.content.clusters.filterBy.isEmpty ? nil : facets
        hasParents = manifest.content.clusters.hasParents
        precision = PlacePrecision(manifest)
        transcriber = MVTTranscriber(MVTTranscript.Rules(manifest))
        reader = StoredFileReader(tileset: tileset)
    }

    /// Reads a tile or a bundle and checks it.
    /// - Parameter index: the entry's index in the list.
    mutating func run(_ entry: FileList.Entry, index: Int) {
        let (address, file) = (entry.address, entry.file)
        do throws(StoredFileReader.Problem) {
            try reader.read(address, file, &body)
        } catch {
            add(error.kind, address, error.detail)
            found.totals.unreadTiles += 1
            return
        }
        guard decode(address, index: index) else {
            found.totals.unreadTiles += 1
            return
        }
        if address.kind == .tile { found.totals.tiles += 1 }
        found.totals.bodyBytes += file.bodyByteCount
        found.totals.storedBytes += file.byteCount
    }

    private mutating func add(_ kind: Finding.Kind, _ address: FileAddress, _ detail: String) {
        found.log.add(kind, in: tileset.storage.relativePath(of: address), detail)
    }

    private mutating func decode(_ address: FileAddress, index: Int) -> Bool {
        guard let tile = address.tile else { return false }
        let isBundle = address.kind == .bundle
        var rule = BundleRule.File(tile: tile, isBundle: isBundle, isFiltered: facets != nil)
        defer { if isBundled { found.ruleFiles.append(rule.finished()) } }
        // A copy of the reference, so that the rest of the value can change while the bytes are read.
        var body = self.body
        var places: [WorldPoint]?
        do throws(TileDecodingError) {
            if tileset.storage.codec == .mvt {
                let transcript = try transcriber.transcript(of: body, at: tile)
                (body, places) = (transcript.json, transcript.places)
            }
        } catch {
            add(.notATile, address, "\(error)")
            return false
        }
        return body.withUnsafeBytes { bytes in
            do throws(TileDecodingError) {
                var reader = try GeoJSONFeatureReader(
                    bytes, keepsProperties: false, watchedNames: content.watchedNames,
                    bundleZooms: isBundle ? tile.z...max(tile.z, maxZoom) : nil, needsBoxes: places == nil)
                var last: (code: UInt64, zoom: Int)?
                var number = 0
                var repeatIndices: [Int] = []
                var details = MarkerDetails()
                var file = facets.map { FileFacets($0) }
                var following = try reader.next()
                while let feature = following {
                    following = try reader.next()
                    let code = MortonCode(places?[number] ?? WebMercator.project(feature.coordinate))
                    number += 1
                    var shownZooms = feature.zooms
                    if number == 1, following == nil, let repeats {
                        shownZooms = repeats.zooms(of: tile, at: code.point, in: &repeatIndices)
                    }
                    let zooms = shownZooms ?? tile.z...tile.z
                    let possible = precision.places(shownAs: code, atZoom: tile.z)
                    if let last, (possible.lastCode, zooms.lowerBound) < last {
                        add(.outOfOrder, address, "\(feature.place) comes after a marker that it should precede")
                    }
                    let first = (possible.firstCode, zooms.lowerBound)
                    if last.map({ $0 < first }) ?? true { last = first }
                    let group = content.group(of: feature, reader.json)
                    check(feature, code, address, tile, zooms, reader.json, idMask: group.idMask)
                    let (record, cluster) = record(of: feature, code, index: index, reader.json, group)
                    if file != nil {
                        file?.append(
                            marker(feature, record, cluster, reader.json, group, at: shownZooms, isBundle: isBundle))
                    } else {
                        append(record, cluster, &details, at: shownZooms, to: group)
                    }
                    for zoom in zooms {
                        if let problem = found.totals.add(feature, reader.json, index: zoom - tile.z, atZoom: zoom) {
                            add(.wrongContent, address, "\(feature.place) \(problem)")
                        }
                    }
                    if isBundled { rule.add(feature, bytes, zooms) }
                }
                if let file = file.take() {
                    try finish(file, reader, address, isBundle: isBundle, hasTable: places == nil)
                }
                found.repeats += repeatIndices
                if last == nil { add(.emptyTile, address, "has no features, expected at least one") }
                return true
            } catch {
                add(.notATile, address, places == nil ? "\(error)" : "as GeoJSON: \(error)")
                return false
            }
        }
    }

    private func record(
        of feature: DecodedFeature, _ code: MortonCode, index: Int, _ json: JSONReader, _ group: MarkerGroups.Key
    ) -> (ZoomMarkers.Record, MarkerDetails.Cluster?) {
        let cluster = feature.cluster.map {
            MarkerDetails.Cluster(
                pointCount: $0.pointCount, boundingBox: $0.boundingBox, expansionZoom: $0.expansionZoom)
        }
        let record = ZoomMarkers.Record(
            code: code.rawValue, identity: feature.cluster.map { $0.id ^ group.idMask } ?? json.hash(of: feature.id),
            coordinate: feature.coordinate, file: UInt32(truncatingIfNeeded: index),
            details: cluster == nil ? MarkerDetails.none : 0)
        return (record, cluster)
    }

    /// - Parameter details: of the file's markers.
    private mutating func append(
        _ record: ZoomMarkers.Record, _ cluster: MarkerDetails.Cluster?, _ details: inout MarkerDetails,
        at zooms: ClosedRange<Int>?, to group: MarkerGroups.Key
    ) {
        var record = record
        if let cluster { record.details = details.add(cluster, parent: MarkerDetails.Parent.unknown, []) }
        append(record, details, at: zooms, to: group)
    }

    private mutating func append(
        _ record: ZoomMarkers.Record, _ details: MarkerDetails, at zooms: ClosedRange<Int>?, to group: MarkerGroups.Key
    ) {
        let (zoom, router, shownZooms) = (zoom, router, zooms ?? zoom...zoom)
        router.forEachRegion(of: record, firstZoom: shownZooms.lowerBound) { region in
            if zooms == nil {
                found.markers[region, default: MarkerChunk(zoom: zoom)].tiles.append(record, of: details, to: group)
            } else {
                found.markers[region, default: MarkerChunk(zoom: zoom)].bundles
                    .append(record, of: details, at: shownZooms, to: group)
            }
        }
        guard record.isPoint, record.identity != 0 else { return }
        let id = PointID(record.identity, shownZooms)
        found.ids[RepeatedIDs.partition(of: id, count: router.regions.count), default: []].append(id)
    }

    private func marker(
        _ feature: DecodedFeature, _ record: ZoomMarkers.Record, _ cluster: MarkerDetails.Cluster?, _ json: JSONReader,
        _ group: MarkerGroups.Key, at zooms: ClosedRange<Int>?, isBundle: Bool
    ) -> FileFacets.Marker {
        let parent = content.recordParent(of: feature, json).map { $0 ^ group.idMask }
        let missing = isBundle || hasParents ? MarkerDetails.Parent.none : MarkerDetails.Parent.unknown
        let combination = cluster == nil ? facets.map { content.combination(of: feature, json, $0) } : nil
        return FileFacets.Marker(
            record: record, cluster: cluster, group: group, idMask: group.idMask, zooms: zooms,
            parent: parent ?? missing, facetRange: feature.cluster?.facets,
            facets: combination.map { [MarkerDetails.Facet(combination: $0, count: 1)] } ?? [])
    }

    /// Appends the markers of a file whose facets are known at its end.
    private mutating func finish(
        _ file: consuming FileFacets, _ reader: GeoJSONFeatureReader, _ address: FileAddress, isBundle: Bool,
        hasTable: Bool
    ) throws(TileDecodingError) {
        do throws(JSONFault) {
            try file.read(reader.facets, isTable: hasTable, reader.json.bytes)
        } catch {
            throw TileDecodingError(error, in: reader.json.bytes)
        }
        if isBundle { file.checkBundle() } else { file.checkTile() }
        for problem in file.problems { add(.wrongContent, address, problem) }
        var details = MarkerDetails()
        for marker in file.markers {
            if marker.parent > MarkerDetails.Parent.none, marker.zooms?.lowerBound == options.minZoom {
                add(.wrongContent, address, "\(marker.description) states a parent, expected none at the first zoom")
            }
            var record = marker.record
            if let cluster = marker.cluster {
                record.details = details.add(cluster, parent: marker.parent, marker.facets)
            } else if let own = marker.facets.first {
                record.details = details.add(.init(combination: own.combination), parent: marker.parent)
            }
            append(record, details, at: marker.zooms, to: marker.group)
        }
    }

    /// Checks what must hold for a marker regardless of others.
    private mutating func check(
        _ feature: DecodedFeature, _ code: MortonCode, _ address: FileAddress, _ tile: TileCoordinate,
        _ zooms: ClosedRange<Int>, _ json: JSONReader, idMask: UInt64
    ) {
        if !tile.contains(code.point) {
            add(
                .outsideTile, address,
                "\(feature.place) belongs to \(TileCoordinate(containing: code.point, atZoom: tile.z))")
        }
        guard let cluster = feature.cluster else { return }
        let staysTogether = staysTogether(cluster, at: code)
        guard zooms.upperBound <= options.clusterMaxZoom || staysTogether else {
            let exception = options.keepsPlacesTogether ? " and coincident clusters" : ""
            add(
                .unexpectedCluster, address,
                "\(feature.place), expected only points\(exception) at zooms higher than \(options.clusterMaxZoom)")
            return
        }
        if cluster.pointCount < options.minPoints {
            add(
                .clusterTooSmall, address,
                "\(feature.place) has \(cluster.pointCount) points, expected at least \(options.minPoints)")
        }
        let abbreviated = AbbreviatedCount.json(of: cluster.pointCount, label: countLabel, isText: !precision.isExact)
        if !json.bytes[cluster.abbreviatedCount].elementsEqual(abbreviated.utf8) {
            add(
                .wrongAbbreviatedCount, address,
                "\(feature.place) has point_count_abbreviated "
                    + "\(String(decoding: json.bytes[cluster.abbreviatedCount].prefix(24), as: UTF8.self)), "
                    + "expected \(abbreviated) for \(cluster.pointCount)")
        }
        let lastZoom = zooms.upperBound
        let hasRightExpansion =
            cluster.expansionZoom.map {
                !staysTogether && $0 > lastZoom && $0 <= options.clusterMaxZoom + 1
            } ?? staysTogether
        if !hasRightExpansion {
            let expected = staysTogether ? "none" : "\(lastZoom + 1) to \(options.clusterMaxZoom + 1)"
            add(
                .wrongExpansionZoom, address,
                "\(feature.place) has \(cluster.expansionZoom.map { "expansion_zoom \($0)" } ?? "no expansion_zoom"), "
                    + "expected \(expected)")
        }
        checkPlace(feature, cluster, code, address, firstZoom: zooms.lowerBound, idMask: idMask)
    }

    /// Whether the cluster never comes apart, because its points are at one place. Past the map's edge, they can have
    /// different latitudes; if tiles have no boxes, a cluster there without an expansion zoom is taken for one of them.
    private func staysTogether(_ cluster: DecodedFeature.ClusterProperties, at code: MortonCode) -> Bool {
        guard cluster.boundingBox == .world, cluster.expansionZoom == nil else {
            return options.staysTogether(pointCount: cluster.pointCount, in: cluster.boundingBox)
        }
        let places = precision.places(shownAs: code, atZoom: zoom)
        return options.staysTogether(pointCount: cluster.pointCount)
            && (places.y.contains(0) || places.y.contains(.max))
    }

    private mutating func checkPlace(
        _ feature: DecodedFeature, _ cluster: DecodedFeature.ClusterProperties, _ code: MortonCode,
        _ address: FileAddress, firstZoom: Int, idMask: UInt64
    ) {
        // A centroid is inside the box, clamped to the map, but for rounding. An inset place need not be.
        let isComputed = options.position == .centroid
        let isInside =
            cluster.boundingBox.contains(feature.coordinate)
            || isComputed && cluster.boundingBox.clampedToMap.contains(feature.coordinate, withinMicrodegrees: 1)
        let isClustered = firstZoom <= options.clusterMaxZoom
        guard precision.isExact else {
            if cluster.id >> 52 != 1 {
                add(.wrongClusterID, address, "\(feature.place) has an invalid id, expected one of 53 bits")
            }
            return
        }
        if (options.position != .inset || !isClustered) && !isInside {
            add(.wrongBoundingBox, address, "\(feature.place) is outside its box")
        }
        if !isClustered, [code.clusterID, code.placeID].contains(cluster.id ^ idMask) {
            // ``NestingCheck`` decides which of the two it must be.
        } else if (options.placesAreAnchors || !isClustered) && cluster.id != code.clusterID ^ idMask {
            add(
                .wrongClusterID, address,
                "\(feature.place) has the id of another place, expected \(code.clusterID ^ idMask)")
        } else if cluster.id >> 52 != 1 {
            add(.wrongClusterID, address, "\(feature.place) has an invalid id, expected one of 53 bits")
        }
    }
}

extension ClusteringOptions {
    /// Whether clusters are at their anchors, so that places are the anchors' full Morton codes.
    var placesAreAnchors: Bool { method == .anchors && position == .anchor }
}

extension DecodedFeature {
    /// The marker's kind and place, for a finding.
    fileprivate var place: String {
        let place = "\(coordinate.longitude),\(coordinate.latitude)"
        return cluster.map { "cluster \($0.id) at \(place)" } ?? "point at \(place)"
    }
}
