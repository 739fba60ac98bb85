import PyramidStore
import PyramidTiles
import Testing

/// What the markers of all zooms must be to each other, by sets alone: every cluster lists all its members, and every point
/// has a property that names it.
package struct HierarchyOracle {
    package var options: ClusteringOptions
    /// Whether markers state the cluster that holds them at the next lower zoom.
    private let hasParents: Bool
    /// The markers of each zoom.
    package var zooms: [Int: [Marker]]
    /// The records of each bundle, which state their parents.
    package var bundles: [[BundleRecord]]
    /// The property that names a point.
    private let key: String

    /// - Parameters:
    ///   - tileset: whose clusters list up to 10,000 members by the one property `key`.
    package init(_ tileset: some TilesetReader, key: String) throws {
        let manifest = try tileset.manifest()
        options = manifest.options
        hasParents = manifest.content.storage.codec == .geojson
        self.key = key
        zooms = [:]
        bundles = []
        for address in try tileset.fileList().entries.map(\.address) where address.kind == .bundle {
            guard let body = try tileset.body(of: address) else { continue }
            bundles.append(try GeoJSONTileDecoder.decodeBundle(body, zooms: address.tile.z...options.maxZoom))
        }
        for tile in try HierarchyOracle.tiles(of: tileset, maxZoom: options.maxZoom).sorted() {
            zooms[tile.z, default: []] += try tileset.tile(at: tile)?.markers ?? []
        }
    }

    /// All tiles, with those in bundles.
    private static func tiles(of tileset: some TilesetReader, maxZoom: Int) throws -> Set<TileCoordinate> {
        var tiles: Set<TileCoordinate> = []
        for address in try tileset.fileList().entries.map(\.address) {
            let tile = address.tile
            guard address.kind == .bundle else {
                tiles.insert(tile)
                continue
            }
            try (tileset.body(of: address) ?? []).withUnsafeBytes { bytes in
                var reader = try GeoJSONFeatureReader(bytes, keepsProperties: false, bundleZooms: tile.z...maxZoom)
                while let feature = try reader.next() {
                    let place = WebMercator.project(feature.coordinate)
                    for zoom in feature.zooms ?? tile.z...tile.z {
                        tiles.insert(TileCoordinate(containing: place, atZoom: zoom))
                    }
                }
            }
        }
        return tiles
    }

    private struct Entry {
        let marker: Marker
        let members: Set<PropertyValue>

        var cluster: Cluster? { marker.cluster }
        var box: BoundingBox { cluster?.boundingBox ?? BoundingBox(marker.coordinate) }
        var properties: [String: PropertyValue] { marker.properties }
        var name: String { "\(cluster.map { "cluster \($0.id)" } ?? "point") of \(members.count)" }
    }

    private func entry(_ marker: Marker) -> Entry {
        guard case .cluster(let cluster) = marker else {
            return Entry(
                marker: marker, members: Set([Entry(marker: marker, members: []).properties[key]].compactMap(\.self)))
        }
        guard case .array(let members)? = cluster.properties[ClusterContentOptions.membersName] else {
            return Entry(marker: marker, members: [])
        }
        return Entry(
            marker: marker,
            members: Set(members.compactMap { if case .object(let values) = $0 { values[key] } else { nil } }))
    }

    /// Records an issue that lists what is wrong, if anything is.
    package func expectNoProblems(sourceLocation: SourceLocation = #_sourceLocation) {
        let problems = problems()
        #expect(problems == [], sourceLocation: sourceLocation)
    }

    /// Sentences on what is wrong.
    package func problems() -> [String] {
        let entries = zooms.mapValues { $0.map(entry) }
        let shown = (options.minZoom...options.maxZoom).map { (zoom: $0, entries: entries[$0] ?? []) }
        var problems: [String] = []
        for (zoom, entries) in shown {
            problems += own(entries, atZoom: zoom, all: shown).map { "zoom \(zoom): \($0)" }
        }
        for (lower, higher) in zip(shown, shown.dropFirst()) {
            problems += between(lower.entries, atZoom: lower.zoom, and: higher.entries).map {
                "zoom \(lower.zoom): \($0)"
            }
        }
        return problems + parentProblems(entries)
    }

    /// What is wrong with the parents that bundles state.
    private func parentProblems(_ entries: [Int: [Entry]]) -> [String] {
        var owners: [Int: [PropertyValue: UInt64]] = [:]
        for (zoom, entries) in entries {
            for entry in entries {
                for member in entry.members { owners[zoom, default: [:]][member] = entry.cluster?.id }
            }
        }
        return bundles.flatMap { records in
            records.compactMap { record in
                let (entry, zoom) = (entry(record.marker), record.zooms.lowerBound - 1)
                let isClustered = options.mode == .markers && zoom <= options.clusterMaxZoom
                var parent = isClustered ? entry.members.first.flatMap { owners[zoom]?[$0] } : nil
                let isInFile = records.contains { other in
                    guard case .cluster(let cluster) = other.marker else { return false }
                    return cluster.id == parent && other.zooms.contains(zoom)
                }
                // A cluster that another file has as itself states no parent.
                if !isInFile, parent == entry.cluster?.id { parent = nil }
                let stated = record.marker.parentID
                if stated == parent, (record.parentIndex != nil) == isInFile { return nil }
                return "\(entry.name) from zoom \(zoom + 1) states the parent \(stated ?? 0), expected \(parent ?? 0)"
            }
        }
    }

    /// What is wrong with the markers of a zoom and their members.
    private func own(
        _ entries: [Entry], atZoom zoom: Int, all: [(zoom: Int, entries: [Entry])]
    ) -> [String] {
        var problems: [String] = []
        // Of points in coincident clusters, the cluster's.
        var boxes: [PropertyValue: BoundingBox] = [:]
        for entry in all.last?.entries ?? [] { for member in entry.members { boxes[member] = entry.box } }
        let names = entries.flatMap(\.members)
        if Set(names).count < names.count { problems.append("a point is in two markers") }
        if options.mode == .markers, Set(names) != Set(boxes.keys) { problems.append("points are missing") }
        for entry in entries {
            if entry.members.count != entry.marker.pointCount {
                problems.append("\(entry.name) has \(entry.marker.pointCount) points")
            }
            guard let cluster = entry.cluster else { continue }
            if !isBox(cluster.boundingBox, around: entry.members.compactMap { boxes[$0] }) {
                problems.append("\(entry.name) has another box")
            }
            let staysTogether =
                options.coincidentLimit.map { cluster.pointCount > $0 } ?? false && isOnePlace(cluster.boundingBox)
            let splitting = all.first { other in
                other.zoom > zoom && other.zoom <= options.clusterMaxZoom
                    && !other.entries.contains { $0.members == entry.members }
            }
            let expected = staysTogether ? nil : splitting?.zoom ?? options.clusterMaxZoom + 1
            if cluster.expansionZoom != expected {
                problems.append(
                    "\(entry.name) has expansion zoom \(cluster.expansionZoom ?? -1), expected \(expected ?? -1)")
            }
        }
        return problems
    }

    /// Past the map's edge, different latitudes are one place.
    private func isOnePlace(_ box: BoundingBox) -> Bool {
        let corners = [box.south, box.north].map {
            WebMercator.project(Coordinate(longitudeMicrodegrees: box.west, latitudeMicrodegrees: $0))
        }
        return box.west == box.east && corners[0] == corners[1]
    }

    /// Whether a box contains others, and none of its borders could be nearer.
    private func isBox(_ box: BoundingBox, around boxes: [BoundingBox]) -> Bool {
        func touches(_ border: Int32, _ side: (BoundingBox) -> Int32) -> Bool {
            boxes.contains { (Int(side($0)) - Int(border)) % 360_000_000 == 0 }
        }
        return boxes.allSatisfy { box.contains($0) } && boxes.map(\.south).min() == box.south
            && boxes.map(\.north).max() == box.north
            && (box.goesRoundTheWorld || touches(box.west, \.west) && touches(box.east, \.east))
    }

    /// What is wrong with the markers of a zoom and those of the next higher one.
    private func between(_ lower: [Entry], atZoom zoom: Int, and higher: [Entry]) -> [String] {
        var problems: [String] = []
        var owners: [PropertyValue: Int] = [:]
        for (index, entry) in lower.enumerated() { for member in entry.members { owners[member] = index } }
        for entry in higher {
            let own = Set(entry.members.map { owners[$0] })
            if own.count > 1 { problems.append("\(entry.name) of zoom \(zoom + 1) is split") }
            guard let index = own.first ?? nil else { continue }
            // A cluster that has the same id there states none.
            let parent = lower[index].cluster?.id
            let expected = hasParents && options.mode == .markers && parent != entry.cluster?.id ? parent : nil
            if entry.marker.parentID != expected {
                problems.append(
                    "\(entry.name) of zoom \(zoom + 1) states the parent \(entry.marker.parentID ?? 0), "
                        + "expected \(expected ?? 0)")
            }
        }
        for entry in lower where entry.cluster == nil || zoom > options.clusterMaxZoom {
            let same = higher.first { $0.members == entry.members }
            if same.map({ $0.cluster?.id != entry.cluster?.id || $0.marker.coordinate != entry.marker.coordinate })
                ?? true
            {
                problems.append("\(entry.name) isn't the same at zoom \(zoom + 1)")
            }
        }
        if zoom > options.clusterMaxZoom, lower.count != higher.count {
            problems.append("zoom \(zoom + 1) has other markers")
        }
        guard options.mode == .markers, zoom <= options.clusterMaxZoom else { return problems }
        // A cluster has the id of what it was at the next zoom, or of the point at its anchor.
        for entry in lower {
            guard let cluster = entry.cluster, options.groupColumn == nil else { continue }
            let ids = higher.filter { $0.members.isSubset(of: entry.members) }.map { other in
                other.cluster?.id ?? MortonCode(WebMercator.project(other.marker.coordinate)).clusterID
            }
            let places = higher.filter { $0.members.isSubset(of: entry.members) && isOnePlace($0.box) }.map {
                MortonCode(WebMercator.project($0.marker.coordinate)).clusterID
            }
            if !(ids + places).contains(cluster.id) { problems.append("\(entry.name) has the id of no member") }
        }
        return problems
    }
}
