import PyramidStore
import PyramidTiles

/// How much larger a tileset would be with one more zoom.
public struct NextZoomCost: Equatable, Sendable {
    public let zoom: Int
    public let tileCount: Int
    /// An estimate of the stored bytes: the two last zooms tell what a tile takes, and a marker.
    public let byteCount: Int

    /// - Parameters:
    ///   - zooms: of the tileset.
    ///   - clusteredMarkerCount: how many markers its last zoom would have.
    ///   - storedShare: the share of the zooms' bytes that is stored; less than 1 if equal tiles are stored once.
    init?(after zooms: [Manifest.ZoomSummary], tileCount: Int, clusteredMarkerCount: Int, storedShare: Double = 1) {
        guard let last = zooms.last, last.tiles > 0 else { return nil }
        (zoom, self.tileCount) = (last.zoom + 1, tileCount)
        var (tileBytes, markerBytes) = (Double(last.storedBytes) / Double(last.tiles), 0.0)
        if let before = zooms.dropLast().last {
            let (tiles, markers) = (Double(before.tiles), Double(before.markers))
            let (lastTiles, lastMarkers) = (Double(last.tiles), Double(last.markers))
            let (bytes, lastBytes) = (Double(before.storedBytes), Double(last.storedBytes))
            let determinant = tiles * lastMarkers - lastTiles * markers
            let solution = (
                (bytes * lastMarkers - lastBytes * markers) / determinant,
                (tiles * lastBytes - lastTiles * bytes) / determinant
            )
            if determinant != 0, solution.0 > 0, solution.1 > 0 { (tileBytes, markerBytes) = solution }
        }
        let bytes = tileBytes * Double(tileCount) + markerBytes * Double(clusteredMarkerCount)
        byteCount = Int(bytes * storedShare)
    }
}

extension BuildReport {
    /// What one more zoom than the chosen one would cost; `nil` if the max zoom was given or tiles are bundled.
    public var nextZoomCost: NextZoomCost? {
        guard let next = maxZoomChoice?.nextZoom else { return nil }
        let sections = ArchiveSection.allCases.compactMap { manifest.files[$0.rawValue]?.bytes }
        let listedBytes = manifest.zooms.reduce(0) { $0 + $1.storedBytes }
        return NextZoomCost(
            after: manifest.zooms, tileCount: next.tileCount, clusteredMarkerCount: next.clusteredMarkerCount,
            storedShare: sections.isEmpty ? 1 : Double(sections.reduce(0, +)) / Double(max(listedBytes, 1)))
    }
}
