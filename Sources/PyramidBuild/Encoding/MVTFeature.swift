import PyramidInput
import PyramidTiles

/// A marker's id and properties, encoded for MVT but independent of a tile: each property is the number of its name and the
/// encoded value.
struct MVTFeature: ~Copyable {
    /// One byte for whether there is an id, and eight for the id. Then for each property: the name's number, the value's
    /// hash and its size, four bytes each, and the value.
    private(set) var record = ByteBuffer(capacity: 1024)
    /// The property that features have only at some zooms, or nothing.
    private(set) var parentProperty = ByteBuffer(capacity: 64)
    private(set) var names = MVTNames()
    /// The types of the ids that became properties.
    private(set) var idTypes: ValueKinds = []
    private let options: EncodingOptions
    private let idName: [UInt8]
    private var value = ByteBuffer(capacity: 256)
    private var text = ByteBuffer(capacity: 128)
    private var unescaped: [UInt8] = []
    /// A guess at the number of the next name: features mostly have the same properties in the same order.
    private var nextName = 0

    static let headerBytes = 9
    static let propertyHeaderBytes = 12

    init(_ options: EncodingOptions) {
        self.options = options
        var quoted = ByteBuffer(capacity: 64)
        quoted.append(quoted: options.idProperty)
        quoted.append(UInt8(ascii: ":"))
        idName = quoted.withUnsafeBytes { Array($0) }
    }

    mutating func begin() { begin(id: nil) }

    /// Sets what the features that follow state as their parent; 0 for nothing. Call it before they begin.
    mutating func set(parent: UInt64) {
        parentProperty.removeAll()
        guard parent != 0 else { return }
        begin()
        visit(#""parent":"#, .integer(Int(parent)))
        parentProperty.append(MVTFeature.headerBytes..<record.count, of: record)
    }

    /// Begins a cluster with the properties that every cluster has.
    mutating func begin(_ cluster: ClusterFields) {
        begin(id: cluster.id)
        visit(#""cluster":"#, .bool(true))
        visit(#""cluster_id":"#, .integer(Int(cluster.id)))
        visit(#""point_count":"#, .integer(cluster.pointCount))
        text.removeAll()
        text.append(label: cluster.pointCount, options.countLabel)
        visitText(#""point_count_abbreviated":"#)
        if let expansionZoom = cluster.expansionZoom { visit(#""expansion_zoom":"#, .integer(expansionZoom)) }
        if cluster.boundingBox.isOnePlace { visit(#""coincident":"#, .bool(true)) }
    }

    /// Adds the id of a point: as the feature's id if it is a whole number that fits, otherwise as a property.
    mutating func add(id: PropertyView?) {
        guard let id else { return }
        if case .number(let text) = id, case .unsigned(let number) = MVTNumber(text),
            number < GeoJSONFeatureReader.integerLimit
        {
            return begin(id: number)
        }
        if case .number = id { idTypes.insert(.number) } else { idTypes.insert(.text) }
        // A copy of the reference, because `visit` changes `self`.
        let name = idName
        visit(name, id)
    }

    mutating func forgetNames() {
        if names.count > MVTFeature.mostNames { names = MVTNames() }
    }

    private static let mostNames = 4096

    private mutating func begin(id: UInt64?) {
        record.removeAll()
        record.append(id == nil ? 0 : 1)
        record.append(littleEndian: id ?? 0)
        nextName = 0
    }
}

extension MVTFeature: PropertyVisitor {
    mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ property: PropertyView) {
        value.removeAll()
        switch property {
        case .text(let text), .plainText(let text):
            if text.isEmpty { return }
            value.append(mvtText: text)
        case .number(let text): value.append(MVTNumber(text), or: text)
        case .integer(let number): value.append(number < 0 ? .negative(Int64(number)) : .unsigned(UInt64(number)))
        case .decimal(let number): value.append(MVTNumber(number))
        case .bool(let flag):
            value.append(MVT.key(7, .varint))
            value.append(flag ? 1 : 0)
        case .json(let json) where json.first == UInt8(ascii: "\""):
            let bytes = json.assumingMemoryBound(to: UInt8.self).span
            bytes.unescape(JSONText(range: 1..<json.count - 1, hasEscapes: true), into: &unescaped)
            if unescaped.isEmpty { return }
            unescaped.withUnsafeBytes { value.append(mvtText: $0) }
        case .json(let json): value.append(mvtText: json)
        }
        add(quotedName)
    }

    /// Adds a property whose value is the content of ``text``.
    private mutating func visitText(_ quotedName: StaticString) {
        value.removeAll()
        value.append(MVT.key(1, .bytes))
        value.append(varint: UInt64(text.count))
        value.append(0..<text.count, of: text)
        add(UnsafeRawBufferPointer(start: quotedName.utf8Start, count: quotedName.utf8CodeUnitCount))
    }

    /// Adds a property whose encoded value is in ``value``.
    private mutating func add(_ quotedName: UnsafeRawBufferPointer) {
        let name = names.number(of: quotedName, guess: nextName)
        nextName = name + 1
        let hash = value.withUnsafeBytes { UInt32(truncatingIfNeeded: StableHash.hash($0)) }
        record.append(littleEndian: UInt32(name))
        record.append(littleEndian: hash)
        record.append(littleEndian: UInt32(value.count))
        record.append(0..<value.count, of: value)
    }
}

extension ByteBuffer {
    /// The number as a message of type Value.
    /// - Parameter text: written as a text if no type can hold the number.
    fileprivate mutating func append(_ number: MVTNumber, or text: UnsafeRawBufferPointer = .init(start: nil, count: 0))
    {
        switch number {
        case .unsigned(let value):
            append(MVT.key(5, .varint))
            append(varint: value)
        case .negative(let value):
            append(MVT.key(6, .varint))
            append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
        case .double(let value):
            append(MVT.key(3, .eightBytes))
            append(littleEndian: value.bitPattern)
        case .none: append(mvtText: text)
        }
    }

    /// The text as a message of type Value.
    fileprivate mutating func append(mvtText text: UnsafeRawBufferPointer) {
        append(MVT.key(1, .bytes))
        append(varint: UInt64(text.count))
        append(text)
    }
}
