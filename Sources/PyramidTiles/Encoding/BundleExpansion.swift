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
        var features: [DecodedFeature] = []
        while let feature = try reader.next() { features.append(feature) }
        var json = ByteBuffer(capacity: 1 << 16)
        var isEmpty = true
        for feature in features {
            guard let zooms = feature.zooms, zooms.contains(tile.z),
                tile.contains(WebMercator.project(feature.coordinate))
            else { continue }
            json.append(isEmpty ? GeoJSON.start : ",")
            isEmpty = false
            let parent = zooms.lowerBound == tile.z ? feature.parentID(among: features) : nil
            for range in feature.tileRanges {
                guard let parent, range.contains(feature.propertiesEnd) else {
                    json.append(UnsafeRawBufferPointer(rebasing: bundle[range]))
                    continue
                }
                json.append(UnsafeRawBufferPointer(rebasing: bundle[range.lowerBound..<feature.propertiesEnd]))
                json.append(parent: parent)
                json.append(UnsafeRawBufferPointer(rebasing: bundle[feature.propertiesEnd..<range.upperBound]))
            }
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

extension DecodedFeature {
    /// The id of the feature's parent, if that is another cluster.
    fileprivate func parentID(among features: [DecodedFeature]) -> UInt64? {
        let id: UInt64? =
            switch parent {
            case .record(let index): features.indices.contains(index) ? features[index].cluster?.id : nil
            case .id(let id): id
            case nil: nil
            }
        return id == cluster?.id ? nil : id
    }
}

extension ByteBuffer {
    /// Adds a parent to properties that aren't closed yet.
    package mutating func append(parent: UInt64) {
        let isFirst = withUnsafeBytes { $0.last { $0 > UInt8(ascii: " ") } } == UInt8(ascii: "{")
        if !isFirst { append(",") }
        append(#""parent":"#)
        append(integer: Int(parent))
    }
}
