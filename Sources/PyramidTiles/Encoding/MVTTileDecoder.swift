/// Reads our vector tiles, by way of GeoJSON.
///
/// It is strict: a tile is one layer of single points, each inside the tile, and tags refer to existing keys and values.
/// Fields can come in any order, and numbers can have any type.
public enum MVTTileDecoder {
    /// Decodes the markers of a tile, in O(bytes of their GeoJSON). Places are rounded to coordinates. A cluster
    /// gets its place as a box if it is coincident, otherwise the whole world, as tiles have no boxes. Nested values stay text.
    /// - Parameters:
    ///   - coordinate: the tile's address, which its bytes don't state.
    ///   - idProperty: the property for ids that a feature's id can't hold; `nil` if there is none.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected. If a feature's content is invalid,
    ///   the offset counts bytes of the tile's GeoJSON.
    public static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, idProperty: String? = nil
    ) throws(TileDecodingError) -> Tile {
        let rules = MVTTranscript.Rules(idProperty: idProperty, hasGeometries: false)
        let transcript = try transcript(of: bytes, at: coordinate, rules)
        return try GeoJSONTileDecoder.decode(transcript.json, at: coordinate, places: transcript.places)
    }

    /// A tile as GeoJSON.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package static func transcript(
        of bytes: [UInt8], at coordinate: TileCoordinate, _ rules: MVTTranscript.Rules = .none
    ) throws(TileDecodingError) -> MVTTranscript {
        var transcriber = MVTTranscriber(rules)
        return try transcriber.transcript(of: bytes, at: coordinate)
    }
}

/// Writes tiles as GeoJSON, one after another with the same memory.
package struct MVTTranscriber: ~Copyable {
    private var layer: MVTLayerReader

    package init(_ rules: MVTTranscript.Rules) { layer = MVTLayerReader(rules) }

    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package mutating func transcript(
        of bytes: [UInt8], at coordinate: TileCoordinate
    ) throws(TileDecodingError) -> MVTTranscript {
        // Some toolchains can't throw a typed error from withUnsafeBytes, so its closure returns a result.
        let result: Result<MVTTranscript, TileDecodingError> = bytes.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                return .success(try layer.transcribe(bytes, at: coordinate))
            } catch {
                return .failure(TileDecodingError(error, in: bytes, isText: false))
            }
        }
        return try result.get()
    }
}
