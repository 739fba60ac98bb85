/// The features, once the keys and values are read.
extension MVTLayerReader {
    /// Writes the features of the layer that was read.
    mutating func transcribe() throws(JSONFault) -> MVTTranscript {
        json.append(GeoJSON.start)
        places.reserveCapacity(features.count)
        for (index, feature) in features.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            try transcribe(feature.range)
            guard json.count <= TileStorage.tileLimitBytes else {
                throw JSONFault(
                    offset: feature.range.lowerBound,
                    expected: "a tile whose GeoJSON has at most \(TileStorage.tileLimitBytes) bytes")
            }
        }
        json.append(GeoJSON.end)
        return MVTTranscript(json: json.withUnsafeBytes { Array($0) }, places: places)
    }

    /// What is read of a feature before it can be written.
    private struct Fields {
        var id: UInt64?
        var tags, geometry: Range<Int>?
        var hasType = false
        /// The value of the property that becomes a member of the feature.
        var idValue: Value?
        var isCluster = false
    }

    private mutating func transcribe(_ range: Range<Int>) throws(JSONFault) {
        var fields = Fields()
        var feature = ProtobufReader(bytes, in: range)
        while !feature.isAtEnd {
            let (field, type, offset) = try feature.readKey("a field of a feature")
            switch (field, type) {
            case (1, .varint) where fields.id == nil: fields.id = try feature.readVarint()
            case (2, .bytes) where fields.tags == nil: fields.tags = try feature.readRange()
            case (3, .varint) where !fields.hasType:
                guard try feature.readVarint() == 1 else { throw JSONFault(offset: offset, expected: "a point") }
                fields.hasType = true
            case (4, .bytes) where fields.geometry == nil: fields.geometry = try feature.readRange()
            default:
                throw JSONFault(offset: offset, expected: "an id, tags, a type and a geometry, each once")
            }
        }
        guard fields.hasType, let geometry = fields.geometry else {
            throw JSONFault(offset: range.lowerBound, expected: "a feature with type and geometry")
        }
        feature = ProtobufReader(bytes, in: geometry)
        let place = try feature.readPlace(in: tile)
        try readTags(fields.tags ?? range.upperBound..<range.upperBound, &fields)

        places.append(place)
        json.append(#"{"type":"Feature""#)
        if let id = fields.id {
            json.append(#","id":"#)
            json.append(unsigned: id)
        } else if let id = fields.idValue {
            json.append(#","id":"#)
            json.append(id.json.range, of: texts)
        }
        if rules.hasGeometries {
            json.append(#","geometry":"#)
            json.append(geometryAt: WebMercator.unproject(place))
        }
        json.append(#","properties":{"#)
        json.append(0..<properties.count, of: properties)
        json.append("}}")
    }

    /// Writes ``properties``, and keeps the id.
    private mutating func readTags(_ range: Range<Int>, _ fields: inout Fields) throws(JSONFault) {
        properties.removeAll()
        var tags = ProtobufReader(bytes, in: range)
        // What some properties mean depends on whether the feature is a cluster.
        while !rules.nestedProperties.isEmpty, !tags.isAtEnd, !fields.isCluster {
            let (key, value) = try readTag(&tags)
            fields.isCluster =
                key.role == .cluster && texts.withUnsafeBytes { $0[value.json.range].elementsEqual("true".utf8) }
        }
        tags = ProtobufReader(bytes, in: range)
        while !tags.isAtEnd {
            let offset = tags.position
            let (key, value) = try readTag(&tags)
            switch key.role {
            case .id where fields.id == nil && fields.idValue == nil: fields.idValue = value
            case .nested where fields.isCluster && value.text != nil:
                beginProperty(key)
                properties.append(try nested(value))
            default: append(key, value)
            }
            // Tags that refer to the same long values again and again can exceed the limit of a tile.
            guard properties.count <= TileStorage.tileLimitBytes else {
                throw JSONFault(offset: offset, expected: "at most \(TileStorage.tileLimitBytes) bytes of properties")
            }
        }
    }

    private func readTag(_ tags: inout ProtobufReader) throws(JSONFault) -> (key: Key, value: Value) {
        let offset = tags.position
        let key = try tags.readVarint()
        guard !tags.isAtEnd else { throw JSONFault(offset: offset, expected: "pairs of tags") }
        let value = try tags.readVarint()
        guard key < keys.count, value < values.count else {
            throw JSONFault(offset: offset, expected: "one of \(keys.count) keys and one of \(values.count) values")
        }
        return (keys[Int(key)], values[Int(value)])
    }

    private mutating func beginProperty(_ key: Key) {
        if properties.count > 0 { properties.append(UInt8(ascii: ",")) }
        properties.append(key.json.range, of: names)
    }

    private mutating func append(_ key: Key, _ value: Value) {
        beginProperty(key)
        properties.append(value.json.range, of: texts)
    }

    /// The text of a value, checked to be JSON.
    private func nested(_ value: Value) throws(JSONFault) -> UnsafeRawBufferPointer {
        guard let range = value.text?.range else { preconditionFailure("a nested value that is not text") }
        let text = UnsafeRawBufferPointer(rebasing: bytes[range])
        var reader = JSONReader(text)
        do throws(JSONFault) {
            _ = try reader.readValue(isKept: false)
            try reader.expectEnd()
        } catch {
            throw JSONFault(offset: range.lowerBound + error.offset, expected: "JSON text, with \(error.expected)")
        }
        return text
    }
}
