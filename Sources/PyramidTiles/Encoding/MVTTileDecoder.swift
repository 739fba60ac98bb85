/// Reads our vector tiles, by way of GeoJSON.
///
/// It is strict: a tile is one layer of single points, each within the tile, whose keys and values are there. The order of
/// the parts is free, as is the type in which a number is stored.
public enum MVTTileDecoder {
    /// The markers of a tile from its bytes, in O(bytes of their GeoJSON). Places are the nearest coordinates to those in the
    /// tile. A cluster without a box has that of its place if it is coincident, else that of the whole world. Nested values
    /// stay text.
    /// - Parameters:
    ///   - coordinate: the tile's address, which its bytes don't tell.
    ///   - idProperty: the property with the ids that the format has no place for; `nil` if there is none.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected; where the fault is in what a feature says,
    ///   bytes of the tile's GeoJSON are counted.
    public static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, idProperty: String? = nil
    ) throws(TileDecodingError) -> Tile {
        let transcript = try transcript(
            of: bytes, at: coordinate, MVTTranscript.Rules(idProperty: idProperty, nestedProperties: [], hasBoxes: true)
        )
        return try GeoJSONTileDecoder.decode(transcript.json, at: coordinate, needsBoxes: false)
    }

    /// A tile as GeoJSON.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package static func transcript(
        of bytes: [UInt8], at coordinate: TileCoordinate, _ rules: MVTTranscript.Rules = .none
    ) throws(TileDecodingError) -> MVTTranscript {
        // The closure of withUnsafeBytes can't throw a typed error in every toolchain, so the result carries it.
        let result: Result<MVTTranscript, TileDecodingError> = bytes.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                var layer = try MVTLayerReader(bytes, at: coordinate, rules)
                return .success(try layer.transcribe())
            } catch {
                return .failure(TileDecodingError(error, in: bytes, isText: false))
            }
        }
        return try result.get()
    }
}
