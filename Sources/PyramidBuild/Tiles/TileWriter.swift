import PyramidStore
import PyramidTiles

/// Cuts zooms into tiles. Workers encode and compress them, and pass them to the output, in files of their own or in
/// bundles.
struct TileWriter: Sendable {
    let source: MarkerSource
    let encoding: EncodingOptions
    let storage: TileStorage
    let compressionLevel: Int
    let jobs: Int
    let output: any TilesetFileWriter
    /// How many markers, over all zooms, a worker takes at a time.
    let markersPerSubtree: Int
    /// The last zoom of the tileset.
    let maxZoom: Int
    /// When a part is built: the cut zoom. The join may make bundles of its tiles.
    var cutZoom: Int?
    /// When parts are joined: the bundles that they have handed over; `nil` if there are none.
    var unfinished: UnfinishedBundles?

    /// Few enough for the worker's buffers to stay in the processor's cache.
    static let defaultMarkersPerSubtree = 4096

    /// Writes all the tiles of a band of zooms.
    /// - Parameter progress: is called by any worker with the numbers of tiles and markers written since the last call.
    func write(
        _ band: TileBand, progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        try storage.codec.write(band, by: self, progress)
    }

    /// What was written of a band.
    struct Written: Sendable {
        /// Tiles and bundles, in no particular order.
        var files: [FileList.Entry] = []
        /// How many tiles each zoom shows, in files of their own or in bundles; from the first zoom on.
        var tileCounts: [Int]
        /// Tiles with files of their own, and bundles.
        var largest = LargestTiles()
        /// The types of the property that holds ids.
        var idTypes: PropertyTypes = []

        init(_ zooms: ClosedRange<Int>) { tileCounts = [Int](repeating: 0, count: zooms.count) }

        mutating func append(_ other: Written) {
            files += other.files
            for index in tileCounts.indices { tileCounts[index] += other.tileCounts[index] }
            largest.add(other.largest)
            idTypes.formUnion(other.idTypes)
        }

        /// Removes the files and counts of a subtree. Keeps the capacity, and what sums up all files so far.
        mutating func removeFiles() {
            files.removeAll(keepingCapacity: true)
            for index in tileCounts.indices { tileCounts[index] = 0 }
        }
    }
}
