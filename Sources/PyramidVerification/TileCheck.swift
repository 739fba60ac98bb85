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
        /// The indices of tiles at higher zooms that were checked together with one of these.
        var repeats: [Int] = []
        var log = FindingLog()
    }

    let context: Context
    let options: ClusteringOptions
    let precision: PlacePrecision
    let zoom: Int
    /// By zoom, from the files' own on: whether points and clusters are compared by their places.
    private let comparesPoints, comparesClusters: [Bool]
    /// Reads MVT tiles as GeoJSON.
    private var transcriber: MVTTranscriber
    /// Reads what markers carry; empty.
    private let content: ContentTally
    var found: Found
    private var reader: StoredFileReader
    /// `nil` if each tile is read by itself.
    private var repeats: TileRepeats?
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
        reader = StoredFileReader(tileset: context.tileset, zoom: zoom)
        repeats = (context.tileset as? ArchiveTileset).map { TileRepeats($0, manifest, context.list) }
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
        guard decode(address, address.tile, index: UInt32(truncatingIfNeeded: index)) else {
            return noteUnread(address)
        }
        found.tallies[0].add(entry.file, isTile: address.kind == .tile)
    }

    /// Notes that the sums lack a file.
    private mutating func noteUnread(_ address: FileAddress) {
        for index in found.tallies.indices where index == 0 || address.kind == .bundle {
            found.tallies[index].isIncomplete = true
        }
    }

    mutating func add(_ kind: Finding.Kind, _ address: FileAddress, _ detail: String) {
        found.log.add(kind, in: context.tileset.storage.relativePath(of: address), detail)
    }

    private mutating func decode(_ address: FileAddress, _ tile: TileCoordinate, index: UInt32) -> Bool {
        let isBundle = address.kind == .bundle
        // Copies, so that the rest of the value can change while the bytes are read, and one for all markers.
        var body = self.body
        let (content, facets) = (content, context.facets)
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
                    bundleZooms: isBundle ? tile.z...max(tile.z, options.maxZoom) : nil, places: places)
                var number = 0
                var order = FileOrder(precision, zoom: tile.z, bundledZooms: isBundle ? found.tallies.count : 0)
                var facetMarkers: [FileFacets.Marker] = []
                var parents = StatedParents()
                var following = try reader.next()
                while let feature = following {
                    following = try reader.next()
                    let code = MortonCode(places?[number] ?? WebMercator.project(feature.coordinate))
                    var zooms = feature.zooms ?? tile.z...tile.z
                    var repeatedPlaces: [WorldPoint] = []
                    if number == 0, following == nil {
                        repeatedPlaces = takeRepeats(of: tile, at: code.point, isCluster: feature.cluster != nil)
                        zooms = zooms.lowerBound...zooms.upperBound + repeatedPlaces.count
                    }
                    number += 1
                    let isInOrder = order.add(code, zooms, isBundle: isBundle) { found.tallies[$0].addTile() }
                    if !isInOrder {
                        add(.outOfOrder, address, "\(feature.place) comes after a marker that it should precede")
                    }
                    let marker = CheckedMarker(
                        feature: feature, code: code, zooms: zooms, repeatedPlaces: repeatedPlaces,
                        group: content.group(of: feature, reader.json), json: reader.json)
                    check(marker, address, tile)
                    note(marker, address, file: index)
                    if facets != nil { facetMarkers.append(FileFacets.Marker(marker, content, facets)) }
                    if isBundle { parents.append(marker.feature, zooms) }
                }
                if let problem = parents.problem { add(.notATile, address, problem) }
                try finish(facetMarkers, reader, address, isBundle: isBundle, hasTable: places == nil)
                if number == 0 { add(.emptyTile, address, "has no features, expected at least one") }
                return true
            } catch {
                add(.notATile, address, places == nil ? "\(error)" : "as GeoJSON: \(error)")
                return false
            }
        }
    }

    /// Adds the tiles of higher zooms that show the only marker of a tile as well.
    /// - Returns: the places at which they show it, zoom by zoom.
    private mutating func takeRepeats(of tile: TileCoordinate, at place: WorldPoint, isCluster: Bool) -> [WorldPoint] {
        // The checks of a cluster depend on how exact the places of its zoom are.
        guard !isCluster || precision.isExact,
            let following = repeats?.following(tile, body, at: place, &reader)
        else { return [] }
        for (offset, repeated) in following.enumerated() {
            found.tallies[offset + 1].add(context.list.entries[repeated.index].file, isTile: true)
            found.repeats.append(repeated.index)
        }
        return following.map(\.place)
    }

    /// Adds a marker to what is compared among files.
    private mutating func note(_ marker: CheckedMarker, _ address: FileAddress, file: UInt32) {
        let (feature, isCluster) = (marker.feature, marker.feature.cluster != nil)
        for zoom in marker.zooms {
            let index = zoom - self.zoom
            if let problem = found.tallies[index].add(feature, marker.group, marker.json) {
                add(.wrongContent, address, "\(feature.place) \(problem)")
            }
            guard isCluster ? comparesClusters[index] : comparesPoints[index], !marker.group.isUnclustered,
                !marker.group.isRounded
            else { continue }
            found.places[index].append(
                PlacedMarker(
                    marker.code(atZoom: zoom), group: marker.group.idMask, file: file, isCluster: isCluster))
        }
        guard marker.idHash != 0, !content.isRounded(feature.id, marker.json) else { return }
        found.ids.append(
            ShownID(marker.idHash, at: marker.code, in: file, zooms: marker.zooms, isCluster: isCluster))
    }

    private mutating func finish(
        _ markers: [FileFacets.Marker], _ reader: GeoJSONFeatureReader, _ address: FileAddress, isBundle: Bool,
        hasTable: Bool
    ) throws(TileDecodingError) {
        guard var file = context.facets.map({ FileFacets($0, markers) }) else {
            if reader.facets != nil, context.manifest.content.clusters.filterBy.isEmpty {
                add(.wrongContent, address, "has a table of facets, which no option adds")
            }
            return
        }
        do throws(JSONFault) {
            try file.read(reader.facets, isTable: hasTable, isBundle: isBundle, reader.json.bytes) {
                for zoom in $2 { found.tallies[zoom - self.zoom].add($0, ofFacet: $1) }
            }
        } catch {
            throw TileDecodingError(error, in: reader.json.bytes)
        }
        for problem in file.problems { add(.wrongContent, address, problem) }
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
    /// By zoom of a bundle: the last tile with markers.
    private var lastNodes: [UInt64?]

    init(_ precision: PlacePrecision, zoom: Int, bundledZooms: Int) {
        (self.precision, self.zoom) = (precision, zoom)
        lastNodes = [UInt64?](repeating: nil, count: bundledZooms)
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
