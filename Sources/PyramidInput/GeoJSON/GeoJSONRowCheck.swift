import PyramidTiles

/// Decides whether a feature is a point, by checks in the order of the article *Input*.
package struct GeoJSONRowCheck: Sendable {
    package let idRule: GeoJSONIDRule

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
    package func place(of feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> PlaceReading {
        var fault: RowFault?
        let longitude = microdegrees(feature.longitude, .longitude, in: bytes, &fault)
        let latitude = fault == nil ? microdegrees(feature.latitude, .latitude, in: bytes, &fault) : 0
        if let fault { return PlaceReading(fault: fault) }
        return PlaceReading(longitude: longitude, latitude: latitude)
    }

    private func microdegrees(
        _ value: JSONValue?, _ axis: Axis, in bytes: Span<UInt8>, _ fault: inout RowFault?
    ) -> Int {
        guard let value, value.kind != .null else {
            fault = RowFault(problem: .missingCoordinate, axis: axis)
            return 0
        }
        let microdegrees: Int? =
            switch value.kind {
            case .number: DecimalDegrees.microdegrees(bytes, value.range)
            case .text: DecimalDegrees.microdegrees(bytes, bytes.trimmingBlanks(value.text.range), axis: axis)
            default: nil
            }
        if microdegrees == nil { fault = RowFault(problem: .unreadableCoordinate, axis: axis) }
        return microdegrees ?? 0
    }

    func idFault(_ feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> RowFault? {
        guard let id = idRule.id(of: feature, in: bytes) else {
            return idRule.propertyName == nil ? nil : RowFault(problem: .missingID)
        }
        return id.kind == .text || id.kind == .number ? nil : RowFault(problem: .unreadableID)
    }

    /// The offending text for a message about a bad feature.
    package func found(_ fault: RowFault, _ feature: GeoJSONFeatureScanner, from start: Int, in input: InputBytes)
        -> String
    {
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
            return quoted(
                fault.axis == .longitude ? feature.longitude ?? feature.coordinates : feature.latitude,
                orElse: "missing")
        case .unreadableID:
            return quoted(idRule.id(of: feature, in: bytes), orElse: "missing") + ", expected a string or a number"
        case .duplicateID: return quoted(idRule.id(of: feature, in: bytes), orElse: "missing")
        default: return ""
        }
    }

    /// The bytes at which the JSON is broken, and what was expected there; empty at the end of the file.
    package static func found(_ fault: JSONFault, in bytes: Span<UInt8>) -> String {
        guard fault.offset < bytes.count else { return "" }
        let end = min(fault.offset + 16, bytes.count)
        let token = (fault.offset..<end).map { bytes[$0] }.prefix { $0 > 0x20 }
        let found = token.isEmpty ? "a byte \(bytes[fault.offset])" : InputError.quoted(token)
        return "\(found), expected \(fault.expected)"
    }
}

/// Where a feature's id is: in the property named by the options, or else in its "id" member.
package struct GeoJSONIDRule: Sendable {
    /// The name without escapes; compared byte by byte.
    let propertyName: [UInt8]?

    init(_ options: InputOptions) { propertyName = options.idColumn.map { Array($0.utf8) } }

    /// The id; `nil` if there is none, or if it is null or an empty string.
    package func id(of feature: GeoJSONFeatureScanner, in bytes: Span<UInt8>) -> JSONValue? {
        let id =
            if let propertyName {
                feature.properties.first { bytes.isEqual($0.name, propertyName) }?.value
            } else { feature.id }
        guard let id, id.kind != .null, !(id.kind == .text && id.range.count == 2) else { return nil }
        return id
    }

    /// Writes an id so that equal ids have equal bytes: the text of a string, or the canonical text of a number. A
    /// number equals the string of its digits.
    func identity(_ id: JSONValue, in bytes: Span<UInt8>, into text: inout [UInt8]) {
        guard id.kind == .number else {
            bytes.unescape(id.text, into: &text)
            return
        }
        guard !CanonicalNumber.write(bytes, id.range, into: &text) else { return }
        text.removeAll(keepingCapacity: true)
        for position in id.range { text.append(bytes[position]) }
    }
}
