import PyramidTiles

/// Receives the properties of a marker one after another.
package protocol PropertyVisitor: ~Copyable {
    /// - Parameters:
    ///   - quotedName: the property's name as JSON, quotes and colon included; valid during the call.
    ///   - value: valid during the call.
    mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ value: PropertyView)
}

extension PropertyVisitor where Self: ~Copyable {
    package mutating func visit(_ quotedName: [UInt8], _ value: PropertyView) {
        quotedName.withUnsafeBytes { visit($0, value) }
    }

    package mutating func visit(_ quotedName: StaticString, _ value: PropertyView) {
        visit(UnsafeRawBufferPointer(start: quotedName.utf8Start, count: quotedName.utf8CodeUnitCount), value)
    }
}

/// A property's value in its type. Bytes are UTF-8 and valid for as long as the view is.
package enum PropertyView {
    case text(UnsafeRawBufferPointer)
    /// Text that needs no escapes in JSON, so it can be copied as it is.
    case plainText(UnsafeRawBufferPointer)
    /// A JSON number, to be written as it stands.
    case number(UnsafeRawBufferPointer)
    case integer(Int)
    case decimal(FixedDecimal)
    case bool(Bool)
    /// Any JSON value, to be written as it stands: objects and arrays, and strings that need escapes.
    case json(UnsafeRawBufferPointer)
}
