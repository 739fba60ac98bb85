import Foundation

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidTiles

/// A readable tile is JSON, and its content survives being written again and being indented. A readable bundle is JSON, and
/// the tiles that are made of it show what it holds.
func checkTile(_ bytes: UnsafeRawBufferPointer) {
    let body = [UInt8](bytes)
    checkBundle(body)
    guard let tile = decoded(body) else { return }
    require((try? JSONSerialization.jsonObject(with: Data(body))) != nil, "a tile is no JSON")
    require(decoded(JSONIndenter.indented(body)) == tile, "a tile that is laid out is another")
    let encoded = encoded(tile)
    require(decoded(encoded) == tile, "a tile comes back as another: \(String(decoding: encoded, as: UTF8.self))")
}

private func checkBundle(_ body: [UInt8]) {
    let maxZoom = 3
    guard let records = try? GeoJSONTileDecoder.decodeBundle(body, zooms: 0...maxZoom) else { return }
    require((try? JSONSerialization.jsonObject(with: Data(body))) != nil, "a bundle is no JSON")
    for record in records.prefix(4) {
        for zoom in 0...maxZoom {
            let tile = TileCoordinate(containing: WebMercator.project(record.marker.coordinate), atZoom: zoom)
            let expected = records.filter {
                $0.zooms.contains(zoom) && tile.contains(WebMercator.project($0.marker.coordinate))
            }
            do {
                let made = try BundleExpansion.tile(tile, from: body, of: world, maxZoom: maxZoom)
                let markers = try made.map { try GeoJSONTileDecoder.decode($0, at: tile).markers } ?? []
                // A tile has a parent among the properties, a bundle beside them.
                let shown = expected.map { $0.marker.withParentOfProperties() }
                require(markers == shown, "a tile of a bundle shows something else")
            } catch {
                fatalError("a bundle can't be expanded: \(error)")
            }
        }
    }
}

/// A readable MVT tile is JSON, and its markers are in the tile.
func checkVectorTile(_ bytes: UnsafeRawBufferPointer) {
    let body = [UInt8](bytes)
    let address = TileCoordinate(containing: WorldPoint(x: 0x9000_0000, y: 0x5000_0000), atZoom: 3)
    guard let tile = try? MVTTileDecoder.decode(body, at: address, idProperty: "id") else { return }
    guard let transcript = try? MVTTileDecoder.transcript(of: body, at: address) else {
        fatalError("a tile that is readable by one rule isn't by another")
    }
    require((try? JSONSerialization.jsonObject(with: Data(transcript.json))) != nil, "a tile is no JSON")
    require(transcript.places.count == tile.markers.count, "a marker without a place")
    require(transcript.places.allSatisfy(address.contains), "a marker is outside its tile")
}

private func decoded(_ body: [UInt8]) -> Tile? {
    try? GeoJSONTileDecoder.decode(body, at: world)
}

private func encoded(_ tile: Tile) -> [UInt8] {
    var encoder = GeoJSONTileEncoder()
    encoder.begin()
    for marker in tile.markers {
        var written = WrittenMarker(marker: marker)
        encoder.append(&written)
    }
    encoder.finish()
    return encoder.withUnsafeBytes { [UInt8]($0) }
}

private struct WrittenMarker: MarkerView {
    let marker: Marker

    var coordinate: Coordinate { marker.coordinate }
    var place: WorldPoint { WebMercator.project(coordinate) }

    var cluster: ClusterFields? {
        guard case .cluster(let cluster) = marker else { return nil }
        return ClusterFields(
            id: cluster.id, boundingBox: cluster.boundingBox, pointCount: cluster.pointCount,
            expansionZoom: cluster.expansionZoom)
    }

    func withID(_ body: (PropertyView?) -> Void) {
        guard case .point(let feature) = marker, let id = feature.id else { return body(nil) }
        [UInt8](id.json.utf8).withUnsafeBytes { body(.json($0)) }
    }

    func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
        let properties =
            switch marker {
            case .point(let feature): feature.properties
            case .cluster(let cluster): cluster.properties
            }
        for (name, value) in properties {
            let json = [UInt8](value.json.utf8)
            json.withUnsafeBytes { visitor.visit([UInt8]("\(quoted(name)):".utf8), .json($0)) }
        }
    }
}

private func quoted(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(quoted: text)
    return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

extension PropertyValue {
    fileprivate var json: String {
        switch self {
        case .string(let text): quoted(text)
        case .number(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .null: "null"
        case .array(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .object(let values):
            "{\(values.map { "\(quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }
}
