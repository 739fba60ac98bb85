import PyramidBuild
import PyramidInput
import PyramidStore
import PyramidTiles

extension [Marker] {
    /// The JSON of a tile with these markers in their order.
    package func encodedTile() -> [UInt8] {
        var encoder = GeoJSONTileEncoder()
        encoder.begin()
        for marker in self {
            var view = EncodedMarker(marker)
            encoder.append(&view)
        }
        encoder.finish()
        return encoder.withUnsafeBytes { [UInt8]($0) }
    }
}

extension [Marker] {
    /// The bytes of an MVT tile with these markers in their order.
    package func encodedTile(at tile: TileCoordinate, _ storage: TileStorage) -> [UInt8] {
        var encoder = MVTTileEncoder(EncodingOptions(layer: storage.layer))
        encoder.begin(tile)
        for marker in self {
            var view = EncodedMarker(marker)
            encoder.append(&view)
        }
        encoder.finish()
        return encoder.withUnsafeBytes { [UInt8]($0) }
    }
}

extension Marker {
    package var cluster: Cluster? { if case .cluster(let cluster) = self { cluster } else { nil } }
    package var point: Feature? { if case .point(let point) = self { point } else { nil } }
}

extension Cluster {
    package func with(
        id: UInt64? = nil, coordinate: Coordinate? = nil, boundingBox: BoundingBox? = nil, pointCount: Int? = nil,
        expansionZoom: Int?? = nil, properties: [String: PropertyValue]? = nil
    ) -> Cluster {
        Cluster(
            id: id ?? self.id, coordinate: coordinate ?? self.coordinate, boundingBox: boundingBox ?? self.boundingBox,
            pointCount: pointCount ?? self.pointCount, expansionZoom: expansionZoom ?? self.expansionZoom,
            properties: properties ?? self.properties)
    }
}

/// A marker with its properties by their names; numbers are written as they are read.
package struct EncodedMarker: MarkerView {
    private let marker: Marker

    package init(_ marker: Marker) { self.marker = marker }

    package var coordinate: Coordinate { marker.coordinate }

    package var cluster: ClusterFields? {
        marker.cluster.map {
            ClusterFields(
                id: $0.id, boundingBox: $0.boundingBox, pointCount: $0.pointCount, expansionZoom: $0.expansionZoom)
        }
    }

    package func withID(_ body: (PropertyView?) -> Void) {
        guard let id = marker.point?.id else { return body(nil) }
        id.withView(body)
    }

    package func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
        for (name, value) in marker.properties.sorted(by: { $0.key < $1.key }) {
            var quotedName = ByteBuffer()
            quotedName.append(quoted: name)
            quotedName.append(UInt8(ascii: ":"))
            quotedName.withUnsafeBytes { name in value.withView { visitor.visit(name, $0) } }
        }
    }
}

extension PropertyValue {
    fileprivate func withView(_ body: (PropertyView) -> Void) {
        switch self {
        case .string(let text): [UInt8](text.utf8).withUnsafeBytes { body(.text($0)) }
        case .number(let number):
            let text = Int(exactly: number).map { String($0) } ?? String(number)
            [UInt8](text.utf8).withUnsafeBytes { body(.number($0)) }
        case .bool(let value): body(.bool(value))
        default: preconditionFailure("a nested value")
        }
    }
}

extension [UInt8] {
    package func gzipped(level: Int = 6) -> [UInt8] {
        var buffer = ByteBuffer()
        withUnsafeBytes { GzipCompressor(level: level).compress($0, into: &buffer) }
        return buffer.withUnsafeBytes { [UInt8]($0) }
    }
}

extension String {
    package func replacingFirst(_ text: String, _ other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
