import PyramidTiles

/// Decides whether a feature is a point, by checks in the order of the article *Input*.
struct GeoJSONRowCheck: Sendable {
    let idRule: GeoJSONIDRule

    /// The first fault in a feature's form; `nil` if there is none.
    func formFault(_ feature: GeoJSONFeatureScanner, _ digest: RowDigest, from start: Int, in bytes: Span<UInt8>)
        -> RowFault?
    {
        guard feature.end - start <= InputLimits.rowBytes else { return RowFault(problem: .tooLong) }
        guard feature.deepest <= InputLimits.nestedBrackets else { return RowFault(problem: .tooDeep) }
        guard digest.isASCII || bytes.isValidUTF8(start..<feature.end) else { return RowFault(problem: .invalidUTF8) }
        guard feature.isFeature(bytes) else { return RowFault(problem: .notAFeature) }
        guard !feature.hasRepeatedMember else { return RowFault(problem: .repeatedName) }
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

    /// The place of a feature that may have another geometry.
    func place(of feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> PlaceReading {
        var reading = PlaceReading()
        let longitude = microdegrees(feature.longitude, .longitude, in: bytes, &reading.fault)
        guard reading.fault == nil else { return reading }
        let latitude = microdegrees(feature.latitude, .latitude, in: bytes, &reading.fault)
        if reading.fault == nil { reading.take(longitude: longitude, latitude: latitude) }
        return reading
    }

    private func microdegrees(
        _ value: JSONValue?, _ axis: Axis, in bytes: Span<UInt8>, _ fault: inout RowFault?
    ) -> Int {
        guard let value, value.kind != .null else {
            fault = RowFault(problem: .missingCoordinate, axis: axis)
            return 0
        }
        guard value.kind == .number, let microdegrees = DecimalDegrees.microdegrees(bytes, value.range) else {
            fault = RowFault(problem: .unreadableCoordinate, axis: axis)
            return 0
        }
        return microdegrees
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
        case .notAFeature: return quoted(feature.type, orElse: RowFault.foundNoType)
        case .notAPoint: return quoted(feature.geometryType ?? feature.geometry, orElse: "missing")
        case .unreadableCoordinate, .coordinateOutOfRange:
            let value = fault.axis == .longitude ? feature.longitude ?? feature.coordinates : feature.latitude
            return (value?.kind == .text ? "the string " : "") + quoted(value, orElse: "missing")
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
