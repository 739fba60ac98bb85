/// What readers do with the bytes of tiles. PyramidBuild has what writers do.
extension TileCodec {
    /// The markers of a tile from its bytes.
    /// - Parameters:
    ///   - coordinate: the tile's address.
    ///   - idProperty: the property of MVT tiles with the ids that the format has no place for; `nil` if there is none.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    public func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, idProperty: String? = nil
    ) throws(TileDecodingError) -> Tile {
        switch self {
        case .geojson: try GeoJSONTileDecoder.decode(bytes, at: coordinate)
        case .mvt: try MVTTileDecoder.decode(bytes, at: coordinate, idProperty: idProperty)
        }
    }

    /// A tile as GeoJSON: as it is, or transcribed; with the places of its features if GeoJSON can't hold them exactly.
    /// - Parameter rules: for tiles that aren't GeoJSON.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected, if it has to be transcribed.
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
