/// Reads what ``MVTTileEncoder`` writes, by way of GeoJSON.
///
/// It is strict: a tile is one layer of single points, each within the tile, whose keys and values are there. The order of
/// the parts is free, as is the type in which a number is stored.
public enum MVTTileDecoder {
    /// A tile as GeoJSON text, which ``GeoJSONFeatureReader`` can read, and the places that the text can't hold exactly.
    package struct Transcript {
        package let json: [UInt8]
        /// By feature.
        package let places: [WorldPoint]
    }

    /// What becomes of properties in GeoJSON.
    package struct Rules: Sendable {
        /// The property that holds ids; `nil` to leave it among the properties.
        package var idProperty: String?
        /// Properties of clusters whose text becomes the JSON that it is.
        package var nestedProperties: [String] = []
        /// Whether the boxes of clusters become members of their features.
        package var hasBoxes = false

        package init(idProperty: String? = nil, nestedProperties: [String] = [], hasBoxes: Bool = false) {
            self.idProperty = idProperty
            self.nestedProperties = nestedProperties
            self.hasBoxes = hasBoxes
        }

        /// Every property stays what it is.
        package static let none = Rules()
    }

    /// The markers of a tile from its bytes, in O(bytes of their GeoJSON). Places are the nearest coordinates to those in the
    /// tile. A cluster without a box has that of its place if it is coincident, else that of the whole world. Nested values
    /// stay text.
    /// - Parameters:
    ///   - coordinate: the tile's address, which its bytes don't tell.
    ///   - idProperty: the property with the ids that the format has no place for; `nil` if there is none.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected; where the fault is in what a feature says,
    ///   bytes of the tile's GeoJSON are counted.
    public static func decode(
        _ bytes: [UInt8], at coordinate: TileCoordinate, idProperty: String? = nil
    ) throws(TileDecodingError) -> Tile {
        let transcript = try transcript(
            of: bytes, at: coordinate, Rules(idProperty: idProperty, nestedProperties: [], hasBoxes: true))
        return try GeoJSONTileDecoder.decode(transcript.json, at: coordinate, needsBoxes: false)
    }

    /// A tile as GeoJSON.
    /// - Throws: ``TileDecodingError`` at the first byte that is not as expected.
    package static func transcript(
        of bytes: [UInt8], at coordinate: TileCoordinate, _ rules: Rules = .none
    ) throws(TileDecodingError) -> Transcript {
        // The closure of withUnsafeBytes can't throw a typed error in every toolchain, so the result carries it.
        let result: Result<Transcript, TileDecodingError> = bytes.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                var layer = try MVTLayerReader(bytes, at: coordinate, rules)
                return .success(try layer.transcribe())
            } catch {
                return .failure(TileDecodingError(error, in: bytes, isText: false))
            }
        }
        return try result.get()
    }
}

/// Reads protobuf fields (https://protobuf.dev/programming-guides/encoding) from a range of bytes.
private struct ProtobufReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var position: Int
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound, range.upperBound)
    }

    var isAtEnd: Bool { position >= end }

    mutating func readVarint() throws(JSONFault) -> UInt64 {
        let start = position
        let span = UnsafeRawBufferPointer(rebasing: bytes[..<end]).assumingMemoryBound(to: UInt8.self).span
        guard let value = span.varint(at: &position) else {
            throw JSONFault(offset: start, expected: "a number of at most 64 bits")
        }
        return value
    }

    /// The range of a field of bytes.
    mutating func readRange() throws(JSONFault) -> Range<Int> {
        let start = position
        let count = try readVarint()
        guard count <= UInt64(end - position) else {
            throw JSONFault(offset: start, expected: "a length of at most the \(end - position) bytes that follow")
        }
        position += Int(count)
        return position - Int(count)..<position
    }

    mutating func readFixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(JSONFault) -> Number {
        let size = MemoryLayout<Number>.size
        guard end - position >= size else { throw JSONFault(offset: position, expected: "\(size) bytes") }
        position += size
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position - size, as: Number.self))
    }

    /// Takes what precedes a field, which must be one of those expected.
    mutating func readKey(_ expected: String) throws(JSONFault) -> (field: UInt64, type: MVT.WireType, offset: Int) {
        let offset = position
        let key = try readVarint()
        guard let type = MVT.WireType(rawValue: UInt8(key & 7)) else {
            throw JSONFault(offset: offset, expected: expected)
        }
        return (key >> 3, type, offset)
    }
}

/// Reads the only layer of a tile and writes it as GeoJSON.
private struct MVTLayerReader: ~Copyable {
    /// How many features, keys and values a tile may have: 64 Mi.
    private static let partLimit = 1 << 26

    private let bytes: UnsafeRawBufferPointer
    private let tile: TileCoordinate
    private let rules: MVTTileDecoder.Rules
    private var features: [MVTRange] = []
    private var keys: [Key] = []
    private var values: [Value] = []
    /// The JSON of keys and values.
    private var texts = ByteBuffer(capacity: 1 << 12)

    private var json = ByteBuffer(capacity: 1 << 14)
    private var places: [WorldPoint] = []
    private var properties = ByteBuffer(capacity: 1 << 10)

    /// A range of bytes in eight: files are smaller than 4 GiB.
    private struct MVTRange {
        private let start, end: UInt32

        init(_ range: Range<Int>) { (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound)) }

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    private struct Key {
        enum Role { case id, box, cluster, nested, other }

        /// With quotes and colon.
        let json: MVTRange
        let role: Role
    }

    private struct Value {
        let json: MVTRange
        /// The text in the tile; `nil` for other values.
        let text: MVTRange?
    }

    init(
        _ bytes: UnsafeRawBufferPointer, at tile: TileCoordinate, _ rules: MVTTileDecoder.Rules
    ) throws(JSONFault) {
        self.bytes = bytes
        self.tile = tile
        self.rules = rules
        guard bytes.count <= TileStorage.tileLimitBytes else {
            throw JSONFault(offset: TileStorage.tileLimitBytes, expected: "the end")
        }
        var reader = ProtobufReader(bytes, in: 0..<bytes.count)
        let (field, type, offset) = try reader.readKey("a layer")
        guard field == 3, type == .bytes else { throw JSONFault(offset: offset, expected: "a layer") }
        let range = try reader.readRange()
        guard reader.isAtEnd else { throw JSONFault(offset: reader.position, expected: "the end after the only layer") }
        try readLayer(ProtobufReader(bytes, in: range))
    }

    private mutating func readLayer(_ layer: ProtobufReader) throws(JSONFault) {
        var layer = layer
        let start = layer.position
        var (hasVersion, hasName, hasExtent) = (false, false, false)
        while !layer.isAtEnd {
            let (field, type, offset) = try layer.readKey("a part of a layer")
            switch (field, type) {
            case (15, .varint) where !hasVersion:
                guard try layer.readVarint() == 2 else { throw JSONFault(offset: offset, expected: "version 2") }
                hasVersion = true
            case (1, .bytes) where !hasName:
                let name = try layer.readRange()
                guard bytes[name].elementsEqual(TileJSON.layerName.utf8) else {
                    throw JSONFault(offset: name.lowerBound, expected: "the layer \(TileJSON.layerName)")
                }
                hasName = true
            case (5, .varint) where !hasExtent:
                guard try layer.readVarint() == UInt64(MVT.extent) else {
                    throw JSONFault(offset: offset, expected: "an extent of \(MVT.extent)")
                }
                hasExtent = true
            case (2, .bytes): features.append(MVTRange(try layer.readRange()))
            case (3, .bytes): try addKey(try layer.readRange())
            case (4, .bytes): try addValue(ProtobufReader(bytes, in: try layer.readRange()))
            default:
                throw JSONFault(
                    offset: offset,
                    expected: "a feature, a key or a value, or the version, the name or the extent, each once")
            }
            // A part takes more memory than the two bytes that it may have.
            guard features.count + keys.count + values.count <= MVTLayerReader.partLimit else {
                throw JSONFault(
                    offset: offset, expected: "at most \(MVTLayerReader.partLimit) features, keys and values")
            }
        }
        guard hasVersion, hasName, hasExtent else {
            throw JSONFault(offset: start, expected: "a layer with version, name and extent")
        }
    }

    private func checkUTF8(_ range: Range<Int>) throws(JSONFault) {
        if let offset = bytes.assumingMemoryBound(to: UInt8.self).span.firstInvalidUTF8(in: range) {
            throw JSONFault(offset: offset, expected: "valid UTF-8")
        }
    }

    /// What was appended to ``texts`` for the part at an offset. JSON can take six times the bytes.
    private func textRange(from start: Int, of offset: Int) throws(JSONFault) -> MVTRange {
        guard texts.count <= TileStorage.tileLimitBytes else {
            throw JSONFault(
                offset: offset, expected: "keys and values of at most \(TileStorage.tileLimitBytes) bytes of JSON")
        }
        return MVTRange(start..<texts.count)
    }

    private mutating func addKey(_ range: Range<Int>) throws(JSONFault) {
        try checkUTF8(range)
        let start = texts.count
        texts.append(quoted: UnsafeRawBufferPointer(rebasing: bytes[range]))
        texts.append(UInt8(ascii: ":"))
        let isName = { [bytes] (name: String) in bytes[range].elementsEqual(name.utf8) }
        let role: Key.Role =
            if rules.idProperty.map(isName) ?? false {
                .id
            } else if rules.hasBoxes, isName(MVTProperty.boundingBox.rawValue) {
                .box
            } else if isName(Cluster.PropertyName.cluster.rawValue) {
                .cluster
            } else {
                rules.nestedProperties.contains(where: isName) ? .nested : .other
            }
        keys.append(Key(json: try textRange(from: start, of: range.lowerBound), role: role))
    }

    private mutating func addValue(_ value: ProtobufReader) throws(JSONFault) {
        var value = value
        let start = texts.count
        var text: Range<Int>?
        let (field, type, offset) = try value.readKey("a value")
        switch (field, type) {
        case (1, .bytes):
            let range = try value.readRange()
            try checkUTF8(range)
            texts.append(quoted: UnsafeRawBufferPointer(rebasing: bytes[range]))
            text = range
        case (2, .fourBytes): try append(Double(Float(bitPattern: try value.readFixed(UInt32.self))), at: offset)
        case (3, .eightBytes): try append(Double(bitPattern: try value.readFixed(UInt64.self)), at: offset)
        case (4, .varint): texts.append(integer: Int(Int64(bitPattern: try value.readVarint())))
        case (5, .varint): texts.append(unsigned: try value.readVarint())
        case (6, .varint):
            let bits = try value.readVarint()
            texts.append(integer: Int(Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)))
        case (7, .varint):
            let bit = try value.readVarint()
            guard bit <= 1 else { throw JSONFault(offset: offset, expected: "true or false") }
            texts.append(bit == 1 ? "true" : "false" as StaticString)
        default: throw JSONFault(offset: offset, expected: "a text, a number or a boolean")
        }
        guard value.isAtEnd else { throw JSONFault(offset: value.position, expected: "the end of a value") }
        values.append(Value(json: try textRange(from: start, of: offset), text: text.map { MVTRange($0) }))
    }

    private mutating func append(_ number: Double, at offset: Int) throws(JSONFault) {
        guard number.isFinite else { throw JSONFault(offset: offset, expected: "a number of JSON") }
        var text = number.description
        text.withUTF8 { texts.append(UnsafeRawBufferPointer($0)) }
    }

    mutating func transcribe() throws(JSONFault) -> MVTTileDecoder.Transcript {
        json.append(GeoJSONTileEncoder.start)
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
        json.append("]}")
        return MVTTileDecoder.Transcript(json: json.withUnsafeBytes { Array($0) }, places: places)
    }

    /// What is read of a feature before it can be written.
    private struct Fields {
        var id: UInt64?
        var tags, geometry: Range<Int>?
        var hasType = false
        /// The values of properties that become members of the feature.
        var idValue, box: Value?
        var isCluster = false
    }

    private mutating func transcribe(_ range: Range<Int>) throws(JSONFault) {
        var fields = Fields()
        var feature = ProtobufReader(bytes, in: range)
        while !feature.isAtEnd {
            let (field, type, offset) = try feature.readKey("a part of a feature")
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
        let place = try readPlace(geometry)
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
        if let box = fields.box {
            json.append(#","bbox":"#)
            json.append(try nested(box))
        }
        json.append(#","geometry":"#)
        json.append(geometryAt: WebMercator.unproject(place))
        json.append(#","properties":{"#)
        json.append(0..<properties.count, of: properties)
        json.append("}}")
    }

    private func readPlace(_ range: Range<Int>) throws(JSONFault) -> WorldPoint {
        var geometry = ProtobufReader(bytes, in: range)
        guard !geometry.isAtEnd, try geometry.readVarint() == 1 << 3 | 1 else {
            throw JSONFault(offset: range.lowerBound, expected: "a command that moves to one place")
        }
        // Signs are in the lowest bits.
        let x = try geometry.readVarint()
        let y = try geometry.readVarint()
        guard geometry.isAtEnd, (x | y) & 1 == 0, max(x, y) >> 1 < UInt64(MVT.extent) else {
            throw JSONFault(offset: range.lowerBound, expected: "one place in the tile")
        }
        return WorldPoint(
            x: MVTPlace.worldCoordinate(ofUnit: UInt32(x >> 1), in: tile.x, atZoom: tile.z),
            y: MVTPlace.worldCoordinate(ofUnit: UInt32(y >> 1), in: tile.y, atZoom: tile.z))
    }

    /// Writes ``properties``, and keeps what becomes a member of the feature.
    private mutating func readTags(_ range: Range<Int>, _ fields: inout Fields) throws(JSONFault) {
        properties.removeAll()
        var tags = ProtobufReader(bytes, in: range)
        // What some properties mean depends on whether the feature is a cluster.
        while !tags.isAtEnd, !fields.isCluster {
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
            case .box where fields.isCluster && fields.box == nil && value.text != nil: fields.box = value
            case .nested where fields.isCluster && value.text != nil:
                beginProperty(key)
                properties.append(try nested(value))
            default: append(key, value)
            }
            // The same values again and again can make more than a tile may have.
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
        properties.append(key.json.range, of: texts)
    }

    private mutating func append(_ key: Key, _ value: Value) {
        beginProperty(key)
        properties.append(value.json.range, of: texts)
    }

    /// The JSON in a text.
    private func nested(_ value: Value) throws(JSONFault) -> UnsafeRawBufferPointer {
        guard let range = value.text?.range else { preconditionFailure("a nested value that is no text") }
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
