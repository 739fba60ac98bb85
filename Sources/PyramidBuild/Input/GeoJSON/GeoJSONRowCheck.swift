import PyramidTiles

/// Decides whether a feature is a point, by checks in the order of ``RowProblem``.
struct GeoJSONRowCheck: Sendable {
    let idRule: GeoJSONIDRule

    /// The first fault in a feature's form; `nil` if there is none.
    func formFault(_ feature: GeoJSONFeatureScanner, _ digest: RowDigest, from start: Int, in bytes: Span<UInt8>)
        -> RowFault?
    {
        guard feature.end - start <= InputLimits.rowBytes else { return RowFault(problem: .tooLong) }
        guard feature.deepest <= InputLimits.nestedBrackets else { return RowFault(problem: .tooDeep) }
        guard digest.isASCII || bytes.isValidUTF8(start..<feature.end), !feature.hasLoneSurrogate else {
            return RowFault(problem: .invalidUTF8)
        }
        guard feature.isFeature(bytes) else { return RowFault(problem: .notAFeature) }
        guard !feature.hasRepeatedMember else { return RowFault(problem: .repeatedName) }
        for property in feature.properties where property.value.kind == .object || property.value.kind == .array {
            guard !RepeatedNames.areIn(property.value, bytes) else { return RowFault(problem: .repeatedName) }
        }
        if let properties = feature.propertiesValue, properties.kind != .object, properties.kind != .null {
            return RowFault(problem: .unreadableProperties)
        }
        guard !feature.hasHugeNumber else { return RowFault(problem: .hugeNumber) }
        return nil
    }

    /// The first fault in a feature's geometry; `nil` if it is a point.
    func geometryFault(_ feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> RowFault? {
        guard let geometry = feature.geometry, geometry.kind != .null else {
            return RowFault(problem: .missingGeometry)
        }
        guard feature.isPoint(bytes) else { return RowFault(problem: .notAPoint) }
        guard let coordinates = feature.coordinates, coordinates.kind != .null else {
            return RowFault(problem: .missingCoordinate, axis: .longitude)
        }
        guard coordinates.kind == .array else { return RowFault(problem: .unreadableCoordinate, axis: .longitude) }
        return nil
    }

    /// A coordinate in microdegrees; sets `fault` if it is invalid.
    func microdegrees(_ value: JSONValue?, _ axis: Axis, in bytes: Span<UInt8>, _ fault: inout RowFault?) -> Int32 {
        guard let value else {
            fault = RowFault(problem: .missingCoordinate, axis: axis)
            return 0
        }
        guard value.kind == .number, let microdegrees = DecimalDegrees.microdegrees(bytes, value.range) else {
            fault = RowFault(problem: .unreadableCoordinate, axis: axis)
            return 0
        }
        guard abs(microdegrees) <= axis.limitMicrodegrees else {
            fault = RowFault(problem: .coordinateOutOfRange, axis: axis)
            return 0
        }
        return Int32(truncatingIfNeeded: microdegrees)
    }

    /// The fault of a feature with a coordinate out of range. The other coordinate helps to find the cause.
    func outOfRange(_ axis: Axis, _ feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> RowFault {
        func value(_ value: JSONValue?) -> Int? {
            value.flatMap { $0.kind == .number ? DecimalDegrees.microdegrees(bytes, $0.range) : nil }
        }
        return .outOfRange(axis, latitude: value(feature.latitude), longitude: value(feature.longitude))
    }

    func idFault(_ feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> RowFault? {
        guard let id = idRule.id(of: feature, in: bytes) else {
            return idRule.propertyName == nil ? nil : RowFault(problem: .missingID)
        }
        return id.kind == .text || id.kind == .number ? nil : RowFault(problem: .unreadableID)
    }

    /// The offending text for a message about a bad feature.
    func found(_ fault: RowFault, _ feature: GeoJSONFeatureScanner, from start: Int, in input: InputBytes) -> String {
        func quoted(_ value: JSONValue?, orElse missing: String) -> String {
            value.map { InputError.quoted(input.elements[$0.kind == .text ? $0.text.range : $0.range]) } ?? missing
        }
        let bytes = input.elements.span
        switch fault.problem {
        case .tooLong: return "\(feature.end - start)"
        case .tooDeep: return "\(feature.deepest)"
        case .invalidUTF8: return feature.hasLoneSurrogate ? "half of a surrogate pair, expected characters" : ""
        case .notAFeature: return quoted(feature.type, orElse: RowFault.foundNoType)
        case .unreadableProperties: return quoted(feature.propertiesValue, orElse: "missing")
        case .notAPoint: return quoted(feature.geometryType ?? feature.geometry, orElse: "missing")
        case .unreadableCoordinate, .coordinateOutOfRange:
            let value = fault.axis == .longitude ? feature.longitude ?? feature.coordinates : feature.latitude
            return quoted(value, orElse: "missing")
        case .unreadableID:
            return quoted(idRule.id(of: feature, in: bytes), orElse: "missing") + ", expected a string or a number"
        case .duplicateID: return quoted(idRule.id(of: feature, in: bytes), orElse: "missing")
        default: return ""
        }
    }

    /// The bytes at which the JSON is broken, and what was expected there; empty at the end of the file.
    static func found(_ fault: JSONFault, in bytes: Span<UInt8>) -> String {
        guard fault.offset < bytes.count else { return "" }
        let end = min(fault.offset + 16, bytes.count)
        let token = (fault.offset..<end).map { bytes[$0] }.prefix { $0 > 0x20 }
        let found = token.isEmpty ? "a byte \(bytes[fault.offset])" : InputError.quoted(token)
        return "\(found), expected \(fault.expected)"
    }
}

/// Finds objects that have a name twice.
enum RepeatedNames {
    /// - Parameter value: already scanned, and at most ``InputLimits/nestedBrackets`` deep.
    static func areIn(_ value: JSONValue, _ bytes: Span<UInt8>) -> Bool {
        var scanner = JSONScanner(at: value.range.lowerBound)
        return (try? areInNext(&scanner, bytes)) ?? false
    }

    private static func areInNext(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        let first = scanner.next(bytes)
        var isFirst = true
        if first == UInt8(ascii: "{") {
            scanner.position += 1
            var names = JSONKeySet()
            while let name = try scanner.nextName(isFirst: isFirst, in: bytes) {
                isFirst = false
                guard names.insert(name, in: bytes), try !areInNext(&scanner, bytes) else { return true }
            }
        } else if first == UInt8(ascii: "[") {
            scanner.position += 1
            while try scanner.nextElement(isFirst: isFirst, in: bytes) {
                isFirst = false
                if try areInNext(&scanner, bytes) { return true }
            }
        } else {
            _ = try scanner.scanValue(bytes)
        }
        return false
    }
}
