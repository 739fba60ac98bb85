import PyramidTiles

/// Finds the relevant members of a GeoJSON feature (RFC 7946, 3.2): its type, id, geometry and properties, in any
/// order. Foreign members are skipped. Only JSON's grammar is enforced here; ``GeoJSONRowCheck`` judges the rest.
package struct GeoJSONFeatureScanner: Sendable {
    package struct Property: Sendable {
        package var name: JSONText
        package var value: JSONValue

        package init(name: JSONText, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// `nil` if the feature lacks the member. Of repeated members, the last one.
    package private(set) var type, id, geometry, propertiesValue: JSONValue?
    package private(set) var geometryType, coordinates, longitude, latitude: JSONValue?
    package private(set) var properties: [Property] = []
    /// The position after the feature's last byte.
    package private(set) var end = 0
    /// The depth of nested brackets, including the feature's own.
    var deepest: Int { scanner.deepest }
    /// Whether the type or the geometry occurs more than once.
    private(set) var hasRepeatedMember = false
    /// Whether the id or the properties do.
    private(set) var hasRepeatedProperty = false
    /// The first member or property without a usable value, by its name: it is or has `NaN`, Infinity, a number too large
    /// for a 64-bit float, or half of a surrogate pair; or the properties are no object. Such values are null.
    package private(set) var unusable: Range<Int>?
    /// Whether it has a "features" member, so it may be a collection.
    private(set) var hasFeatures = false
    private var isBare = false
    private var scanner = JSONScanner(allowsNaN: true)

    /// Scans the feature whose brace is at `start`, in time linear in its length.
    /// - Parameter stopsAtCollection: whether to stop once the type turns out to be FeatureCollection.
    package mutating func scan(_ bytes: Span<UInt8>, from start: Int, stopsAtCollection: Bool = false) throws(JSONFault)
    {
        forget()
        scanner.position = start + 1
        scanner.depth = 1
        scanner.deepest = 1
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            if bytes.isEqual(name, "type") {
                if type != nil { hasRepeatedMember = true }
                type = try scanner.scanValue(bytes)
                if stopsAtCollection, isCollection(bytes) { break }
            } else if bytes.isEqual(name, "geometry") {
                if geometry != nil { hasRepeatedMember = true }
                try scanGeometry(bytes)
            } else if bytes.isEqual(name, "properties") {
                if propertiesValue != nil { hasRepeatedProperty = true }
                try scanProperties(named: name, bytes)
            } else if bytes.isEqual(name, "id") {
                if id != nil { hasRepeatedProperty = true }
                scanner.hasLoneSurrogate = false
                let value = try scanUsableValue(named: name, bytes)
                let isID = value.kind == .text || value.kind == .number || value.kind == .null
                if !isID, unusable == nil { unusable = name.range }
                id = isID ? value : nil
            } else {
                if bytes.isEqual(name, "features") { hasFeatures = true }
                _ = try scanner.scanValue(bytes)
            }
        }
        end = scanner.position
        guard geometry == nil, bytes.isText(type, "Point") else { return }
        // A point by itself is a feature without id and properties.
        forget()
        isBare = true
        (scanner.position, scanner.depth) = (start, 0)
        try scanGeometry(bytes)
        type = geometryType
    }

    /// Scans an accepted feature again. The result is empty if another program has broken it since.
    mutating func scanAgain(_ bytes: Span<UInt8>, from start: Int) {
        do throws(JSONFault) { try scan(bytes, from: start) } catch {
            forget()
            end = start
        }
    }

    /// Whether it is a feature, or a point by itself.
    package func isFeature(_ bytes: Span<UInt8>) -> Bool {
        bytes.isText(type, "Feature") || bytes.isText(type, "Point") && isBare
    }
    func isCollection(_ bytes: Span<UInt8>) -> Bool { bytes.isText(type, "FeatureCollection") }
    func isPoint(_ bytes: Span<UInt8>) -> Bool { bytes.isText(geometryType, "Point") }

    /// Whether a property contains an object with a repeated name.
    func hasNestedRepeatedName(_ bytes: Span<UInt8>) -> Bool {
        properties.contains { $0.value.hasRepeatedName(bytes) }
    }

    /// Keeps the last of several properties with the same name, and no property that contains an object with a repeated
    /// name, because readers would disagree about its content.
    /// - Returns: the name of a property that was removed for each reason; `nil` if none was.
    mutating func removeRepeatedNames(_ bytes: Span<UInt8>) -> (repeated: JSONText?, nested: JSONText?) {
        var names = JSONKeySet()
        var removed: (repeated: JSONText?, nested: JSONText?)
        var kept: [Property] = []
        for property in properties.reversed() {
            if !names.insert(property.name, in: bytes) {
                removed.repeated = property.name
            } else if property.value.hasRepeatedName(bytes) {
                removed.nested = property.name
            } else {
                kept.append(property)
            }
        }
        if kept.count < properties.count { properties = kept.reversed() }
        return removed
    }

    private mutating func scanGeometry(_ bytes: Span<UInt8>) throws(JSONFault) {
        (geometryType, coordinates, longitude, latitude) = (nil, nil, nil, nil)
        guard let start = open(UInt8(ascii: "{"), bytes) else {
            geometry = try scanner.scanValue(bytes)
            return
        }
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            if bytes.isEqual(name, "type") {
                if geometryType != nil { hasRepeatedMember = true }
                geometryType = try scanner.scanValue(bytes)
            } else if bytes.isEqual(name, "coordinates") {
                if coordinates != nil { hasRepeatedMember = true }
                try scanCoordinates(bytes)
            } else {
                _ = try scanner.scanValue(bytes)
            }
        }
        geometry = close(.object, from: start)
    }

    private mutating func scanCoordinates(_ bytes: Span<UInt8>) throws(JSONFault) {
        (longitude, latitude) = (nil, nil)
        guard let start = open(UInt8(ascii: "["), bytes) else {
            coordinates = try scanner.scanValue(bytes)
            return
        }
        var count = 0
        while try scanner.nextElement(isFirst: count == 0, in: bytes) {
            let value = try scanner.scanValue(bytes)
            if count == 0 { longitude = value }
            if count == 1 { latitude = value }
            count += 1
        }
        coordinates = close(.array, from: start)
    }

    private mutating func scanProperties(named name: JSONText, _ bytes: Span<UInt8>) throws(JSONFault) {
        properties.removeAll(keepingCapacity: true)
        scanner.hasLoneSurrogate = false
        guard let start = open(UInt8(ascii: "{"), bytes) else {
            let value = try scanner.scanValue(bytes)
            if value.kind != .null, unusable == nil { unusable = name.range }
            propertiesValue = value
            return
        }
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            let value = try scanUsableValue(named: name, bytes)
            // One more than allowed, which is enough to show that there are too many.
            if properties.count <= InputLimits.columns { properties.append(Property(name: name, value: value)) }
        }
        propertiesValue = close(.object, from: start)
    }

    /// Scans a value, and makes it null if readers of tiles can't use it.
    private mutating func scanUsableValue(named name: JSONText, _ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        // The name itself may have half of a surrogate pair.
        (scanner.hasNaN, scanner.hasHugeNumber) = (false, false)
        let value = try scanner.scanValue(bytes)
        guard scanner.hasNaN || scanner.hasHugeNumber || scanner.hasLoneSurrogate else { return value }
        scanner.hasLoneSurrogate = false
        if unusable == nil { unusable = name.range }
        return JSONValue(kind: .null, range: value.range)
    }

    /// Consumes an opening bracket and returns its position; `nil` if something else comes next.
    private mutating func open(_ bracket: UInt8, _ bytes: Span<UInt8>) -> Int? {
        guard scanner.next(bytes) == bracket else { return nil }
        scanner.position += 1
        scanner.depth += 1
        scanner.deepest = max(scanner.deepest, scanner.depth)
        return scanner.position - 1
    }

    /// The object or array whose closing bracket was just consumed.
    private mutating func close(_ kind: JSONValue.Kind, from start: Int) -> JSONValue {
        scanner.depth -= 1
        return JSONValue(kind: kind, range: start..<scanner.position)
    }

    private mutating func forget() {
        (type, id, geometry, propertiesValue) = (nil, nil, nil, nil)
        (geometryType, coordinates, longitude, latitude) = (nil, nil, nil, nil)
        properties.removeAll(keepingCapacity: true)
        (hasRepeatedMember, hasRepeatedProperty, hasFeatures) = (false, false, false)
        (isBare, scanner.hasLoneSurrogate) = (false, false)
        unusable = nil
    }
}

extension JSONValue {
    /// Whether a feature is among its members or elements, or within them.
    /// - Parameter depth: of the value; no row is deeper than the limit.
    func hasFeatures(_ bytes: Span<UInt8>, depth: Int = 0) -> Bool {
        guard depth < InputLimits.nestedBrackets else { return false }
        let members = (try? members(in: bytes)) ?? []
        let values = kind == .array ? (try? elements(in: bytes)) ?? [] : members.map(\.value)
        return members.contains { bytes.isEqual($0.name, "type") && bytes.isText($0.value, "Feature") }
            || values.contains { $0.hasFeatures(bytes, depth: depth + 1) }
    }

    /// Whether an object in a value that was scanned has a name twice.
    fileprivate func hasRepeatedName(_ bytes: Span<UInt8>) -> Bool {
        guard kind == .object || kind == .array else { return false }
        var names = JSONKeySet()
        let members = (try? members(in: bytes)) ?? []
        return members.contains { !names.insert($0.name, in: bytes) || $0.value.hasRepeatedName(bytes) }
            || ((try? elements(in: bytes)) ?? []).contains { $0.hasRepeatedName(bytes) }
    }
}

extension Span<UInt8> {
    fileprivate func isText(_ value: JSONValue?, _ name: StaticString) -> Bool {
        guard let value, value.kind == .text else { return false }
        return isEqual(value.text, name)
    }
}
