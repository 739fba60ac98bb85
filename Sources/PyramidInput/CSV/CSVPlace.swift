import PyramidTiles

/// The columns of a CSV row's coordinates, and how they are read.
package struct CSVPlace: Sendable {
    package var columns: CoordinateColumns
    /// The order of two numbers in one cell, unless their notation fixes it; `nil` for the usual order of the notation.
    package var order: PointOrder?

    /// - Parameter buffer: room for a text with doubled quotes.
    package func read(_ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> PlaceReading {
        if columns.isPoint { return point(fields[columns.latitude.degrees], of: bytes, &buffer) }
        guard let north = value(.latitude, fields, of: bytes, &buffer) else {
            return PlaceReading(fault: fault(.latitude, fields, of: bytes, &buffer))
        }
        guard let east = value(.longitude, fields, of: bytes, &buffer) else {
            return PlaceReading(fault: fault(.longitude, fields, of: bytes, &buffer))
        }
        guard north.isPacked == east.isPacked else {
            let axis = north.isPacked ? Axis.longitude : .latitude
            return PlaceReading(fault: RowFault(problem: .unreadableCoordinate, axis: axis))
        }
        var reading = PlaceReading(longitude: east.microdegrees, latitude: north.microdegrees)
        reading.isPacked = north.isPacked
        if reading.fault != nil, areNoData(fields, of: bytes) { reading.fault = RowFault(problem: .missingCoordinate) }
        return reading
    }

    /// Whether each coordinate is readable or missing.
    func areReadableOrMissing(_ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> Bool {
        if columns.isPoint {
            return point(fields[columns.latitude.degrees], of: bytes, &buffer).fault?.problem != .unreadableCoordinate
        }
        return [Axis.latitude, .longitude].allSatisfy { axis in
            value(axis, fields, of: bytes, &buffer) != nil
                || fault(axis, fields, of: bytes, &buffer).problem == .missingCoordinate
        }
    }

    @inline(__always)
    private func value(
        _ axis: Axis, _ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]
    ) -> (microdegrees: Int, isPacked: Bool)? {
        let angle = columns[axis]
        guard angle.isPlain else { return AngleCells(angle, fields, of: bytes, axis).value }
        return bytes.withUnquoted(fields[angle.degrees], &buffer) { text, range in
            DecimalDegrees.microdegrees(text, text.trimmingBlanks(range), axis: axis)
        }.map { ($0, false) }
    }

    private func fault(
        _ axis: Axis, _ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]
    ) -> RowFault {
        let isMissing = bytes.withUnquoted(fields[columns[axis].degrees], &buffer) { DecimalDegrees.isMissing($0, $1) }
        return RowFault(problem: isMissing ? .missingCoordinate : .unreadableCoordinate, axis: axis)
    }

    /// The point in the cell that holds both coordinates.
    private func point(_ field: CSVField, of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> PlaceReading {
        var reading = bytes.withUnquoted(field, &buffer) { text, range in
            switch PointText.read(text, range, order: order) {
            case .point(let point):
                var reading = PlaceReading(longitude: point.longitude, latitude: point.latitude)
                if !point.hasFixedOrder { reading.order = point.order }
                return reading
            case .missing: return PlaceReading(fault: RowFault(problem: .missingCoordinate))
            case .foreign, .unclearDirection, .unreadable:
                return PlaceReading(fault: RowFault(problem: .unreadableCoordinate))
            }
        }
        reading.fault?.isInPoint = true
        return reading
    }

    /// Whether both cells have the number that stands for no data in many tables.
    private func areNoData(_ fields: [CSVField], of bytes: Span<UInt8>) -> Bool {
        columns.columns.allSatisfy { column in
            let text = bytes.trimmingBlanks(fields[column].range).prefix(16).map { bytes[$0] }
            return Double(String(decoding: text, as: UTF8.self)).map { abs($0) == 9999 } ?? false
        }
    }

    /// The cells of a coordinate as a message shows them, and what helps to understand why they can't be read.
    package func shown(_ axis: Axis, _ fields: [CSVField], of bytes: Span<UInt8>) -> String {
        guard columns.isPoint || columns[axis].isPlain else {
            let cells = AngleCells(columns[axis], fields, of: bytes, axis)
            return InputError.quoted(cells.shown) + (cells.hint.map { " (\($0))" } ?? "")
        }
        let field = fields[columns[axis].degrees]
        var buffer: [UInt8] = []
        let hint = bytes.withUnquoted(field, &buffer) { text, range in
            (columns.isPoint
                ? PointText.hint(text, range) : DecimalDegrees.hint(text, text.trimmingBlanks(range), axis: axis))
                ?? CSVPlace.oddCharacter(String(decoding: range.map { text[$0] }, as: UTF8.self))
        }
        return InputError.quoted(bytes.extracting(field.range)) + (hint.map { " (\($0))" } ?? "")
    }

    /// Why a text isn't a coordinate, though it may look like one.
    private static func oddCharacter(_ text: String) -> String? {
        if text.count > 1, text.hasPrefix("'"), text.hasSuffix("'") { return "it is in single quotes" }
        return text.unicodeScalars.first {
            !$0.isASCII && [.dashPunctuation, .format].contains($0.properties.generalCategory)
        }.map { "it has the character \($0.codePoint)" }
    }
}
