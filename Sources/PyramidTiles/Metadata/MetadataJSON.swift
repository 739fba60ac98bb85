import PyramidPlatform

/// The JSON of all metadata files: indented, with keys in snake case, sorted so that equal values give equal bytes.
enum MetadataJSON {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(MetadataError) -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch DecodingError.keyNotFound(let key, _) {
            throw MetadataError("has no \"\(key.stringValue)\"")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw MetadataError("has a value of the wrong type at \"\(path)\"")
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw MetadataError("has an invalid value at \"\(path)\": \(context.debugDescription)")
        } catch {
            throw MetadataError("is not valid JSON")
        }
    }
}

/// Why a metadata file can't be read.
public struct MetadataError: Error, Equatable, CustomStringConvertible, Sendable {
    public let description: String

    @usableFromInline
    package init(_ description: String) { self.description = description }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits, including leading zeros.
    public var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
