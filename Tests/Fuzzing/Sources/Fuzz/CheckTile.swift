import Foundation

@testable import PyramidTiles

/// A tile that can be read is JSON, and what it says survives being written and laid out again.
func checkTile(_ bytes: UnsafeRawBufferPointer) {
    let body = [UInt8](bytes)
    guard let tile = decoded(body) else { return }
    require((try? JSONSerialization.jsonObject(with: Data(body))) != nil, "a tile is no JSON")
    require(decoded(JSONIndenter.indented(body)) == tile, "a tile that is laid out is another")
    let encoded = encoded(tile)
    require(decoded(encoded) == tile, "a tile comes back as another: \(String(decoding: encoded, as: UTF8.self))")
}

private func decoded(_ body: [UInt8]) -> Tile? {
    try? GeoJSONTileDecoder.decode(body, at: world)
}

private func encoded(_ tile: Tile) -> [UInt8] {
    var encoder = GeoJSONTileEncoder()
    encoder.begin()
    for marker in tile.markers {
        switch marker {
        case .point(let feature):
            let id = feature.id.map { [UInt8]($0.json.utf8) }
            let isNumber = if case .number = feature.id { true } else { false }
            if case .string(let text) = feature.id {
                [UInt8](text.utf8).withUnsafeBytes { encoder.beginPoint(at: feature.coordinate, id: ($0, false)) }
            } else if let id, isNumber {
                id.withUnsafeBytes { encoder.beginPoint(at: feature.coordinate, id: ($0, true)) }
            } else {
                encoder.beginPoint(at: feature.coordinate)
            }
            append(feature.properties, to: &encoder)
        case .cluster(let cluster):
            encoder.beginCluster(
                id: cluster.id, at: cluster.coordinate, boundingBox: cluster.boundingBox,
                pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom)
            append(cluster.properties, to: &encoder)
        }
        encoder.endFeature()
    }
    encoder.end()
    return encoder.withUnsafeBytes { [UInt8]($0) }
}

private func append(_ properties: [String: PropertyValue], to encoder: inout GeoJSONTileEncoder) {
    for (name, value) in properties {
        let json = [UInt8](value.json.utf8)
        json.withUnsafeBytes { encoder.append(quotedName: [UInt8]("\(quoted(name)):".utf8), json: $0) }
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
