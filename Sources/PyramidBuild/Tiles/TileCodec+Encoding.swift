import PyramidTiles

/// Writing tiles. Reading them is in ``PyramidTiles``.
extension TileCodec {
    /// Writes all the tiles of a band of zooms with the codec's encoder.
    func write(
        _ band: TileBand, by writer: TileWriter, _ progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> TileWriter.Written {
        switch self {
        case .geojson: try writer.write(band, with: GeoJSONTileEncoder.self, progress)
        case .mvt: try writer.write(band, with: MVTTileEncoder.self, progress)
        }
    }
}
