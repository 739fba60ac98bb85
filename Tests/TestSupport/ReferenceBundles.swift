import PyramidBuild
import PyramidTiles

/// The files of a bundled tileset by their definition, from the markers of every zoom: slow, and independent of the
/// builder's way.
package struct ReferenceBundles {
    /// A marker, and the consecutive zooms at which it is the same.
    package struct Record: Hashable {
        package var marker: Marker
        package var zooms: ClosedRange<Int>

        package init(_ marker: Marker, at zooms: ClosedRange<Int>) {
            self.marker = marker
            self.zooms = zooms
        }
    }

    /// The tiles that have a file of their own.
    package var tiles: [TileCoordinate: [Marker]] = [:]
    package var bundles: [TileCoordinate: [Record]] = [:]
    /// The parents that the first records of bundles state; no others state one.
    package var firstParents: [TileCoordinate: BundleParent] = [:]
    private let maxZoom: Int

    /// - Parameter tiles: the markers of every tile.
    package init(of all: [TileCoordinate: [Marker]], limit: Int, maxZoom: Int) {
        self.maxZoom = maxZoom
        for tile in all.keys.sorted() {
            let above = (0..<tile.z).compactMap { tile.ancestor(atZoom: $0) }
            guard !above.contains(where: { bundles[$0] != nil }) else { continue }
            let records = ReferenceBundles.records(in: tile, of: all, maxZoom: maxZoom)
            if tile.z == maxZoom || records.count <= limit { bundles[tile] = records } else { tiles[tile] = all[tile] }
        }
    }

    /// What is shown in a tile and below it.
    package static func records(
        in tile: TileCoordinate, of all: [TileCoordinate: [Marker]], maxZoom: Int
    ) -> [Record] {
        var done: [Record] = []
        var current: [Record] = []
        for zoom in tile.z...maxZoom {
            var shown: [Marker] = []
            for (other, markers) in all where other.z == zoom && other.ancestor(atZoom: tile.z) == tile {
                shown += markers
            }
            var next: [Record] = []
            for record in current {
                if let index = shown.firstIndex(of: record.marker) {
                    shown.remove(at: index)
                    next.append(Record(record.marker, at: record.zooms.lowerBound...zoom))
                } else {
                    done.append(record)
                }
            }
            current = next + shown.map { Record($0, at: zoom...zoom) }
        }
        return done + current
    }

    /// The JSON of a bundle, its records in the order of place and first zoom.
    package func body(of bundle: TileCoordinate) -> [UInt8] {
        func order(_ record: Record) -> (UInt64, Int) {
            (MortonCode(WebMercator.project(record.marker.coordinate)).rawValue, record.zooms.lowerBound)
        }
        var encoder = GeoJSONTileEncoder()
        encoder.begin()
        let records = (bundles[bundle] ?? []).sorted { order($0) < order($1) }
        for (index, record) in records.enumerated() {
            encoder.record = RecordMembers(
                firstZoom: record.zooms.lowerBound == bundle.z ? nil : record.zooms.lowerBound,
                lastZoom: record.zooms.upperBound == maxZoom ? nil : record.zooms.upperBound,
                parent: index == 0 ? firstParents[bundle] : nil)
            var view = EncodedMarker(record.marker)
            encoder.append(&view)
        }
        encoder.finish()
        return encoder.withUnsafeBytes { [UInt8]($0) }
    }
}
