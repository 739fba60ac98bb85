import PyramidTiles

extension [Marker] {
    /// The JSON of a tile with these markers in their order.
    package func encodedTile() -> [UInt8] {
        var encoder = GeoJSONTileEncoder()
        encoder.begin()
        for marker in self {
            switch marker {
            case .cluster(let cluster):
                encoder.beginCluster(
                    id: cluster.id, at: cluster.coordinate, boundingBox: cluster.boundingBox,
                    pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom)
                encoder.append(cluster.properties)
            case .point(let feature):
                feature.id.scalarText { id in encoder.beginPoint(at: feature.coordinate, id: id) }
                encoder.append(feature.properties)
            }
            encoder.endFeature()
        }
        encoder.end()
        return encoder.withUnsafeBytes { [UInt8]($0) }
    }
}

extension GeoJSONTileEncoder {
    fileprivate mutating func append(_ properties: [String: PropertyValue]) {
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            var quotedName = ByteBuffer()
            quotedName.append(quoted: name)
            quotedName.append(UInt8(ascii: ":"))
            let nameBytes = quotedName.withUnsafeBytes { [UInt8]($0) }
            Optional(value).scalarText { text in
                guard let text else { return }
                append(quotedName: nameBytes, text: text.text, isNumber: text.isNumber)
            }
        }
    }
}

extension PropertyValue? {
    /// The text of a string, of a number or of a truth value.
    fileprivate func scalarText(_ body: ((text: UnsafeRawBufferPointer, isNumber: Bool)?) -> Void) {
        switch self {
        case .string(let text): [UInt8](text.utf8).withUnsafeBytes { body(($0, false)) }
        case .number(let number):
            let text = Int(exactly: number).map { String($0) } ?? String(number)
            [UInt8](text.utf8).withUnsafeBytes { body(($0, true)) }
        case .bool(let value): [UInt8]("\(value)".utf8).withUnsafeBytes { body(($0, true)) }
        default: body(nil)
        }
    }
}

extension [UInt8] {
    package func gzipped() -> [UInt8] {
        var buffer = ByteBuffer()
        withUnsafeBytes { GzipCompressor(level: 6).compress($0, into: &buffer) }
        return buffer.withUnsafeBytes { [UInt8]($0) }
    }
}

extension String {
    package func replacingFirst(_ text: String, _ other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
