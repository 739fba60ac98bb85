/// A reader of Mapbox Vector Tiles written from the specification alone: recursive, slow, and apart from the decoder.
///
/// Source: [Mapbox Vector Tile 2.1, section 4](https://github.com/mapbox/vector-tile-spec/blob/master/2.1/README.md).
package struct ReferenceMVT {
    package enum Value: Hashable {
        case string(String), float(Float), double(Double), int(Int64), uint(UInt64), sint(Int64), bool(Bool)

        /// A number in any of the types.
        package var number: Double? {
            switch self {
            case .float(let value): Double(value)
            case .double(let value): value
            case .int(let value), .sint(let value): Double(value)
            case .uint(let value): Double(value)
            case .string, .bool: nil
            }
        }
    }

    package struct Feature {
        package var id: UInt64?
        package var x = 0, y = 0
        package var properties: [String: Value] = [:]
    }

    package struct Failure: Error {
        let what: String
    }

    package private(set) var name = ""
    package private(set) var version: UInt64 = 0
    package private(set) var extent: UInt64 = 4096
    package private(set) var keys: [String] = []
    package private(set) var values: [Value] = []
    package private(set) var features: [Feature] = []

    /// One field of a message: its number, and its value or bytes.
    private struct Field {
        let number: UInt64
        var value: UInt64 = 0
        var bytes: [UInt8] = []
    }

    package init(_ bytes: [UInt8]) throws {
        let layers = try ReferenceMVT.fields(bytes).filter { $0.number == 3 }
        guard layers.count == 1 else { throw Failure(what: "\(layers.count) layers") }
        let fields = try ReferenceMVT.fields(layers[0].bytes)
        for field in fields {
            switch field.number {
            case 1: name = String(decoding: field.bytes, as: UTF8.self)
            case 3: keys.append(String(decoding: field.bytes, as: UTF8.self))
            case 4: values.append(try ReferenceMVT.value(field.bytes))
            case 5: extent = field.value
            case 15: version = field.value
            default: break
            }
        }
        for field in fields where field.number == 2 { features.append(try feature(field.bytes)) }
    }

    private func feature(_ bytes: [UInt8]) throws -> Feature {
        var feature = Feature()
        for field in try ReferenceMVT.fields(bytes) {
            switch field.number {
            case 1: feature.id = field.value
            case 2:
                let tags = try ReferenceMVT.varints(field.bytes).map { Int($0) }
                for pair in stride(from: 0, to: tags.count, by: 2) {
                    guard feature.properties[keys[tags[pair]]] == nil else { throw Failure(what: "a key twice") }
                    feature.properties[keys[tags[pair]]] = values[tags[pair + 1]]
                }
            case 3: guard field.value == 1 else { throw Failure(what: "geometry type \(field.value)") }
            case 4:
                let commands = try ReferenceMVT.varints(field.bytes)
                // MoveTo is command 1; the upper bits say how often.
                guard commands.count == 3, commands[0] & 7 == 1, commands[0] >> 3 == 1 else {
                    throw Failure(what: "geometry \(commands)")
                }
                func signed(_ value: UInt64) -> Int { value % 2 == 0 ? Int(value / 2) : -Int(value / 2) - 1 }
                (feature.x, feature.y) = (signed(commands[1]), signed(commands[2]))
            default: throw Failure(what: "field \(field.number) of a feature")
            }
        }
        return feature
    }

    private static func value(_ bytes: [UInt8]) throws -> Value {
        let fields = try fields(bytes)
        guard fields.count == 1, let field = fields.first else { throw Failure(what: "\(fields.count) values") }
        switch field.number {
        case 1: return .string(String(decoding: field.bytes, as: UTF8.self))
        case 2: return .float(Float(bitPattern: UInt32(field.value)))
        case 3: return .double(Double(bitPattern: field.value))
        case 4: return .int(Int64(bitPattern: field.value))
        case 5: return .uint(field.value)
        case 6: return .sint(field.value % 2 == 0 ? Int64(field.value / 2) : -Int64(field.value / 2) - 1)
        case 7: return .bool(field.value != 0)
        default: throw Failure(what: "value of type \(field.number)")
        }
    }

    private static func fields(_ bytes: [UInt8]) throws -> [Field] {
        var (fields, rest): ([Field], ArraySlice<UInt8>) = ([], bytes[...])
        while !rest.isEmpty {
            let key = try varint(&rest)
            var field = Field(number: key / 8)
            switch key % 8 {
            case 0: field.value = try varint(&rest)
            case 1: field.value = try fixed(&rest, 8)
            case 5: field.value = try fixed(&rest, 4)
            case 2:
                let count = Int(try varint(&rest))
                guard count <= rest.count else { throw Failure(what: "a length of \(count)") }
                field.bytes = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
            default: throw Failure(what: "wire type \(key % 8)")
            }
            fields.append(field)
        }
        return fields
    }

    private static func varints(_ bytes: [UInt8]) throws -> [UInt64] {
        var (values, rest): ([UInt64], ArraySlice<UInt8>) = ([], bytes[...])
        while !rest.isEmpty { values.append(try varint(&rest)) }
        return values
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var (value, factor): (UInt64, UInt64) = (0, 1)
        while let byte = rest.popFirst() {
            value += UInt64(byte % 128) * factor
            if byte < 128 { return value }
            factor &*= 128
        }
        throw Failure(what: "the end of the bytes")
    }

    private static func fixed(_ rest: inout ArraySlice<UInt8>, _ count: Int) throws -> UInt64 {
        guard rest.count >= count else { throw Failure(what: "the end of the bytes") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 * 256 + UInt64($1) }
    }
}
