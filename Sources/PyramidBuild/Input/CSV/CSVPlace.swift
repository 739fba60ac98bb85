import PyramidTiles

/// The columns of a CSV row's coordinates, and how they are read.
struct CSVPlace: Sendable {
    var columns: CoordinateColumns
    /// The order of two numbers in one cell, unless their notation fixes it; `nil` for the usual order of the notation.
    var order: PointOrder?

    /// - Parameter buffer: room for a text with doubled quotes.
    func read(_ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> PlaceReading {
        if columns.isPoint { return point(fields[columns.latitude.degrees], of: bytes, &buffer) }
        var reading = PlaceReading()
        let north = microdegrees(.latitude, fields, of: bytes, &buffer, &reading)
        guard reading.fault == nil else { return reading }
        let isPacked = reading.isPacked
        reading.isPacked = false
        let east = microdegrees(.longitude, fields, of: bytes, &buffer, &reading)
        guard reading.fault == nil else { return reading }
        guard isPacked == reading.isPacked else {
            reading.fault = RowFault(problem: .unreadableCoordinate, axis: isPacked ? .longitude : .latitude)
            return reading
        }
        reading.take(longitude: east, latitude: north)
        if reading.fault != nil, areNoData(fields, of: bytes) { reading.fault = RowFault(problem: .missingCoordinate) }
        return reading
    }

    /// Whether each coordinate is readable or missing.
    func areReadableOrMissing(_ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8]) -> Bool {
        if columns.isPoint {
            return point(fields[columns.latitude.degrees], of: bytes, &buffer).fault?.problem != .unreadableCoordinate
        }
        return [Axis.latitude, .longitude].allSatisfy { axis in
            var reading = PlaceReading()
            _ = microdegrees(axis, fields, of: bytes, &buffer, &reading)
            return reading.fault?.problem != .unreadableCoordinate
        }
    }

    private func microdegrees(
        _ axis: Axis, _ fields: [CSVField], of bytes: Span<UInt8>, _ buffer: inout [UInt8],
        _ reading: inout PlaceReading
    ) -> Int {
        let angle = columns[axis]
        let field = fields[angle.degrees]
        let value =
            if angle.isPlain {
                bytes.withUnquoted(field, &buffer) { text, range in
                    DecimalDegrees.microdegrees(text, text.trimmingBlanks(range), axis: axis)
                }
            } else {
                AngleCells(angle, fields, of: bytes, axis).microdegrees(&reading.isPacked)
            }
        if let value { return value }
        let isMissing = bytes.withUnquoted(field, &buffer) { CSVPlace.isMissing($0, $1) }
        reading.fault = RowFault(problem: isMissing ? .missingCoordinate : .unreadableCoordinate, axis: axis)
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

    /// Whether a cell says that there is no coordinate: it is empty, or has one of the words that databases, data frames
    /// and spreadsheets write then.
    private static func isMissing(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if DecimalDegrees.isMissing(bytes, range) { return true }
        let text = bytes.trimmingBlanks(range)
        guard text.count <= 4 else { return false }
        let word = String(decoding: text.map { bytes[$0] }, as: UTF8.self).lowercased()
        return ["null", "nan", "none", "na", "n/a", "#n/a", "\\n", "-"].contains(word)
    }

    /// Whether both cells have the number that stands for no data in many tables.
    private func areNoData(_ fields: [CSVField], of bytes: Span<UInt8>) -> Bool {
        columns.columns.allSatisfy { column in
            let text = String(
                decoding: bytes.trimmingBlanks(fields[column].range).prefix(16).map { bytes[$0] }, as: UTF8.self)
            return Double(text).map { abs($0) == 9999 } ?? false
        }
    }

    /// The cells of a coordinate as a message shows them, and what helps to understand why they can't be read.
    func shown(_ axis: Axis, _ fields: [CSVField], of bytes: Span<UInt8>) -> String {
        guard columns.isPoint || columns[axis].isPlain else {
            let cells = AngleCells(columns[axis], fields, of: bytes, axis)
            return InputError.quoted(cells.shown) + (cells.hint.map { " (\($0))" } ?? "")
        }
        let field = fields[columns[axis].degrees]
        var buffer: [UInt8] = []
        let hint = bytes.withUnquoted(field, &buffer) { text, range in
            columns.isPoint
                ? PointText.hint(text, range) : DecimalDegrees.hint(text, text.trimmingBlanks(range), axis: axis)
        }
        return InputError.quoted(bytes.extracting(field.range)) + (hint.map { " (\($0))" } ?? "")
    }
}
