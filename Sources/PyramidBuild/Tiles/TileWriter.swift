import PyramidStore
import PyramidTiles

/// Cuts zooms into tiles. Workers encode and compress them, and pass them to the output, in files of their own or in
/// bundles.
package struct TileWriter: Sendable {
    let data: MarkerData
    let encoding: EncodingOptions
    package let storage: TileStorage
    package let compressionLevel: Int
    package let jobs: Int
    package let output: any TilesetFileWriter
    /// How many markers, over all zooms, a worker takes at a time.
    package let markersPerSubtree: Int
    /// The last zoom of the tileset.
    package let maxZoom: Int
    /// Takes the bundles that a tile of this zoom, one lower than the first zoom written, may contain; `nil` if no lower zoom
    /// follows.
    let openBundles: (zoom: Int, write: OpenBundleOutput)?
    /// The existing files and open bundles of the zooms higher than the band's; `nil` if there are none.
    let higherZooms: HigherZooms?
    /// Gets the files that are written.
    package let files: FileListCollector

    /// Few enough for the worker's buffers to stay in the processor's cache.
    package static let defaultMarkersPerSubtree = 4096

    /// Writes all the tiles of a band of zooms.
    /// - Parameter progress: is called by any worker with the numbers of tiles and markers written since the last call.
    package func write(
        _ band: TileBand, progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        try storage.codec.write(band, by: self, progress)
    }

    /// What was written of a band.
    package struct Written: Sendable {
        /// Figures of a zoom.
        package struct Zoom: Sendable {
            /// How many tiles it shows, in files of their own or in bundles.
            var tileCount = 0
            /// The sizes of its files.
            package var (bodyBytes, storedBytes) = (0, 0)
        }

        let firstZoom: Int
        /// By zoom, from the first one of the band to the last one of the tileset.
        package var zooms: [Zoom]
        /// Tiles with files of their own, and bundles.
        package var largest = LargestTiles()
        /// The types of the property that holds ids.
        package var idTypes: ValueKinds = []

        init(_ zooms: ClosedRange<Int>) {
            firstZoom = zooms.lowerBound
            self.zooms = [Zoom](repeating: Zoom(), count: zooms.count)
        }

        /// Adds the size of a tile's or a bundle's file.
        package mutating func add(_ entry: FileList.Entry) {
            let index = entry.address.number(0) - firstZoom
            zooms[index].bodyBytes += entry.file.bodyByteCount
            zooms[index].storedBytes += entry.file.byteCount
        }

        package mutating func append(_ other: Written) {
            for (index, zoom) in other.zooms.enumerated() {
                zooms[index].tileCount += zoom.tileCount
                zooms[index].bodyBytes += zoom.bodyBytes
                zooms[index].storedBytes += zoom.storedBytes
            }
            largest.add(other.largest)
            idTypes.formUnion(other.idTypes)
        }

        /// Removes the figures of a subtree. Keeps what sums up all files so far.
        mutating func removeFigures() {
            for index in zooms.indices { zooms[index] = Zoom() }
        }
    }
}

/// Writing tiles. Reading them is in ``PyramidTiles``.
extension TileCodec {
    /// Writes all the tiles of a band of zooms with the codec's encoder.
    package func write(
        _ band: TileBand, by writer: TileWriter, _ progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> TileWriter.Written {
        switch self {
        case .geojson: try writer.write(band, with: GeoJSONTileEncoder.self, progress)
        case .mvt: try writer.write(band, with: MVTTileEncoder.self, progress)
        }
    }
}
