import PyramidTiles

/// Writes a tile as one layer of a Mapbox Vector Tile: the markers as points in their order, keys and values in the order
/// in which they first appear. The same markers give the same bytes everywhere.
///
/// Source: [Mapbox Vector Tile 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1).
package struct MVTTileEncoder: ~Copyable, TileEncoder {
    private var feature: MVTFeature
    private var layer: MVTLayer
    private var output = ByteBuffer(capacity: 1 << 16)

    /// Places are relative to the tile, so the same markers have other bytes in another tile.
    package static var isSameAtEveryZoom: Bool { false }

    package var idTypes: ValueKinds { feature.idTypes }

    package init(_ options: EncodingOptions) {
        feature = MVTFeature(options)
        layer = MVTLayer(options.layer)
    }

    package mutating func begin(_ tile: TileCoordinate) { layer.begin(tile) }

    package mutating func append<Marker: MarkerView & ~Copyable>(_ marker: inout Marker) {
        if let cluster = marker.cluster {
            feature.begin(cluster)
            marker.visitProperties(&feature)
        } else {
            feature.begin()
            marker.withID { feature.add(id: $0) }
            marker.visitProperties(&feature)
        }
        MVTTileEncoder.add(0..<feature.record.count, of: feature.record, feature, at: marker.place, to: &layer)
    }

    package mutating func set(parent: UInt64) { feature.set(parent: parent) }

    /// Forgets the names of properties if there are many, such as the counts of a column's values.
    package mutating func forgetFeatures() { feature.forgetNames() }

    /// Features are kept without their places and without references to the tile, so they can be appended at any zoom.
    package func appendLastFeature(to features: inout ByteBuffer) -> Range<Int> {
        let start = features.count
        features.append(0..<feature.record.count, of: feature.record)
        return start..<features.count
    }

    package mutating func append(feature range: Range<Int>, of features: borrowing ByteBuffer, at place: WorldPoint) {
        MVTTileEncoder.add(range, of: features, feature, at: place, to: &layer)
    }

    private static func add(
        _ range: Range<Int>, of features: borrowing ByteBuffer, _ feature: borrowing MVTFeature, at place: WorldPoint,
        to layer: inout MVTLayer
    ) {
        features.withUnsafeBytes { features in
            feature.parentProperty.withUnsafeBytes { parent in
                let record = UnsafeRawBufferPointer(rebasing: features[range])
                layer.append(record, parent, feature.names, at: place)
            }
        }
    }

    package mutating func finish() {
        output.removeAll()
        layer.write(to: &output, feature.names)
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try output.withUnsafeBytes(body)
    }
}
