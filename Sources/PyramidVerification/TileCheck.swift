import PyramidStore
import PyramidTiles

/// Checks the files of a zoom, each by itself, and collects what is compared among them. Each worker has its own value.
struct TileCheck: ~Copyable {
    /// What all files are checked against.
    struct Context: Sendable {
        let tileset: any TilesetReader
        let manifest: Manifest
        let list: FileList
        /// `nil` if clients don't filter.
        let facets: FacetNumbers?
        /// Without markers, by zoom from the first on.
        let tallies: [ZoomTally]
        /// `nil` if each tile is read by itself.
        let repeats: TileRepeats?

        var options: ClusteringOptions { manifest.options }
        /// The files' zooms and all higher ones.
        func tallies(from zoom: Int) -> [ZoomTally] { Array(tallies[(zoom - options.minZoom)...]) }
    }

    struct Found: Sendable {
        /// By zoom, from the files' own on.
        var tallies: [ZoomTally]
        /// The same: the markers that are compared by their places.
        var places: [[PlacedMarker]]
        var ids: [ShownID] = []
        /// The indices of tiles at higher zooms that are the same bytes and were checked together with one of these.
        var repeats: [Int] = []
        var log = FindingLog()
    }

    private let context: Context
    private let options: ClusteringOptions
    private let precision: PlacePrecision
    private let zoom: Int
    /// By zoom, from the files' own on: whether points and clusters are compared by their places.
    private let comparesPoints, comparesClusters: [Bool]
    /// Reads MVT tiles as GeoJSON.
    private var transcriber: MVTTranscriber
    /// Reads what markers carry; empty.
    private let content: ContentTally
    private(set) var found: Found
    private var reader: StoredFileReader
    private var body: [UInt8] = []

    /// - Parameter zoom: of the files.
    init(_ context: Context, zoom: Int) {
        let (manifest, precision) = (context.manifest, PlacePrecision(context.manifest))
        (self.context, self.zoom, self.precision) = (context, zoom, precision)
        options = manifest.options
        let tallies = context.tallies(from: zoom)
        comparesClusters = tallies.map { PlaceCheck(manifest, atZoom: $0.zoom).comparesClusters }
        comparesPoints = tallies.map { PlaceCheck(manifest, atZoom: $0.zoom).comparesPoints }
        found = Found(tallies: tallies, places: [[PlacedMarker]](repeating: [], count: tallies.count))
        content = ContentTally(manifest)
        transcriber = MVTTranscriber(MVTTranscript.Rules(manifest))
        reader = StoredFileReader(tileset: context.tileset)
    }

    /// Reads a file and checks it.
    /// - Parameter index: the entry's index in the list.
    mutating func run(_ entry: FileList.Entry, index: Int) {
        let address = entry.address
        do throws(StoredFileReader.Problem) {
            try reader.read(address, entry.file, &body)
        } catch {
            add(error.kind, address, error.detail)
            return noteUnread(address)
        }
        guard let tile = address.tile else { return checkPage(address) }
        guard decode(address, tile, index: UInt32(truncatingIfNeeded: index)) else { return noteUnread(address) }
        found.tallies[0].add(entry.file, isTile: address.kind == .tile)
    }

    /// Notes that the sums lack a file.
    private mutating func noteUnread(_ address: FileAddress) {
        guard address.kind != .page else { return }
        for index in found.tallies.indices where index == 0 || address.kind == .bundle {
            found.tallies[index].isIncomplete = true
        }
    }

    private mutating func add(_ kind: Finding.Kind, _ address: FileAddress, _ detail: String) {
        found.log.add(kind, in: context.tileset.storage.relativePath(of: address), detail)
    }

    private mutating func decode(_ address: FileAddress, _ tile: TileCoordinate, index: UInt32) -> Bool {
        let isBundle = address.kind == .bundle
        // A copy of the reference, so that the rest of the value can change while the bytes are read.
        var body = self.body
        var places: [WorldPoint]?
        do throws(TileDecodingError) {
            if context.tileset.storage.codec == .mvt {
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
                    bundleZooms: isBundle ? tile.z...max(tile.z, options.maxZoom) : nil, needsBoxes: places == nil)
                var number = 0
                var order = FileOrder(precision, zoom: tile.z, zoomCount: found.tallies.count)
                var file = context.facets.map { FileFacets($0) }
                var parents = StatedParents()
                var following = try reader.next()
                while let feature = following {
                    following = try reader.next()
                    let code = MortonCode(places?[number] ?? WebMercator.project(feature.coordinate))
                    var zooms = feature.zooms ?? tile.z...tile.z
                    if number == 0, following == nil { zooms = repeatedZooms(of: tile, at: code.point) ?? zooms }
                    number += 1
                    let isInOrder = order.add(code, zooms, isBundle: isBundle) { found.tallies[$0].addTile() }
                    if !isInOrder {
                        add(.outOfOrder, address, "\(feature.place) comes after a marker that it should precede")
                    }
                    let marker = CheckedMarker(
                        feature: feature, code: code, zooms: zooms, group: content.group(of: feature, reader.json),
                        json: reader.json)
                    check(marker, address, tile)
                    note(marker, address, file: index)
                    file?.append(facetMarker(marker))
                    if isBundle { parents.append(feature, zooms) }
                }
                if let problem = parents.problem { add(.notATile, address, problem) }
                try finish(file.take(), reader, address, isBundle: isBundle, hasTable: places == nil)
                if number == 0 { add(.emptyTile, address, "has no features, expected at least one") }
                return true
            } catch {
                add(.notATile, address, places == nil ? "\(error)" : "as GeoJSON: \(error)")
                return false
            }
        }
    }

    /// The zooms of the only marker of a tile that higher zooms repeat; `nil` for its own alone.
    private mutating func repeatedZooms(of tile: TileCoordinate, at place: WorldPoint) -> ClosedRange<Int>? {
        guard let repeats = context.repeats else { return nil }
        var indices: [Int] = []
        let zooms = repeats.zooms(of: tile, at: place, in: &indices)
        for (offset, index) in indices.enumerated() {
            found.tallies[offset + 1].add(context.list.entries[index].file, isTile: true)
        }
        found.repeats += indices
        return zooms
    }

    /// Adds a marker to what is compared among files.
    private mutating func note(_ marker: CheckedMarker, _ address: FileAddress, file: UInt32) {
        let (feature, isCluster) = (marker.feature, marker.feature.cluster != nil)
        for zoom in marker.zooms {
            let index = zoom - self.zoom
            if let problem = found.tallies[index].add(feature, marker.group, marker.json) {
                add(.wrongContent, address, "\(feature.place) \(problem)")
            }
            guard isCluster ? comparesClusters[index] : comparesPoints[index], !marker.group.isUnclustered else {
                continue
            }
            found.places[index].append(
                PlacedMarker(marker.code, group: marker.group.idMask, file: file, isCluster: isCluster))
        }
        guard marker.idHash != 0 else { return }
        found.ids.append(
            ShownID(marker.idHash, at: marker.code, in: file, zooms: marker.zooms, isCluster: isCluster))
    }

    private func facetMarker(_ marker: CheckedMarker) -> FileFacets.Marker {
        let cluster = marker.feature.cluster
        return FileFacets.Marker(
            clusterID: cluster?.id ?? 0, code: marker.code, pointCount: cluster?.pointCount ?? 1,
            splits: cluster?.expansionZoom != nil, zooms: marker.zooms,
            parent: marker.feature.parent, facets: cluster?.facets,
            combination: cluster == nil
                ? context.facets.map { content.combination(of: marker.feature, marker.json, $0) } ?? 0 : 0)
    }

    private mutating func finish(
        _ file: consuming FileFacets?, _ reader: GeoJSONFeatureReader, _ address: FileAddress, isBundle: Bool,
        hasTable: Bool
    ) throws(TileDecodingError) {
        guard var file else { return }
        do throws(JSONFault) {
            try file.read(reader.facets, isTable: hasTable, isBundle: isBundle, reader.json.bytes) {
                for zoom in $2 { found.tallies[zoom - self.zoom].add($0, ofFacet: $1) }
            }
        } catch {
            throw TileDecodingError(error, in: reader.json.bytes)
        }
        for problem in file.problems { add(.wrongContent, address, problem) }
    }

    private mutating func checkPage(_ address: FileAddress) {
        let body = self.body
        body.withUnsafeBytes { bytes in
            do throws(TileDecodingError) {
                var reader = try GeoJSONFeatureReader(bytes, keepsProperties: false)
                var count = 0
                while let feature = try reader.next() {
                    count += 1
                    if feature.cluster != nil {
                        add(.wrongContent, address, "has \(feature.place), expected only points")
                    }
                }
                if !(1...PointPage.pointLimit).contains(count) {
                    add(.wrongContent, address, "has \(count) points, expected 1 to \(PointPage.pointLimit)")
                }
            } catch {
                add(.notATile, address, "\(error)")
            }
        }
    }
}

/// A marker of a file, with all that its checks need.
private struct CheckedMarker {
    let feature: DecodedFeature
    let code: MortonCode
    /// At which the file shows it.
    let zooms: ClosedRange<Int>
    let group: MarkerGroup
    /// Reads the feature's bytes.
    let json: JSONReader

    /// The same for markers with one id, and 0 without one.
    var idHash: UInt64 {
        // Clusters of different groups can have the same id by chance.
        feature.cluster.map { StableHash.mixed($0.id) ^ StableHash.mixed(group.idMask | 1 << 63) }
            ?? json.hash(of: feature.id)
    }
}

/// The parents that the records of a bundle state by their index.
private struct StatedParents {
    /// Of the clusters, by feature; `nil` for points.
    private var clusterZooms: [ClosedRange<Int>?] = []
    private var parents: [(index: Int, zoom: Int)] = []

    mutating func append(_ feature: DecodedFeature, _ zooms: ClosedRange<Int>) {
        clusterZooms.append(feature.cluster == nil ? nil : zooms)
        if case .record(let index) = feature.parent { parents.append((index, zooms.lowerBound - 1)) }
    }

    /// What is wrong with the first parent that is no cluster at the zoom before; `nil` if all are right.
    var problem: String? {
        parents.first { $0.index >= clusterZooms.count || !(clusterZooms[$0.index]?.contains($0.zoom) ?? false) }.map {
            "states the parent \($0.index), expected the index of a cluster at zoom \($0.zoom)"
        }
    }
}

/// The order of the markers in a file: by place, then by first zoom.
private struct FileOrder {
    private let precision: PlacePrecision
    private let zoom: Int
    private var last: (code: UInt64, zoom: Int)?
    /// By zoom, from the file's own on: the last tile with markers.
    private var lastNodes: [UInt64?]

    init(_ precision: PlacePrecision, zoom: Int, zoomCount: Int) {
        (self.precision, self.zoom) = (precision, zoom)
        lastNodes = [UInt64?](repeating: nil, count: zoomCount)
    }

    /// - Parameter newTile: receives the index of each zoom at which the marker is in another tile of the bundle than the last.
    /// - Returns: `false` if the marker should come before another one.
    mutating func add(
        _ code: MortonCode, _ zooms: ClosedRange<Int>, isBundle: Bool, _ newTile: (_ index: Int) -> Void
    ) -> Bool {
        if isBundle {
            for zoom in zooms {
                let (index, node) = (zoom - self.zoom, code.node(atDepth: zoom))
                guard lastNodes[index] != node else { continue }
                lastNodes[index] = node
                newTile(index)
            }
        }
        let possible = precision.places(shownAs: code, atZoom: zoom)
        let isInOrder = last.map { (possible.lastCode, zooms.lowerBound) >= $0 } ?? true
        let first = (possible.firstCode, zooms.lowerBound)
        if last.map({ $0 < first }) ?? true { last = first }
        return isInOrder
    }
}

/// What must hold for a marker regardless of others.
extension TileCheck {
    private mutating func check(_ marker: CheckedMarker, _ address: FileAddress, _ tile: TileCoordinate) {
        let (feature, zooms) = (marker.feature, marker.zooms)
        if !tile.contains(marker.code.point) {
            add(
                .outsideTile, address,
                "\(feature.place) belongs to \(TileCoordinate(containing: marker.code.point, atZoom: tile.z))")
        }
        guard let cluster = feature.cluster else { return }
        let staysTogether = staysTogether(cluster, at: marker.code)
        guard zooms.upperBound <= options.clusterMaxZoom || staysTogether else {
            let exception = options.keepsPlacesTogether ? " and coincident clusters" : ""
            return add(
                .unexpectedCluster, address,
                "\(feature.place), expected only points\(exception) at zooms higher than \(options.clusterMaxZoom)")
        }
        if cluster.pointCount < options.minPoints {
            add(
                .clusterTooSmall, address,
                "\(feature.place) has \(cluster.pointCount) points, expected at least \(options.minPoints)")
        }
        let abbreviated = AbbreviatedCount.json(
            of: cluster.pointCount, label: context.manifest.content.clusters.countLabel, isText: !precision.isExact)
        let label = marker.json.bytes[cluster.abbreviatedCount]
        if !label.elementsEqual(abbreviated.utf8) {
            add(
                .wrongAbbreviatedCount, address,
                "\(feature.place) has point_count_abbreviated \(String(decoding: label.prefix(24), as: UTF8.self)), "
                    + "expected \(abbreviated) for \(cluster.pointCount)")
        }
        // No clustered zoom splits points at one place.
        let lastWhole = cluster.isCoincident ? options.clusterMaxZoom : min(zooms.upperBound, options.clusterMaxZoom)
        let expected = lastWhole + 1...options.clusterMaxZoom + 1
        let hasRightExpansion =
            cluster.expansionZoom.map { !staysTogether && expected.contains($0) } ?? staysTogether
        if !hasRightExpansion {
            add(
                .wrongExpansionZoom, address,
                "\(feature.place) has \(cluster.expansionZoom.map { "expansion_zoom \($0)" } ?? "no expansion_zoom"), "
                    + "expected "
                    + (staysTogether ? "none" : "\(expected.lowerBound) to \(expected.upperBound)"))
        }
        if zooms.upperBound >= options.clusterMaxZoom { checkPages(of: cluster) }
        checkPlace(marker, cluster, address)
    }

    /// Checks that the list has all pages of a cluster, and no more.
    private mutating func checkPages(of cluster: DecodedFeature.ClusterProperties) {
        guard let count = context.manifest.content.clusters.leafPageCount(ofPoints: cluster.pointCount) else { return }
        let isListed = { [list = context.list] (page: Int) in
            // A count can be anything.
            page <= Int(UInt32.max) && list.file(at: .page(PointPage(clusterID: Int(cluster.id), page: page))) != nil
        }
        if !isListed(count - 1) || isListed(count) {
            found.log.add(
                .damagedFileList, in: FileList.fileName,
                "lists other pages of cluster \(cluster.id) than 0 to \(count - 1), for its \(cluster.pointCount) points"
            )
        }
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
        _ marker: CheckedMarker, _ cluster: DecodedFeature.ClusterProperties, _ address: FileAddress
    ) {
        let (feature, code, idMask) = (marker.feature, marker.code, marker.group.idMask)
        // A centroid is inside the box, clamped to the map, but for rounding. An inset place need not be.
        let isComputed = options.position == .centroid
        let isInside =
            cluster.boundingBox.contains(feature.coordinate)
            || isComputed && cluster.boundingBox.ofMeans.contains(feature.coordinate, withinMicrodegrees: 1)
        let isClustered = marker.zooms.lowerBound <= options.clusterMaxZoom
        if precision.isExact, options.position != .inset || !isClustered, !isInside {
            add(.wrongBoundingBox, address, "\(feature.place) is outside its box")
        }
        // Of a place whose points are in a larger cluster at the last clustered zoom, the id is another one.
        let ids = isClustered ? [code.clusterID] : [code.clusterID, code.placeID]
        if cluster.id >> 52 != 1 {
            add(.wrongClusterID, address, "\(feature.place) has an invalid id, expected one of 53 bits")
        } else if precision.isExact, options.placesAreAnchors || !isClustered, !ids.contains(cluster.id ^ idMask) {
            add(
                .wrongClusterID, address,
                "\(feature.place) has the id of another place, expected \(code.clusterID ^ idMask)")
        }
    }
}

extension ClusteringOptions {
    /// Whether clusters are at their anchors, so that places are the anchors' full Morton codes.
    fileprivate var placesAreAnchors: Bool { method == .anchors && position == .anchor }
}

extension DecodedFeature {
    /// The marker's kind and place, for a finding.
    fileprivate var place: String {
        let place = "\(coordinate.longitude),\(coordinate.latitude)"
        return cluster.map { "cluster \($0.id) at \(place)" } ?? "point at \(place)"
    }
}

extension BoundingBox {
    /// Where the mean of points in the box can be shown. If it is wider than half the world, the shortest ways from the anchor to
    /// the points can lead around the other side.
    fileprivate var ofMeans: BoundingBox {
        let box = clampedToMap
        return box.width <= 180_000_000
            ? box : BoundingBox(west: -180_000_000, south: box.south, east: 180_000_000, north: box.north)
    }
}
