/// Makes tiles from bundles.
package enum BundleExpansion {
    /// The JSON of a tile, with the features that a bundle shows there, and with all of its combinations of values; `nil`
    /// if it shows none.
    /// - Parameters:
    ///   - bundle: the bundle's JSON.
    ///   - address: the bundle's: the tile itself or an ancestor.
    ///   - maxZoom: the tileset's.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package static func tile(
        _ tile: TileCoordinate, from bundle: [UInt8], of address: TileCoordinate, maxZoom: Int
    ) throws(TileDecodingError) -> [UInt8]? {
        guard address.z <= tile.z, tile.z <= maxZoom else { return nil }
        // Some toolchains can't throw a typed error from withUnsafeBytes, so its closure returns a result.
        let result: Result<[UInt8]?, TileDecodingError> = bundle.withUnsafeBytes { bytes in
            do throws(TileDecodingError) {
                return .success(try json(of: tile, from: bytes, zooms: address.z...maxZoom))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func json(
        of tile: TileCoordinate, from bundle: UnsafeRawBufferPointer, zooms: ClosedRange<Int>
    ) throws(TileDecodingError) -> [UInt8]? {
        var reader = try GeoJSONFeatureReader(bundle, keepsProperties: false, bundleZooms: zooms)
        var json = ByteBuffer(capacity: 1 << 16)
        var isEmpty = true
        while let feature = try reader.next() {
            guard feature.zooms?.contains(tile.z) ?? false, tile.contains(WebMercator.project(feature.coordinate))
            else { continue }
            json.append(isEmpty ? GeoJSON.start : ",")
            isEmpty = false
            for range in feature.tileRanges { json.append(UnsafeRawBufferPointer(rebasing: bundle[range])) }
        }
        if let facets = reader.facets {
            json.append(#"],"facets":"#)
            json.append(UnsafeRawBufferPointer(rebasing: bundle[facets.range]))
            json.append("}")
        } else {
            json.append(GeoJSON.end)
        }
        return isEmpty ? nil : json.withUnsafeBytes { Array($0) }
    }
}
