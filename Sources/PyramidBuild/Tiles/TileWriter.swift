import PyramidStore
import PyramidTiles

/// Cuts zooms into tiles; workers encode them, compress them and hand them to the output.
struct TileWriter: Sendable {
    let source: MarkerSource
    let countLabel: CountLabel
    let storage: TileStorage
    let compressionLevel: Int
    let jobs: Int
    let output: any TilesetWriter
    /// A worker takes so many markers of all zooms at a time.
    let markersPerSubtree: Int

    /// Few enough that all that a worker makes of them stays in its cache.
    static let usualMarkersPerSubtree = 4096

    /// Writes all the tiles of a band of zooms.
    /// - Parameter progress: is called with the numbers of tiles and markers that were written since the last call, by
    ///   any worker.
    /// - Returns: what stands in the list of tiles, in no particular order.
    func write(
        _ band: TileBand, progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> [TileList.Entry] {
        let subtrees = band.subtrees(markerLimit: markersPerSubtree)
        // No tile is without a marker.
        let limit = subtrees.reduce(0) { $0 + $1.markerCount }
        return try writeConcurrently(chunkCount: subtrees.count, limit: limit, jobs: jobs) {
            TileWorker<GeoJSONTileEncoder>(writer: self, band: band, subtrees: subtrees)
        } chunkWritten: { chunk, tiles in
            progress(tiles, subtrees[chunk].markerCount)
        }
    }
}
