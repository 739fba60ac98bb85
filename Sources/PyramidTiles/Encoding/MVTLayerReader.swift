/// Reads the only layer of a tile and writes it as GeoJSON, tile after tile.
struct MVTLayerReader: ~Copyable {
    /// How many features, keys and values a tile may have: 64 Mi.
    private static let fieldLimit = 1 << 26

    let rules: MVTTranscript.Rules
    /// Those of the tile that is being read.
    private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var tile = TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 0)
    var features: [MVTRange] = []
    var keys: [Key] = []
    var values: [Value] = []
    /// The JSON of values.
    var texts = ByteBuffer(capacity: 1 << 12)
    /// The JSON of keys, first of the known ones.
    var names = ByteBuffer(capacity: 1 << 12)
    /// Keys of earlier tiles, none of them with escapes in its JSON.
    private var known: [Key] = []
    private var knownBytes: Int { known.last?.json.range.upperBound ?? 0 }
    private static let knownLimitBytes = 1 << 12
    /// A guess at the next known key: most tiles have the same keys in the same order.
    private var nextKnown = 0

    var json = ByteBuffer(capacity: 1 << 14)
    var places: [WorldPoint] = []
    var properties = ByteBuffer(capacity: 1 << 10)

    /// A range in eight bytes. 32 bits are enough, because files and texts are limited to 1 GiB.
    struct MVTRange {
        private let start, end: UInt32

        init(_ range: Range<Int>) { (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound)) }

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    struct Key {
        enum Role { case id, cluster, nested, other }

        /// With quotes and colon.
        let json: MVTRange
        let role: Role
    }

    struct Value {
        let json: MVTRange
        /// The text in the tile; `nil` for other values.
        let text: MVTRange?
    }

    init(_ rules: MVTTranscript.Rules) { self.rules = rules }

    /// Reads a tile.
    mutating func transcribe(
        _ bytes: UnsafeRawBufferPointer, at tile: TileCoordinate
    ) throws(JSONFault) -> MVTTranscript {
        (self.bytes, self.tile) = (bytes, tile)
        features.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        texts.removeAll()
        names.removeLast(names.count - knownBytes)
        json.removeAll()
        places = []
        guard bytes.count <= TileStorage.tileLimitBytes else {
            throw JSONFault(offset: TileStorage.tileLimitBytes, expected: "the end")
        }
        var reader = ProtobufReader(bytes, in: 0..<bytes.count)
        let (field, type, offset) = try reader.readKey("a layer")
        guard field == 3, type == .bytes else { throw JSONFault(offset: offset, expected: "a layer") }
        let range = try reader.readRange()
        guard reader.isAtEnd else { throw JSONFault(offset: reader.position, expected: "the end after the only layer") }
        try readLayer(ProtobufReader(bytes, in: range))
        return try transcribe()
    }

    private mutating func readLayer(_ layer: ProtobufReader) throws(JSONFault) {
        var layer = layer
        let start = layer.position
        var (hasVersion, hasName, hasExtent) = (false, false, false)
        while !layer.isAtEnd {
            let (field, type, offset) = try layer.readKey("a field of a layer")
            switch (field, type) {
            case (15, .varint) where !hasVersion:
                guard try layer.readVarint() == 2 else { throw JSONFault(offset: offset, expected: "version 2") }
                hasVersion = true
            case (1, .bytes) where !hasName:
                let name = try layer.readRange()
                if let layer = rules.layer, !bytes[name].elementsEqual(layer.utf8) {
                    throw JSONFault(offset: name.lowerBound, expected: "the layer \(layer)")
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
            // A field of two bytes takes more than that in memory.
            guard features.count + keys.count + values.count <= MVTLayerReader.fieldLimit else {
                throw JSONFault(
                    offset: offset, expected: "at most \(MVTLayerReader.fieldLimit) features, keys and values")
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

    /// The range of what was appended to ``names`` or ``texts`` for the field at an offset. Throws if they are too large, as
    /// JSON can take six times the bytes.
    private func textRange(_ range: Range<Int>, of offset: Int) throws(JSONFault) -> MVTRange {
        guard names.count + texts.count <= TileStorage.tileLimitBytes else {
            throw JSONFault(
                offset: offset, expected: "keys and values of at most \(TileStorage.tileLimitBytes) bytes of JSON")
        }
        return MVTRange(range)
    }

    private mutating func addKey(_ range: Range<Int>) throws(JSONFault) {
        for step in known.indices {
            let index = (nextKnown + step) % known.count
            guard isSame(known[index], range) else { continue }
            nextKnown = index + 1
            return keys.append(known[index])
        }
        try checkUTF8(range)
        let start = names.count
        names.append(quoted: UnsafeRawBufferPointer(rebasing: bytes[range]))
        names.append(UInt8(ascii: ":"))
        let isName = { [bytes] (name: String) in bytes[range].elementsEqual(name.utf8) }
        let role: Key.Role =
            if rules.idProperty.map(isName) ?? false {
                .id
            } else if isName(Cluster.PropertyName.cluster.rawValue) {
                .cluster
            } else {
                rules.nestedProperties.contains(where: isName) ? .nested : .other
            }
        let key = Key(json: try textRange(start..<names.count, of: range.lowerBound), role: role)
        keys.append(key)
        if start == knownBytes, names.count <= MVTLayerReader.knownLimitBytes, isSame(key, range) { known.append(key) }
    }

    /// Whether a key's JSON is the name at a range, in quotes and without escapes.
    private func isSame(_ key: Key, _ range: Range<Int>) -> Bool {
        let name = key.json.range.dropFirst().dropLast(2)
        return names.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: $0[name]).isSame(as: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
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
        values.append(Value(json: try textRange(start..<texts.count, of: offset), text: text.map { MVTRange($0) }))
    }

    private mutating func append(_ number: Double, at offset: Int) throws(JSONFault) {
        guard number.isFinite else { throw JSONFault(offset: offset, expected: "a number of JSON") }
        var text = number.description
        text.withUTF8 { texts.append(UnsafeRawBufferPointer($0)) }
    }
}
