/// A marker of a bundle.
package struct BundleRecord: Hashable, Sendable {
    /// At which it is shown; all zooms for a marker of a tile.
    package let zooms: ClosedRange<Int>
    package fileprivate(set) var marker: Marker
    /// The index of the cluster in the same bundle that has it at the zoom before its first; `nil` if there is none.
    package var parentIndex: Int?

    package init(zooms: ClosedRange<Int>, marker: Marker, parentIndex: Int? = nil) {
        (self.zooms, self.marker, self.parentIndex) = (zooms, marker, parentIndex)
    }

    /// Whether a bundle shows the record in a tile.
    package func isShown(in tile: TileCoordinate) -> Bool {
        zooms.contains(tile.z) && tile.contains(WebMercator.project(marker.coordinate))
    }

    /// The marker as a tile has it, which states a parent only if that is another one.
    package func asInTile(ofZoom zoom: Int) -> Marker {
        if case .cluster(let cluster) = marker, cluster.id == marker.parentID { return marker.with(parentID: nil) }
        return zoom == zooms.lowerBound ? marker : marker.with(parentID: nil)
    }
}

/// Reads our GeoJSON tiles.
///
/// It is strict, so that a damaged tile never shows a wrong map: a tile is a FeatureCollection of points with at most
/// six decimals, and a feature whose property `cluster` is true has everything that a cluster has. White space and the
/// order of keys don't matter.
public enum GeoJSONTileDecoder {
    /// Decodes the tile at an address from its JSON, in O(bytes).
    /// - Parameter coordinate: the tile's address, which its bytes don't state.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    public static func decode(
        _ bytes: UnsafeRawBufferPointer, at coordinate: TileCoordinate
    ) throws(TileDecodingError) -> Tile {
        Tile(coordinate: coordinate, markers: try markers(in: bytes).map(\.marker))
    }

    /// Decodes the tile at an address from its JSON, in O(bytes).
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    public static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate
    ) throws(TileDecodingError) -> Tile {
        Tile(coordinate: coordinate, markers: try markers(in: bytes).map(\.marker))
    }

    /// The tile of an address from a vector tile, transcribed to GeoJSON without geometries.
    package static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, places: [WorldPoint]
    ) throws(TileDecodingError) -> Tile {
        Tile(coordinate: coordinate, markers: try markers(in: bytes, places: places).map(\.marker))
    }

    /// The records of a bundle from its JSON, in O(bytes).
    /// - Parameter zooms: from the bundle's own to the tileset's last.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package static func decodeBundle(
        _ bytes: [UInt8], zooms: ClosedRange<Int>
    ) throws(TileDecodingError) -> [BundleRecord] {
        try markers(in: bytes, bundleZooms: zooms)
    }

    private static func markers(
        in bytes: [UInt8], bundleZooms: ClosedRange<Int>? = nil, places: [WorldPoint]? = nil
    ) throws(TileDecodingError) -> [BundleRecord] {
        // Some toolchains can't throw a typed error from withUnsafeBytes, so its closure returns a result.
        let result: Result<[BundleRecord], TileDecodingError> = bytes.withUnsafeBytes {
            bytes in
            do throws(TileDecodingError) {
                return .success(try markers(in: bytes, bundleZooms: bundleZooms, places: places))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// - Returns: each with the zooms at which a bundle shows it; in a tile, with all zooms.
    private static func markers(
        in bytes: UnsafeRawBufferPointer, bundleZooms: ClosedRange<Int>? = nil, places: [WorldPoint]? = nil
    ) throws(TileDecodingError) -> [BundleRecord] {
        var reader = try GeoJSONFeatureReader(
            bytes, keepsProperties: true, bundleZooms: bundleZooms, places: places)
        var markers: [BundleRecord] = []
        // The combinations that clusters refer to come after them.
        var facets: [(index: Int, range: Range<Int>)] = []
        while let feature = try reader.next() {
            if let range = feature.cluster?.facets { facets.append((markers.count, range)) }
            let marker = try marker(feature, in: reader.json)
            guard let zooms = feature.zooms else {
                markers.append(BundleRecord(zooms: TileCoordinate.zooms, marker: marker.withParentOfProperties()))
                continue
            }
            var record = BundleRecord(zooms: zooms, marker: marker)
            switch feature.parent {
            case .record(let index): record.parentIndex = index
            case .id(let id): record.marker = marker.with(parentID: id)
            case nil: break
            }
            markers.append(record)
        }
        do throws(JSONFault) {
            if let table = reader.facets {
                let combinations = try table.combinations.map { range throws(JSONFault) in
                    try values(in: range, of: bytes)
                }
                for (index, range) in facets {
                    try setFacets(of: &markers[index].marker) { pointCount, counts throws(JSONFault) in
                        try table.forEachCount(in: range, pointCount: pointCount, of: bytes) {
                            counts.append(FacetCount(values: combinations[$0], count: $1))
                        }
                    }
                }
            } else if places != nil {
                for (index, range) in facets { try setFacets(of: &markers[index].marker, fromText: range, of: bytes) }
            }
        } catch {
            throw TileDecodingError(error, in: bytes)
        }
        for index in markers.indices {
            guard let parentIndex = markers[index].parentIndex else { continue }
            guard parentIndex < markers.count, case .cluster(let parent) = markers[parentIndex].marker,
                markers[parentIndex].zooms.contains(markers[index].zooms.lowerBound - 1)
            else {
                throw TileDecodingError(
                    byteOffset: 0, found: "the start of a bundle with the parent \(parentIndex)",
                    expected: "the index of a cluster at the zoom before")
            }
            markers[index].marker = markers[index].marker.with(parentID: parent.id)
        }
        return markers
    }

    private static func setFacets(
        of marker: inout Marker, _ read: (_ pointCount: Int, _ counts: inout [FacetCount]) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard case .cluster(let cluster) = marker else { return }
        var counts: [FacetCount] = []
        try read(cluster.pointCount, &counts)
        var properties = cluster.properties
        properties[ClusterContentOptions.facetsName] = nil
        marker = .cluster(
            Cluster(
                id: cluster.id, coordinate: cluster.coordinate, boundingBox: cluster.boundingBox,
                pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom, properties: properties,
                facets: counts)
        ).with(parentID: marker.parentID)
    }

    /// Reads the text that counts are in a vector tile. Any other text is a value of a column.
    private static func setFacets(
        of marker: inout Marker, fromText range: Range<Int>, of bytes: UnsafeRawBufferPointer
    ) throws(JSONFault) {
        guard case .cluster(let cluster) = marker,
            case .string(let text)? = cluster.properties[ClusterContentOptions.facetsName], text.hasPrefix("[[")
        else { return }
        try setFacets(of: &marker) { pointCount, counts throws(JSONFault) in
            let result: Result<[FacetCount], JSONFault> = Array(text.utf8).withUnsafeBytes { text in
                do throws(JSONFault) { return .success(try self.counts(in: text, pointCount: pointCount)) } catch {
                    return .failure(JSONFault(offset: range.lowerBound, expected: error.expected))
                }
            }
            counts = try result.get()
        }
    }

    private static func counts(
        in text: UnsafeRawBufferPointer, pointCount: Int
    ) throws(JSONFault) -> [FacetCount] {
        var found: [(values: Range<Int>, count: Int)] = []
        try DecodedFacets.forEachCount(in: 0..<text.count, pointCount: pointCount, of: text) { found.append(($0, $1)) }
        return try found.map { found throws(JSONFault) in
            FacetCount(values: try values(in: found.values, of: text), count: found.count)
        }
    }

    private static func values(
        in range: Range<Int>, of bytes: UnsafeRawBufferPointer
    ) throws(JSONFault) -> [PropertyValue] {
        var reader = JSONReader(bytes, at: range.lowerBound)
        guard case .array(let values) = try reader.readValue(isKept: true) else { return [] }
        return values
    }

    private static func marker(
        _ feature: DecodedFeature, in json: JSONReader
    ) throws(TileDecodingError) -> Marker {
        guard let cluster = feature.cluster else {
            let id: PropertyValue? =
                switch feature.id {
                case .text(let text): .string(json.string(text))
                case .number(let number): .number(try double(number, in: json))
                case nil: nil
                }
            return .point(Feature(id: id, coordinate: feature.coordinate, properties: feature.properties))
        }
        return .cluster(
            Cluster(
                id: cluster.id, coordinate: feature.coordinate, boundingBox: cluster.boundingBox,
                pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom, properties: feature.properties))
    }

    private static func double(_ number: DecimalLiteral, in json: JSONReader) throws(TileDecodingError) -> Double {
        do throws(JSONFault) { return try json.double(number) } catch {
            throw TileDecodingError(error, in: json.bytes)
        }
    }
}
