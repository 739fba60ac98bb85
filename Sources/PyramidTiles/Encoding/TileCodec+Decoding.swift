/// Reading tiles. Writing them is in PyramidBuild.
extension TileCodec {
    /// Decodes the markers of a tile.
    /// - Parameters:
    ///   - coordinate: the tile's address.
    ///   - idProperty: in MVT tiles, the property for ids that a feature's id can't hold; `nil` if there is none.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    public func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, idProperty: String? = nil
    ) throws(TileDecodingError) -> Tile {
        switch self {
        case .geojson: try GeoJSONTileDecoder.decode(bytes, at: coordinate)
        case .mvt: try MVTTileDecoder.decode(bytes, at: coordinate, idProperty: idProperty)
        }
    }

    /// A tile as GeoJSON, transcribed if necessary. With the places of its features if GeoJSON can't hold them exactly.
    /// - Parameter rules: for tiles that aren't GeoJSON.
    /// - Throws: ``TileDecodingError`` if it has to be transcribed, at the first byte that is not as expected.
    package func transcript(
        of bytes: [UInt8], at coordinate: TileCoordinate, _ rules: MVTTranscript.Rules = .none
    ) throws(TileDecodingError) -> (json: [UInt8], places: [WorldPoint]?) {
        switch self {
        case .geojson: return (bytes, nil)
        case .mvt:
            let transcript = try MVTTileDecoder.transcript(of: bytes, at: coordinate, rules)
            return (transcript.json, transcript.places)
        }
    }
}
