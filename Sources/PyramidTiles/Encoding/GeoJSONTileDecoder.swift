/// Reads our GeoJSON tiles.
///
/// It is strict: a tile is a FeatureCollection of points with at most six decimals. A feature whose property `cluster` is
/// true must have everything that a cluster has. Anything else is an error, so that a damaged tile never shows a wrong map. White space and the order of keys are free.
public enum GeoJSONTileDecoder {
    /// The tile of an address from its JSON, in O(bytes).
    /// - Parameter coordinate: the tile's address, which its bytes don't state.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    public static func decode(
        _ bytes: UnsafeRawBufferPointer, at coordinate: TileCoordinate
    ) throws(TileDecodingError) -> Tile {
        Tile(coordinate: coordinate, markers: try markers(in: bytes).map(\.marker))
    }

    /// The tile of an address from its JSON, in O(bytes).
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    public static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate
    ) throws(TileDecodingError) -> Tile {
        Tile(coordinate: coordinate, markers: try markers(in: bytes).map(\.marker))
    }

    /// The tile of an address from another format's tile, transcribed to GeoJSON.
    package static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, needsBoxes: Bool
    ) throws(TileDecodingError) -> Tile {
        Tile(coordinate: coordinate, markers: try markers(in: bytes, needsBoxes: needsBoxes).map(\.marker))
    }

    /// The markers of a bundle from its JSON, each with the zooms at which it is shown, in O(bytes).
    /// - Parameter zooms: from the bundle's own to the tileset's last.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package static func decodeBundle(
        _ bytes: [UInt8], zooms: ClosedRange<Int>
    ) throws(TileDecodingError) -> [(zooms: ClosedRange<Int>, marker: Marker)] {
        try markers(in: bytes, bundleZooms: zooms)
    }

    /// The points of a page from its JSON, in O(bytes).
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected, and where a feature is a cluster.
    package static func decodePoints(_ bytes: [UInt8]) throws(TileDecodingError) -> [Feature] {
        var points: [Feature] = []
        for (_, marker) in try markers(in: bytes) {
            guard case .point(let point) = marker else {
                throw TileDecodingError(
                    byteOffset: 0, found: "the start of a page with a cluster", expected: "only points")
            }
            points.append(point)
        }
        return points
    }

    private static func markers(
        in bytes: [UInt8], bundleZooms: ClosedRange<Int>? = nil, needsBoxes: Bool = true
    ) throws(TileDecodingError) -> [(zooms: ClosedRange<Int>, marker: Marker)] {
        // Some toolchains can't throw a typed error from withUnsafeBytes, so its closure returns a result.
        let result: Result<[(zooms: ClosedRange<Int>, marker: Marker)], TileDecodingError> = bytes.withUnsafeBytes {
            bytes in
            do throws(TileDecodingError) {
                return .success(try markers(in: bytes, bundleZooms: bundleZooms, needsBoxes: needsBoxes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// - Returns: each with the zooms at which a bundle shows it; in a tile, with all zooms.
    private static func markers(
        in bytes: UnsafeRawBufferPointer, bundleZooms: ClosedRange<Int>? = nil, needsBoxes: Bool = true
    ) throws(TileDecodingError) -> [(zooms: ClosedRange<Int>, marker: Marker)] {
        var reader = try GeoJSONFeatureReader(
            bytes, keepsProperties: true, bundleZooms: bundleZooms, needsBoxes: needsBoxes)
        var markers: [(zooms: ClosedRange<Int>, marker: Marker)] = []
        while let feature = try reader.next() {
            markers.append((feature.zooms ?? TileCoordinate.zooms, try marker(feature, in: reader.json)))
        }
        return markers
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
