import PyramidTiles

/// The accepted points as parallel arrays, 16 bytes a point; everything else about a point stays in the mapped input
/// and is read again where it is written.
///
/// Invariant: the three arrays have one length, and every record start is that of a row that was accepted.
struct PointTable: Sendable {
    /// Microdegrees east, in -180,000,000 ..< 180,000,000.
    private(set) var longitudes: [Int32]
    /// Microdegrees north, in -90,000,000 ... 90,000,000.
    private(set) var latitudes: [Int32]
    /// Where each point's record begins in the input, in bytes.
    private(set) var recordStarts: [UInt64]

    let input: InputBytes
    let report: InputReport
    let format: CSVRecordFormat

    init(
        longitudes: [Int32], latitudes: [Int32], recordStarts: [UInt64], input: InputBytes, report: InputReport,
        format: CSVRecordFormat
    ) {
        precondition(longitudes.count == latitudes.count && latitudes.count == recordStarts.count)
        self.longitudes = longitudes
        self.latitudes = latitudes
        self.recordStarts = recordStarts
        self.input = input
        self.report = report
        self.format = format
    }

    var count: Int { longitudes.count }

    /// The names of the points' properties as they are written, in the order of the columns.
    var propertyNames: [String] { format.properties.map(\.name) }

    /// Property name to "String" or "Number".
    var fields: [String: String] {
        Dictionary(uniqueKeysWithValues: format.properties.map { ($0.name, $0.isNumber ? "Number" : "String") })
    }

    func coordinate(_ index: Int) -> Coordinate {
        Coordinate(longitudeMicrodegrees: longitudes[index], latitudeMicrodegrees: latitudes[index])
    }

    /// Puts the points into another order: the new point `i` is the old point `permutation[i]`.
    mutating func reorder(by permutation: [UInt32]) {
        precondition(permutation.count == count, "not a permutation of the points")
        // One array after the other, so that only one is there twice.
        longitudes = permutation.map { longitudes[Int($0)] }
        latitudes = permutation.map { latitudes[Int($0)] }
        recordStarts = permutation.map { recordStarts[Int($0)] }
    }

    /// Room for ``appendPoint(_:to:scratch:)``, one for each worker.
    func makeScratch() -> RecordScratch { RecordScratch(format) }

    /// Writes a point as a whole feature.
    func appendPoint(_ index: Int, to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch) {
        format.append(
            input.bytes, from: Int(recordStarts[index]), at: coordinate(index), to: &encoder, scratch: &scratch)
    }
}

extension PointTable {
    /// Whether the record of one point comes before that of another by its bytes alone; a shorter one comes before what
    /// it begins. Linear in the rows' common beginning, or in their lengths if that has quotes.
    func recordPrecedes(_ first: Int, _ second: Int) -> Bool {
        let elements = input.elements
        return RecordOrder.precedes(
            elements.span, Int(recordStarts[first]), Int(recordStarts[second]), delimiter: format.delimiter)
    }
}
