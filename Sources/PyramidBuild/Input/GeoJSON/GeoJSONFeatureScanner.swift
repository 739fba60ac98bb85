import PyramidTiles

/// Finds the relevant members of a GeoJSON feature (RFC 7946, 3.2): its type, id, geometry and properties, in any
/// order. Foreign members are skipped. Only JSON's grammar is enforced here; ``GeoJSONRowCheck`` judges the rest.
struct GeoJSONFeatureScanner: Sendable {
    struct Property: Sendable {
        var name: JSONText
        var value: JSONValue
    }

    /// `nil` if the feature lacks the member. Of repeated members, the last one.
    private(set) var type, id, geometry, propertiesValue: JSONValue?
    private(set) var geometryType, coordinates, longitude, latitude: JSONValue?
    private(set) var properties: [Property] = []
    /// The position after the feature's last byte.
    private(set) var end = 0
    /// The depth of nested brackets, including the feature's own.
    var deepest: Int { scanner.deepest }
    /// Whether a relevant member occurs more than once.
    private(set) var hasRepeatedMember = false
    /// Whether the id or the properties contain a number too large for a 64-bit float.
    private(set) var hasHugeNumber = false
    /// Whether the id or the properties contain half of a surrogate pair.
    private(set) var hasLoneSurrogate = false
    /// Whether it has a "features" member, so it may be a collection.
    private(set) var hasFeatures = false
    /// Whether the geometry is a MultiPoint of a single point, which is read as a Point.
    private(set) var isLonePoint = false

    private var scanner = JSONScanner()

    /// Scans the feature whose brace is at `start`, in time linear in its length.
    /// - Parameter stopsAtCollection: whether to stop once the type turns out to be FeatureCollection.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int, stopsAtCollection: Bool = false) throws(JSONFault) {
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
                if propertiesValue != nil { hasRepeatedMember = true }
                try scanProperties(bytes)
            } else if bytes.isEqual(name, "id") {
                if id != nil { hasRepeatedMember = true }
                forgetFlags()
                id = try scanner.scanValue(bytes)
                takeFlags()
            } else {
                if bytes.isEqual(name, "features") { hasFeatures = true }
                _ = try scanner.scanValue(bytes)
            }
        }
        end = scanner.position
        if longitude?.kind == .array, latitude == nil, bytes.isText(geometryType, "MultiPoint") {
            try readLonePoint(bytes)
        }
    }

    /// Scans an accepted feature again. The result is empty if another program has broken it since.
    mutating func scanAgain(_ bytes: Span<UInt8>, from start: Int) {
        do throws(JSONFault) { try scan(bytes, from: start) } catch {
            forget()
            end = start
        }
    }

    func isFeature(_ bytes: Span<UInt8>) -> Bool { bytes.isText(type, "Feature") }
    func isCollection(_ bytes: Span<UInt8>) -> Bool { bytes.isText(type, "FeatureCollection") }
    func isPoint(_ bytes: Span<UInt8>) -> Bool { bytes.isText(geometryType, "Point") || isLonePoint }

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
        (longitude, latitude) = try GeoJSONFeatureScanner.scanPosition(&scanner, bytes)
        coordinates = close(.array, from: start)
    }

    /// Reads the coordinates of a MultiPoint's only point.
    private mutating func readLonePoint(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard let point = longitude else { return }
        isLonePoint = true
        coordinates = point
        var scanner = JSONScanner(at: point.range.lowerBound + 1)
        (longitude, latitude) = try GeoJSONFeatureScanner.scanPosition(&scanner, bytes)
    }

    /// Scans the rest of an array, after its bracket, and returns the first two elements.
    private static func scanPosition(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(JSONFault) -> (longitude: JSONValue?, latitude: JSONValue?) {
        var position: (longitude: JSONValue?, latitude: JSONValue?)
        var count = 0
        while try scanner.nextElement(isFirst: count == 0, in: bytes) {
            let value = try scanner.scanValue(bytes)
            if count == 0 { position.longitude = value }
            if count == 1 { position.latitude = value }
            count += 1
        }
        return position
    }

    private mutating func scanProperties(_ bytes: Span<UInt8>) throws(JSONFault) {
        properties.removeAll(keepingCapacity: true)
        forgetFlags()
        defer { takeFlags() }
        guard let start = open(UInt8(ascii: "{"), bytes) else {
            propertiesValue = try scanner.scanValue(bytes)
            return
        }
        var isFirst = true
        while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
            isFirst = false
            let value = try scanner.scanValue(bytes)
            // One more than allowed, which is enough to show that there are too many.
            if properties.count <= InputLimits.columns { properties.append(Property(name: name, value: value)) }
        }
        propertiesValue = close(.object, from: start)
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
        (hasRepeatedMember, hasHugeNumber, hasLoneSurrogate, hasFeatures) = (false, false, false, false)
        isLonePoint = false
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
