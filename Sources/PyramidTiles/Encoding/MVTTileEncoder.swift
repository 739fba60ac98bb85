/// Writes a tile as one layer of a Mapbox Vector Tile: the markers as points in their order, keys and values in the order
/// in which they first appear. The same markers give the same bytes everywhere.
///
/// Source: [Mapbox Vector Tile 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1).
public struct MVTTileEncoder: ~Copyable, TileEncoder {
    @usableFromInline var feature: MVTFeature
    @usableFromInline var layer: MVTLayer
    private var output = ByteBuffer(capacity: 1 << 16)

    /// Places are those within the tile.
    public static var isSameAtEveryZoom: Bool { false }

    public var idTypes: PropertyTypes { feature.idTypes }

    public init(_ options: EncodingOptions) {
        feature = MVTFeature(options)
        layer = MVTLayer(options.layer)
    }

    public mutating func begin(_ tile: TileCoordinate) { layer.begin(tile) }

    @inlinable
    public mutating func append<Marker: MarkerView & ~Copyable>(_ marker: inout Marker) {
        if let cluster = marker.cluster {
            feature.begin(cluster)
            marker.visitProperties(&feature)
            feature.end(cluster)
        } else {
            feature.begin()
            marker.withID { feature.add(id: $0) }
            marker.visitProperties(&feature)
        }
        addFeature(at: marker.place)
    }

    @usableFromInline
    mutating func addFeature(at place: WorldPoint) {
        MVTTileEncoder.add(feature, at: place, to: &layer)
    }

    private static func add(_ feature: borrowing MVTFeature, at place: WorldPoint, to layer: inout MVTLayer) {
        feature.record.withUnsafeBytes { layer.append($0, feature.names, at: place) }
    }

    /// Features are kept without their places and independently of the tile, so they can be appended at any zoom.
    public func appendLastFeature(to features: inout ByteBuffer) -> Range<Int> {
        let start = features.count
        features.append(0..<feature.record.count, of: feature.record)
        return start..<features.count
    }

    public mutating func append(feature range: Range<Int>, of features: borrowing ByteBuffer, at place: WorldPoint) {
        MVTTileEncoder.add(range, of: features, feature.names, at: place, to: &layer)
    }

    private static func add(
        _ range: Range<Int>, of features: borrowing ByteBuffer, _ names: borrowing MVTNames, at place: WorldPoint,
        to layer: inout MVTLayer
    ) {
        features.withUnsafeBytes { layer.append(UnsafeRawBufferPointer(rebasing: $0[range]), names, at: place) }
    }

    public mutating func finish() {
        output.removeAll()
        layer.write(to: &output, feature.names)
    }

    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try output.withUnsafeBytes(body)
    }
}
