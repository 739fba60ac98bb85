import PyramidStore
import PyramidTiles

/// The files written so far, and figures about them.
package struct WrittenTiles {
    /// Tiles and bundles.
    package let files: FileListCollector
    /// The existing files and open bundles of the zooms higher than the band's; `nil` if there are none.
    package var higherZooms: HigherZooms?
    /// In ascending order.
    package private(set) var zooms: [Manifest.ZoomSummary] = []
    package private(set) var largest = LargestTiles()

    /// The types of the property that holds points' ids.
    package private(set) var idTypes: ValueKinds = []

    package init(_ files: FileListCollector) { self.files = files }

    /// Adds a band. Bands come from the highest zooms to the lowest.
    package mutating func append(
        _ written: consuming TileWriter.Written, of band: TileBand, _ clustering: ClusteringOptions
    ) {
        largest.add(written.largest)
        idTypes.formUnion(written.idTypes)
        // Bundles of higher zooms may be among them.
        for (index, figures) in written.zooms.dropFirst(band.zooms.count).enumerated() where index < zooms.count {
            zooms[index].bodyBytes += figures.bodyBytes
            zooms[index].storedBytes += figures.storedBytes
        }
        zooms = WrittenTiles.summaries(of: band, written, clustering) + zooms
    }

    /// Adds what other processes have written, except for the files. Call this before adding any band.
    /// - Parameter zooms: the zooms that they have written.
    package mutating func append(zooms: [Manifest.ZoomSummary], largest: LargestTiles, idTypes: ValueKinds) {
        self.largest.add(largest)
        self.zooms = zooms
        self.idTypes.formUnion(idTypes)
    }

    private static func summaries(
        of band: TileBand, _ written: TileWriter.Written, _ clustering: ClusteringOptions
    ) -> [Manifest.ZoomSummary] {
        zip(band.zooms, written.zooms).map { zoom, figures in
            let markers = band.markers(atZoom: zoom)
            return Manifest.ZoomSummary(
                zoom: zoom, tiles: figures.tileCount, markers: markers.count, clusters: markers.clusterCount,
                bodyBytes: figures.bodyBytes, storedBytes: figures.storedBytes,
                minimumDistanceUnits: clustering.promisedDistanceUnits(atZoom: zoom))
        }
    }
}
