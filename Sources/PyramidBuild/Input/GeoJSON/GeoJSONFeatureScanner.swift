import PyramidTiles

/// Finds what matters of one GeoJSON feature (RFC 7946, 3.2): its type, id, geometry and properties, in any order. Foreign
/// members are stepped over. Only the grammar of JSON is enforced here; ``GeoJSONPointReader`` judges the rest.
struct GeoJSONFeatureScanner: Sendable {
    struct Property: Sendable {
        var name: JSONText
        var value: JSONValue
    }

    /// `nil` where the feature has no such member. Of repeated members the last is kept.
    private(set) var type, id, geometry, propertiesValue: JSONValue?
    private(set) var geometryType, coordinates, longitude, latitude: JSONValue?
    private(set) var properties: [Property] = []
    /// After the feature's last byte.
    private(set) var end = 0
    /// The most brackets that lie in each other, the feature's own among them.
    var deepest: Int { scanner.deepest }
    /// A member that is read comes twice.
    private(set) var hasRepeatedMember = false
    /// The id or the properties hold a number that is too large for a 64-bit float.
    private(set) var hasHugeNumber = false
    /// The id or the properties hold half of a surrogate pair.
    private(set) var hasLoneSurrogate = false
    /// It has features of its own, so that it may be a collection.
    private(set) var hasFeatures = false

    private var scanner = JSONScanner()

    /// Scans the feature whose brace stands at `start`, in time linear in its length.
    /// - Parameter stopsAtCollection: whether to leave off where the type turns out to be FeatureCollection.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int, stopsAtCollection: Bool = false) throws(JSONFault) {
        forget()
        scanner.position = start + 1
        scanner.depth = 1
        scanner.deepest = 1
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            if bytes.isEqual(name, "type") {
                hasRepeatedMember = hasRepeatedMember || type != nil
                type = try scanner.scanValue(bytes)
                if stopsAtCollection, isCollection(bytes) { break }
            } else if bytes.isEqual(name, "geometry") {
                hasRepeatedMember = hasRepeatedMember || geometry != nil
                try scanGeometry(bytes)
            } else if bytes.isEqual(name, "properties") {
                hasRepeatedMember = hasRepeatedMember || propertiesValue != nil
                try scanProperties(bytes)
            } else if bytes.isEqual(name, "id") {
                hasRepeatedMember = hasRepeatedMember || id != nil
                forgetFlags()
                id = try scanner.scanValue(bytes)
                takeFlags()
            } else {
                if bytes.isEqual(name, "features") { hasFeatures = true }
                _ = try scanner.scanValue(bytes)
            }
        }
        end = scanner.position
    }

    func isFeature(_ bytes: Span<UInt8>) -> Bool { bytes.isText(type, "Feature") }
    func isCollection(_ bytes: Span<UInt8>) -> Bool { bytes.isText(type, "FeatureCollection") }
    func isPoint(_ bytes: Span<UInt8>) -> Bool { bytes.isText(geometryType, "Point") }

    private mutating func scanGeometry(_ bytes: Span<UInt8>) throws(JSONFault) {
        (geometryType, coordinates, longitude, latitude) = (nil, nil, nil, nil)
        guard scanner.next(bytes) == UInt8(ascii: "{") else {
            geometry = try scanner.scanValue(bytes)
            return
        }
        let start = scanner.position
        open()
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            if bytes.isEqual(name, "type") {
                hasRepeatedMember = hasRepeatedMember || geometryType != nil
                geometryType = try scanner.scanValue(bytes)
            } else if bytes.isEqual(name, "coordinates") {
                hasRepeatedMember = hasRepeatedMember || coordinates != nil
                try scanCoordinates(bytes)
            } else {
                _ = try scanner.scanValue(bytes)
            }
        }
        scanner.depth -= 1
        geometry = JSONValue(kind: .object, range: start..<scanner.position)
    }

    private mutating func scanCoordinates(_ bytes: Span<UInt8>) throws(JSONFault) {
        (longitude, latitude) = (nil, nil)
        guard scanner.next(bytes) == UInt8(ascii: "[") else {
            coordinates = try scanner.scanValue(bytes)
            return
        }
        let start = scanner.position
        open()
        var count = 0
        while try scanner.nextElement(isFirst: count == 0, in: bytes) {
            let value = try scanner.scanValue(bytes)
            if count == 0 { longitude = value }
            if count == 1 { latitude = value }
            count += 1
        }
        scanner.depth -= 1
        coordinates = JSONValue(kind: .array, range: start..<scanner.position)
    }

    private mutating func scanProperties(_ bytes: Span<UInt8>) throws(JSONFault) {
        properties.removeAll(keepingCapacity: true)
        forgetFlags()
        defer { takeFlags() }
        guard scanner.next(bytes) == UInt8(ascii: "{") else {
            propertiesValue = try scanner.scanValue(bytes)
            return
        }
        let start = scanner.position
        open()
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            let value = try scanner.scanValue(bytes)
            // One more than can be: enough to tell that these are too many, however many come.
            if properties.count <= InputLimits.columns { properties.append(Property(name: name, value: value)) }
        }
        scanner.depth -= 1
        propertiesValue = JSONValue(kind: .object, range: start..<scanner.position)
    }

    /// Takes a bracket.
    private mutating func open() {
        scanner.position += 1
        scanner.depth += 1
        scanner.deepest = max(scanner.deepest, scanner.depth)
    }

    private mutating func forget() {
        (type, id, geometry, propertiesValue) = (nil, nil, nil, nil)
        (geometryType, coordinates, longitude, latitude) = (nil, nil, nil, nil)
        properties.removeAll(keepingCapacity: true)
        (hasRepeatedMember, hasHugeNumber, hasLoneSurrogate, hasFeatures) = (false, false, false, false)
    }

    private mutating func forgetFlags() { (scanner.hasHugeNumber, scanner.hasLoneSurrogate) = (false, false) }

    private mutating func takeFlags() {
        hasHugeNumber = hasHugeNumber || scanner.hasHugeNumber
        hasLoneSurrogate = hasLoneSurrogate || scanner.hasLoneSurrogate
    }
}

extension Span<UInt8> {
    fileprivate func isText(_ value: JSONValue?, _ name: StaticString) -> Bool {
        guard let value, value.kind == .text else { return false }
        return isEqual(value.text, name)
    }
}
