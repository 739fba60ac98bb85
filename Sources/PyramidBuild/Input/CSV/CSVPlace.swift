import PyramidTiles

/// The columns of a CSV row's coordinates, and how they are read.
struct CSVPlace: Sendable {
    var columns: CoordinateColumns
    /// The order of two numbers in one cell, unless their notation fixes it; `nil` for the usual order of the notation.
    var order: PointOrder?

    func read(_ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> PlaceReading {
        read(latitude: fields[columns.latitude], longitude: fields[columns.longitude], of: bytes, &buffer)
    }

    /// - Parameter buffer: room for a text with doubled quotes.
    func read(
        latitude: CSVField, longitude: CSVField, of bytes: Span<UInt8>, _ buffer: inout [UInt8]
    ) -> PlaceReading {
        if columns.isPoint { return point(latitude, of: bytes, &buffer) }
        var reading = PlaceReading()
        let north = microdegrees(.latitude, latitude, of: bytes, &buffer, &reading.fault)
        guard reading.fault == nil else { return reading }
        let east = microdegrees(.longitude, longitude, of: bytes, &buffer, &reading.fault)
        if reading.fault == nil { reading.take(longitude: east, latitude: north) }
        return reading
    }

    /// Whether each coordinate is readable or missing.
    func areReadableOrMissing(
        latitude: CSVField, longitude: CSVField, of bytes: Span<UInt8>, _ buffer: inout [UInt8]
    ) -> Bool {
        var faults: [RowFault?] = [nil, nil]
        if columns.isPoint {
            faults[0] = point(latitude, of: bytes, &buffer).fault
        } else {
            _ = microdegrees(.latitude, latitude, of: bytes, &buffer, &faults[0])
            _ = microdegrees(.longitude, longitude, of: bytes, &buffer, &faults[1])
        }
        return faults.allSatisfy { $0?.problem != .unreadableCoordinate }
    }

    /// Whether the coordinates are certain in a row with more fields than the header, where an unquoted delimiter may have
    /// shifted them: not if one is a whole number, such as the 51 of `51,25`.
    func isCertain(_ fields: [CSVField], of bytes: Span<UInt8>) -> Bool {
        columns.columns.allSatisfy { column in
            bytes.trimmingBlanks(fields[column].range).contains {
                bytes[$0] < 0x2b || bytes[$0] > 0x39 || bytes[$0] == 0x2e
            }
        }
    }

    private func microdegrees(
        _ axis: Axis, _ field: CSVField, of bytes: Span<UInt8>, _ buffer: inout [UInt8], _ fault: inout RowFault?
    ) -> Int {
        let value = bytes.withUnquoted(field, &buffer) { text, range in
            DecimalDegrees.microdegrees(text, text.trimmingBlanks(range), axis: axis)
        }
        if let value { return value }
        let isMissing = CSVPlace.isMissing(bytes, field.range)
        fault = RowFault(problem: isMissing ? .missingCoordinate : .unreadableCoordinate, axis: axis)
        return 0
    }

    /// The point in the cell that holds both coordinates.
    private func point(_ field: CSVField, of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> PlaceReading {
        bytes.withUnquoted(field, &buffer) { text, range in
            var reading = PlaceReading()
            switch PointText.read(text, range, order: order) {
            case .point(let point):
                reading.take(longitude: point.longitude, latitude: point.latitude)
                if !point.hasFixedOrder { reading.order = point.order }
            case .missing: reading.fault = RowFault(problem: .missingCoordinate)
            case .foreign, .unclearDirection, .unreadable:
                let isMissing = CSVPlace.isMissing(text, range)
                reading.fault = RowFault(problem: isMissing ? .missingCoordinate : .unreadableCoordinate)
            }
            reading.fault?.isInPoint = true
            return reading
        }
    }

    /// Whether a cell says that there is no coordinate: it is empty, or has one of the words that databases and data
    /// frames write then.
    private static func isMissing(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if DecimalDegrees.isMissing(bytes, range) { return true }
        let text = bytes.trimmingBlanks(range)
        guard text.count <= 4 else { return false }
        let word = String(decoding: text.map { bytes[$0] }, as: UTF8.self).lowercased()
        return ["null", "nan", "none", "na", "n/a", "\\n"].contains(word)
    }

    /// What helps to understand why the text of a coordinate can't be read; `nil` if nothing does.
    func hint(_ axis: Axis, _ field: CSVField, of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> String? {
        bytes.withUnquoted(field, &buffer) { text, range in
            columns.isPoint
                ? PointText.hint(text, range) : DecimalDegrees.hint(text, text.trimmingBlanks(range), axis: axis)
        }
    }
}
