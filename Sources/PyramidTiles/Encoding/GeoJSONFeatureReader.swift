/// Reads the features of a tile one after another, and accepts only the structure of our tiles: a FeatureCollection of
/// points, some of which are clusters.
package struct GeoJSONFeatureReader {
    package private(set) var json: JSONReader
    /// The combinations that clusters refer to, when the collection is read to its end; `nil` if it has none.
    package private(set) var facets: DecodedFacets?
    private let keepsProperties: Bool
    /// The zooms that a bundle covers; `nil` in a tile, whose features state no zooms.
    private let bundleZooms: ClosedRange<Int>?
    /// The places of the features of a transcribed vector tile, which have no geometry; `nil` in GeoJSON.
    private let places: [WorldPoint]?
    private var featureCount = 0
    private let watchedNames: [[UInt8]]
    private var keys = JSONKeySet()
    private var isFirstKey = true
    private var isFirstFeature = true
    private var hasType = false
    private var hasFeatures = false
    private var isInFeatures = false

    /// Counts are at most this, and ids are less: numbers that JSON readers hold exactly.
    package static let integerLimit = 1 << 53

    /// - Parameters:
    ///   - bytes: the tile's JSON, valid for as long as the reader is used.
    ///   - keepsProperties: `false` to only check the properties.
    ///   - watchedNames: properties whose ranges are returned, even if properties aren't kept.
    ///   - bundleZooms: the zooms that a bundle covers; `nil` for a tile.
    ///   - places: of the features of a transcribed vector tile, which have no geometry, and whose clusters lack `bbox`.
    package init(
        _ bytes: UnsafeRawBufferPointer, keepsProperties: Bool, watchedNames: [[UInt8]] = [],
        bundleZooms: ClosedRange<Int>? = nil, places: [WorldPoint]? = nil
    ) throws(TileDecodingError) {
        self.places = places
        self.bundleZooms = bundleZooms
        json = JSONReader(bytes)
        self.watchedNames = watchedNames
        self.keepsProperties = keepsProperties
        do throws(JSONFault) {
            try json.expect(UInt8(ascii: "{"), "a FeatureCollection")
            try readCollectionKeys()
        } catch {
            throw TileDecodingError(error, in: bytes)
        }
    }

    /// The next feature; `nil` after the last, when the collection is read to its end.
    package mutating func next() throws(TileDecodingError) -> DecodedFeature? {
        do throws(JSONFault) { return try nextFeature() } catch { throw TileDecodingError(error, in: json.bytes) }
    }

    private mutating func nextFeature() throws(JSONFault) -> DecodedFeature? {
        guard isInFeatures else { return nil }
        if try json.nextElement(isFirst: isFirstFeature) {
            isFirstFeature = false
            return try readFeature()
        }
        isInFeatures = false
        try readCollectionKeys()
        return nil
    }

    /// Reads the collection's keys up to the features, or to the end.
    private mutating func readCollectionKeys() throws(JSONFault) {
        while let key = try json.nextKey(isFirst: isFirstKey) {
            isFirstKey = false
            if json.isEqual(key, "type"), !hasType {
                try expectText("FeatureCollection")
                hasType = true
            } else if json.isEqual(key, "features"), !hasFeatures {
                try json.expect(UInt8(ascii: "["), "an array of features")
                hasFeatures = true
                isInFeatures = true
                return
            } else if json.isEqual(key, "facets"), hasFeatures, facets == nil {
                facets = try DecodedFacets(reading: &json)
            } else {
                throw JSONFault(
                    offset: key.range.lowerBound - 1,
                    expected: "\"type\", \"features\" and perhaps then \"facets\", each once")
            }
        }
        guard hasType, hasFeatures else { throw json.fault(expected: "\"type\" and \"features\" before the end") }
        try json.expectEnd()
    }

    /// What was read of a feature, before it is known to be a point or a cluster.
    private struct Fields {
        var hasType = false
        var id: DecodedFeature.ID?
        var idOffset = 0
        var boundingBox: BoundingBox?
        var coordinate: Coordinate?
        var properties: Properties?
        var propertiesEnd = 0
        var minZoom, maxZoom: Int?
        var parent: BundleParent?
        /// The ranges of the members that only bundles have, with the commas before them.
        var recordMembers: [Range<Int>] = []

        /// The zooms at which a bundle shows the feature; `nil` in a tile.
        /// - Parameter start: the feature's offset.
        func zooms(in bundleZooms: ClosedRange<Int>?, at start: Int) throws(JSONFault) -> ClosedRange<Int>? {
            guard let bundleZooms else { return nil }
            let (first, last) = (minZoom ?? bundleZooms.lowerBound, maxZoom ?? bundleZooms.upperBound)
            guard first <= last else {
                throw JSONFault(offset: start, expected: "a feature whose maxzoom is at least its minzoom")
            }
            return first...last
        }
    }

    private struct Properties {
        var isCluster = false
        /// The ranges of the values of the properties in ``Cluster/PropertyName``, and of the facets.
        var clusterID, pointCount, abbreviatedCount, expansionZoom, coincident, facets: Range<Int>?
        var watched: [Range<Int>?] = []
        var kept: [String: PropertyValue] = [:]
    }

    private mutating func readFeature() throws(JSONFault) -> DecodedFeature {
        _ = json.peek()
        let start = json.position
        try json.expect(UInt8(ascii: "{"), "a feature")
        var fields = Fields()
        if let places { fields.coordinate = WebMercator.unproject(places[featureCount]) }
        featureCount += 1
        var isFirst = true
        // The end of the last member.
        var end = json.position
        while let key = try json.nextKey(isFirst: isFirst) {
            isFirst = false
            if json.isEqual(key, "type"), !fields.hasType {
                try expectText("Feature")
                fields.hasType = true
            } else if json.isEqual(key, "id"), fields.id == nil {
                _ = json.peek()
                fields.idOffset = json.position
                fields.id = try readID()
            } else if json.isEqual(key, "bbox"), fields.boundingBox == nil {
                fields.boundingBox = try readBoundingBox()
            } else if json.isEqual(key, "geometry"), fields.coordinate == nil {
                fields.coordinate = try readGeometry()
            } else if json.isEqual(key, "properties"), fields.properties == nil {
                fields.properties = try readProperties()
                fields.propertiesEnd = json.position - 1
            } else if let bundleZooms, fields.hasType, try readRecordMember(key, in: bundleZooms, into: &fields) {
                fields.recordMembers.append(end..<json.position)
            } else {
                throw JSONFault(offset: key.range.lowerBound - 1, expected: "the keys of a feature, each once")
            }
            end = json.position
        }
        let zooms = try fields.zooms(in: bundleZooms, at: start)
        let range = start..<json.position
        guard fields.hasType, let coordinate = fields.coordinate, let properties = fields.properties else {
            throw JSONFault(offset: start, expected: "a feature with type, geometry and properties")
        }
        guard properties.isCluster else {
            guard fields.boundingBox == nil else { throw JSONFault(offset: start, expected: "a point without bbox") }
            return DecodedFeature(
                id: fields.id, coordinate: coordinate, pointCountOfPoint: properties.pointCount, cluster: nil,
                watched: properties.watched, properties: properties.kept, range: range, zooms: zooms,
                parent: fields.parent, propertiesEnd: fields.propertiesEnd, recordMembers: fields.recordMembers)
        }
        return DecodedFeature(
            id: nil, coordinate: coordinate, pointCountOfPoint: nil,
            cluster: try cluster(of: fields, properties, coordinate, at: start),
            watched: properties.watched, properties: properties.kept, range: range, zooms: zooms,
            parent: fields.parent, propertiesEnd: fields.propertiesEnd, recordMembers: fields.recordMembers)
    }

    /// - Returns: `false` if it is no member that only bundles have, or a repeated one.
    private mutating func readRecordMember(
        _ key: JSONText, in zooms: ClosedRange<Int>, into fields: inout Fields
    ) throws(JSONFault) -> Bool {
        if fields.minZoom == nil, json.isEqual(key, "minzoom") {
            fields.minZoom = try json.readInteger(in: zooms, "a zoom of the bundle")
        } else if fields.maxZoom == nil, json.isEqual(key, "maxzoom") {
            fields.maxZoom = try json.readInteger(in: zooms, "a zoom of the bundle")
        } else if fields.parent == nil, json.isEqual(key, "parent") {
            fields.parent = .record(try json.readInteger(in: 0...Int(Int32.max), "the index of a feature"))
        } else if fields.parent == nil, json.isEqual(key, "parent_id") {
            let ids = 0...GeoJSONFeatureReader.integerLimit - 1
            fields.parent = .id(UInt64(try json.readInteger(in: ids, "a cluster's id")))
        } else {
            return false
        }
        return true
    }

    private func cluster(
        of fields: Fields, _ properties: Properties, _ coordinate: Coordinate, at start: Int
    ) throws(JSONFault) -> DecodedFeature.ClusterProperties {
        guard fields.boundingBox != nil || places != nil, case .number = fields.id else {
            throw JSONFault(offset: start, expected: "a cluster with a bbox and a number as id")
        }
        guard properties.clusterID != nil, let pointCount = properties.pointCount,
            let abbreviatedCount = properties.abbreviatedCount
        else {
            throw JSONFault(
                offset: start, expected: "a cluster with cluster_id, point_count and point_count_abbreviated")
        }
        let ids = 0...((1 << 53) - 1)
        let id = try integer(at: fields.idOffset, in: ids, "a cluster's id")
        if let clusterID = properties.clusterID {
            guard try integer(at: clusterID.lowerBound, in: ids, "a cluster's id") == id else {
                throw JSONFault(offset: clusterID.lowerBound, expected: "the feature's id, \(id)")
            }
        }
        let isCoincident = properties.coincident.map { json.isEqual($0, "true") } ?? false
        guard fields.boundingBox.map({ $0.isOnePlace == isCoincident }) ?? true else {
            throw JSONFault(
                offset: start, expected: "a cluster that is coincident if, and only if, its bbox is one place")
        }
        var expansionZoom: Int?
        if let range = properties.expansionZoom {
            expansionZoom = try integer(at: range.lowerBound, in: TileCoordinate.zooms, "a zoom level")
        }
        let counts = 2...GeoJSONFeatureReader.integerLimit
        return DecodedFeature.ClusterProperties(
            id: UInt64(id),
            boundingBox: fields.boundingBox ?? (isCoincident ? BoundingBox(coordinate) : BoundingBox.world),
            isCoincident: isCoincident,
            pointCount: try integer(at: pointCount.lowerBound, in: counts, "a number of points from 2"),
            expansionZoom: expansionZoom,
            abbreviatedCount: abbreviatedCount, facets: properties.facets)
    }

    private func integer(
        at offset: Int, in range: ClosedRange<Int>, _ expected: String
    ) throws(JSONFault) -> Int {
        var reader = JSONReader(json.bytes, at: offset)
        return try reader.readInteger(in: range, expected)
    }

    private mutating func expectText(_ name: StaticString) throws(JSONFault) {
        _ = json.peek()
        let start = json.position
        let text = try json.readText()
        guard json.isEqual(text, name) else { throw JSONFault(offset: start, expected: "\"\(name)\"") }
    }

    private mutating func readID() throws(JSONFault) -> DecodedFeature.ID {
        if json.peek() == UInt8(ascii: "\"") { return .text(try json.readText()) }
        return .number(try json.readNumber())
    }

    private mutating func readGeometry() throws(JSONFault) -> Coordinate {
        try json.expect(UInt8(ascii: "{"), "a geometry")
        var hasType = false
        var coordinate: Coordinate?
        var isFirst = true
        while let key = try json.nextKey(isFirst: isFirst) {
            isFirst = false
            if json.isEqual(key, "type"), !hasType {
                try expectText("Point")
                hasType = true
            } else if json.isEqual(key, "coordinates"), coordinate == nil {
                try json.expect(UInt8(ascii: "["), "coordinates")
                // Places on the antimeridian have longitude -180; only a border of a box can have 180.
                let longitude = try json.readMicrodegrees(
                    in: -180_000_000...179_999_999, "degrees from -180 to below 180 with at most 6 decimals")
                try json.expect(UInt8(ascii: ","), "a latitude")
                let latitude = try readLatitude()
                try json.expect(UInt8(ascii: "]"), "the end of the coordinates")
                coordinate = Coordinate(longitudeMicrodegrees: longitude, latitudeMicrodegrees: latitude)
            } else {
                throw JSONFault(offset: key.range.lowerBound - 1, expected: "the keys of a geometry, each once")
            }
        }
        guard hasType, let coordinate else { throw json.fault(expected: "a type and coordinates before the end") }
        return coordinate
    }

    private mutating func readBoundingBox() throws(JSONFault) -> BoundingBox {
        try json.expect(UInt8(ascii: "["), "a box")
        let west = try readLongitude()
        try json.expect(UInt8(ascii: ","), "four borders")
        let south = try readLatitude()
        try json.expect(UInt8(ascii: ","), "four borders")
        let east = try readLongitude()
        try json.expect(UInt8(ascii: ","), "four borders")
        let north = try readLatitude()
        try json.expect(UInt8(ascii: "]"), "the end of the box")
        return BoundingBox(west: west, south: south, east: east, north: north)
    }

    private mutating func readLongitude() throws(JSONFault) -> Int32 {
        try json.readMicrodegrees(
            in: -180_000_000...180_000_000, "degrees from -180 to 180 with at most 6 decimals")
    }

    private mutating func readLatitude() throws(JSONFault) -> Int32 {
        try json.readMicrodegrees(in: -90_000_000...90_000_000, "degrees from -90 to 90 with at most 6 decimals")
    }

    private mutating func readProperties() throws(JSONFault) -> Properties {
        try json.expect(UInt8(ascii: "{"), "properties")
        var properties = Properties()
        var reserved: [(name: String, value: PropertyValue)] = []
        keys.removeAll()
        var isFirst = true
        while let key = try json.nextKey(isFirst: isFirst) {
            isFirst = false
            guard keys.insert(key, in: json.bytes.assumingMemoryBound(to: UInt8.self).span) else {
                throw JSONFault(offset: key.range.lowerBound - 1, expected: "a key that is not repeated")
            }
            _ = json.peek()
            let start = json.position
            let value = try json.readValue(isKept: keepsProperties)
            let range = start..<json.position
            switch clusterPropertyName(key) {
            case .cluster: properties.isCluster = json.isEqual(range, "true")
            case .clusterID: properties.clusterID = range
            case .pointCount: properties.pointCount = range
            case .pointCountAbbreviated: properties.abbreviatedCount = range
            case .expansionZoom: properties.expansionZoom = range
            case .coincident: properties.coincident = range
            case nil:
                if json.isEqual(key, "facets") { properties.facets = range }
                for index in watchedNames.indices where json.isEqual(key, watchedNames[index]) {
                    if properties.watched.isEmpty {
                        properties.watched = [Range<Int>?](repeating: nil, count: watchedNames.count)
                    }
                    properties.watched[index] = range
                }
                if keepsProperties { properties.kept[json.string(key)] = value }
                continue
            }
            if keepsProperties { reserved.append((json.string(key), value)) }
        }
        // Only in clusters are the names reserved.
        if !properties.isCluster {
            for (name, value) in reserved { properties.kept[name] = value }
        }
        return properties
    }

    private func clusterPropertyName(_ key: JSONText) -> Cluster.PropertyName? {
        if json.isEqual(key, "cluster") { return .cluster }
        if json.isEqual(key, "point_count") { return .pointCount }
        if json.isEqual(key, "cluster_id") { return .clusterID }
        if json.isEqual(key, "expansion_zoom") { return .expansionZoom }
        if json.isEqual(key, "coincident") { return .coincident }
        return json.isEqual(key, "point_count_abbreviated") ? .pointCountAbbreviated : nil
    }
}
