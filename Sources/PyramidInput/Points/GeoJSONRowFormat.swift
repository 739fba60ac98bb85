import PyramidTiles

/// How GeoJSON features are written as features again: properties keep their order, nulls are left out, and every value
/// becomes canonical JSON (`Span.appendCanonicalJSON(_:to:)`).
///
/// A class, because it is looked up for every point, and copying a struct would retain all of its arrays.
package final class GeoJSONRowFormat: Sendable {
    package let idRule: GeoJSONIDRule
    package let columns: TableColumns
    /// Whether some features have a property name twice.
    package let hasRepeatedNames: Bool
    /// Ids that several features have, and that are none therefore.
    let sharedIDs: SharedIDs
    /// By the table's columns.
    private let isWritten, isCompared: [Bool]

    /// - Parameter input: the columns of the features' input.
    init(idRule: GeoJSONIDRule, columns: TableColumns, hasRepeatedNames: Bool, sharedIDs: SharedIDs) {
        self.idRule = idRule
        self.columns = columns
        self.hasRepeatedNames = hasRepeatedNames
        self.sharedIDs = sharedIDs
        isCompared = columns.columns.map(\.isCompared)
        isWritten = columns.columns.indices.map { column in
            let isID = idRule.propertyName.map { columns.columns[column].name.utf8.elementsEqual($0) } ?? false
            return columns.isWritten(column, onlyIfNamed: isID)
        }
    }

    init(copying other: GeoJSONRowFormat) {
        (idRule, columns, isWritten) = (other.idRule, other.columns, other.isWritten)
        (isCompared, hasRepeatedNames, sharedIDs) = (other.isCompared, other.hasRepeatedNames, other.sharedIDs)
    }

    /// The value of a column in the feature at `start`, `nil` if it is missing or null; valid during the call. A string
    /// comes as its characters.
    func withValue(
        ofColumn column: Int, in bytes: UnsafeRawBufferPointer, from start: Int, scratch: inout GeoJSONRowScratch,
        _ body: (PropertyView?) -> Void
    ) {
        let span = bytes.assumingMemoryBound(to: UInt8.self).span
        guard let value = value(ofColumn: column, in: span, from: start, scratch: &scratch) else { return body(nil) }
        if value.kind == .text {
            let text = isCompared[column] ? value.text.trimmed(in: span) : value.text
            scratch.withText(text, in: bytes) { body(.text($0)) }
        } else {
            scratch.withView(of: value, in: bytes, body)
        }
    }

    /// Calls `body` with the id of the last scanned feature, `nil` if it has none.
    package func withID(
        in bytes: UnsafeRawBufferPointer, scratch: inout GeoJSONRowScratch, _ body: (PropertyView?) -> Void
    ) {
        let span = bytes.assumingMemoryBound(to: UInt8.self).span
        guard let id = idRule.id(of: scratch.feature, in: span), !scratch.isShared(id, in: span, self) else {
            return body(nil)
        }
        let isNumber = id.kind == .number
        scratch.withText(isNumber ? JSONText(range: id.range) : id.text, in: bytes) {
            body(isNumber ? .number($0) : .text($0))
        }
    }

    /// Visits the properties of the last scanned feature.
    package func visitProperties<Visitor: PropertyVisitor & ~Copyable>(
        in bytes: UnsafeRawBufferPointer, scratch: inout GeoJSONRowScratch, _ visitor: inout Visitor
    ) {
        let span = bytes.assumingMemoryBound(to: UInt8.self).span
        for index in scratch.feature.properties.indices {
            let property = scratch.feature.properties[index]
            guard property.value.kind != .null else { continue }
            guard let column = scratch.column(of: property.name, at: index, in: span, columns), isWritten[column] else {
                continue
            }
            let name = columns.columns[column].quotedName
            if isCompared[column], property.value.kind == .text {
                let text = property.value.text.trimmed(in: span)
                scratch.withText(text, in: bytes) { visitor.visit(name, .text($0)) }
            } else {
                scratch.withView(of: property.value, in: bytes) { visitor.visit(name, $0) }
            }
        }
    }

    private func value(
        ofColumn column: Int, in bytes: Span<UInt8>, from start: Int, scratch: inout GeoJSONRowScratch
    ) -> JSONValue? {
        scratch.scan(bytes, from: start, hasRepeatedNames: hasRepeatedNames)
        let properties = scratch.feature.properties
        for index in properties.indices
        where scratch.column(of: properties[index].name, at: index, in: bytes, columns) == column {
            return properties[index].value.kind == .null ? nil : properties[index].value
        }
        return nil
    }
}

package struct GeoJSONRowScratch {
    package private(set) var feature = GeoJSONFeatureScanner()
    /// The columns of the last feature's properties: a guess for the next feature.
    private var layout: [Int] = []
    private var buffer: [UInt8] = []
    private var number: [UInt8] = []

    /// - Parameters:
    ///   - start: the start of an accepted feature.
    ///   - hasRepeatedNames: whether it may have a property name twice.
    package mutating func scan(_ bytes: Span<UInt8>, from start: Int, hasRepeatedNames: Bool) {
        feature.scanAgain(bytes, from: start)
        if hasRepeatedNames { _ = feature.removeRepeatedNames(bytes) }
    }

    /// Whether several features have this id.
    mutating func isShared(_ id: JSONValue, in bytes: Span<UInt8>, _ format: GeoJSONRowFormat) -> Bool {
        guard !format.sharedIDs.isEmpty else { return false }
        format.idRule.identity(id, in: bytes, into: &buffer)
        return format.sharedIDs.contains(RowDigest.hash(ofID: buffer, &number))
    }

    /// The table's column for a property of the last scanned feature; `nil` if another program has changed the name.
    package mutating func column(of name: JSONText, at index: Int, in bytes: Span<UInt8>, _ columns: TableColumns)
        -> Int?
    {
        let guess = index < layout.count ? layout[index] : 0
        let column: Int?
        if name.hasEscapes {
            bytes.unescape(name, into: &buffer)
            column = columns.index(of: buffer)
        } else {
            column = columns.index(of: name.range, in: bytes, guess: guess)
        }
        if index < layout.count { layout[index] = column ?? 0 } else { layout.append(column ?? 0) }
        return column
    }

    /// A string's characters; valid during the call.
    mutating func withText(
        _ text: JSONText, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard text.hasEscapes else {
            body(UnsafeRawBufferPointer(rebasing: bytes[text.range]))
            return
        }
        bytes.assumingMemoryBound(to: UInt8.self).span.unescape(text, into: &buffer)
        buffer.withUnsafeBytes(body)
    }

    /// The canonical JSON of a value; valid during the call.
    mutating func withJSON(
        _ value: JSONValue, in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard value.hasEscapes || value.kind == .object || value.kind == .array else {
            body(UnsafeRawBufferPointer(rebasing: bytes[value.range]))
            return
        }
        buffer.removeAll(keepingCapacity: true)
        bytes.assumingMemoryBound(to: UInt8.self).span.appendCanonicalJSON(value, to: &buffer)
        buffer.withUnsafeBytes(body)
    }

    /// A value with its type, or its canonical JSON if it is a string with escapes or nested; valid during the call.
    mutating func withView(of value: JSONValue, in bytes: UnsafeRawBufferPointer, _ body: (PropertyView) -> Void) {
        switch value.kind {
        case .text where !value.hasEscapes: body(.plainText(UnsafeRawBufferPointer(rebasing: bytes[value.text.range])))
        case .number: body(.number(UnsafeRawBufferPointer(rebasing: bytes[value.range])))
        case .boolean: body(.bool(bytes[value.range.lowerBound] == UInt8(ascii: "t")))
        default: withJSON(value, in: bytes) { body(.json($0)) }
        }
    }
}

extension JSONText {
    /// Without blanks around it.
    fileprivate func trimmed(in bytes: Span<UInt8>) -> JSONText {
        JSONText(range: bytes.trimmingBlanks(range), hasEscapes: hasEscapes)
    }
}
