import PyramidInput
import PyramidTiles

/// Writes JSON objects into a buffer, property by property.
struct JSONObjectWriter: ~Copyable, PropertyVisitor {
    private(set) var buffer = ByteBuffer(capacity: 256)
    private var isFirst = true

    mutating func removeAll() { buffer.removeAll() }

    mutating func append(_ text: StaticString) { buffer.append(text) }
    mutating func append(_ value: PropertyView) { buffer.append(value) }

    mutating func beginObject() {
        buffer.append(UInt8(ascii: "{"))
        isFirst = true
    }

    mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ value: PropertyView) {
        separate()
        buffer.append(quotedName)
        buffer.append(value)
    }

    /// Adds a property whose name is UTF-8 without quotes.
    mutating func append(name: UnsafeRawBufferPointer, _ value: PropertyView) {
        separate()
        buffer.append(quoted: name)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(value)
    }

    private mutating func separate() {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    mutating func endObject() { buffer.append(UInt8(ascii: "}")) }
}
