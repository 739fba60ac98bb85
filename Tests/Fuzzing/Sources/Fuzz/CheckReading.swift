import Foundation
@testable import PyramidClusters
@testable import PyramidTiles

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidStore

private typealias Reading = Result<PointTable, InputError>

/// Reads bytes as an input, in several ways that must agree.
func checkReading(_ bytes: UnsafeRawBufferPointer, isGeoJSON: Bool) {
    let content = [UInt8](bytes)
    let input = InputBytes(content, name: "input")
    guard GeoJSONPointReader.recognises(input) == isGeoJSON else { return }
    let reading = read([input])
    check(reading)
    check(read([input], InputOptions(idColumn: "id", maxSkipped: .unlimited)))
    checkStrict(reading, read([input], InputOptions(isStrict: true)))
    checkLimit(reading, read([input], InputOptions()))
    checkTwice(reading, read([input, input]))
    checkCut(reading, input)
    if content.count % 16 == 0 { checkCompressed(reading, content) }
}

private func read(_ inputs: [InputBytes], _ options: InputOptions = InputOptions(maxSkipped: .unlimited)) -> Reading {
    Result { () throws(InputError) in try PointTable(reading: inputs, options: options) }
}

private func check(_ reading: Reading) {
    guard case .success(let table) = reading else { return }
    let report = table.report
    require(report.rowsRead == report.rowsAccepted + report.rowsSkipped.values.reduce(0, +), "rows are lost")
    require(report.rowsAccepted == table.count, "\(report.rowsAccepted) rows make \(table.count) points")
    checkRows(of: table)
    checkOrder(of: table)
}

/// The points are written as a tile that shows them where they are.
private func checkRows(of table: PointTable) {
    var encoder = GeoJSONTileEncoder()
    var row = WrittenRow(table)
    encoder.begin()
    for point in 0..<table.count {
        row.move(to: point)
        encoder.append(&row)
    }
    encoder.finish()
    let body = encoder.withUnsafeBytes { [UInt8]($0) }
    do throws(TileDecodingError) {
        let tile = try GeoJSONTileDecoder.decode(body, at: world)
        require(tile.markers.map(\.coordinate) == (0..<table.count).map(table.coordinate), "points have moved")
    } catch {
        fatalError("\(error): \(String(decoding: body, as: UTF8.self))")
    }
}

/// Of two rows, at most one comes first.
private func checkOrder(of table: PointTable) {
    for first in 0..<min(table.count, 6) {
        for second in 0...first where table.rowPrecedes(first, second) {
            require(!table.rowPrecedes(second, first), "records \(first) and \(second) precede each other")
        }
    }
}

/// The standard limit refuses some inputs, and changes no other.
private func checkLimit(_ reading: Reading, _ limited: Reading) {
    switch (reading, limited) {
    case (.success(let table), .success(let other)):
        require(table.report == other.report, "a limit shows in the report")
    case (.success(let table), .failure(let error)):
        let bad = table.report.rowsSkipped.filter { !$0.key.isHarmless }.values.reduce(0, +)
        require(error.kind == .badData && bad > 1, "\(bad) bad rows are too many: \(error)")
    case (.failure(let error), .success): fatalError("a limit forgives: \(error)")
    case (.failure, .failure): break
    }
}

/// Strict reading stops if rows are skipped, and only then.
private func checkStrict(_ reading: Reading, _ strict: Reading) {
    switch (reading, strict) {
    case (.success(let table), .success(let other)):
        require(table.report == other.report && table.report.rowsSkipped.isEmpty, "strict reading skips rows")
    case (.success(let table), .failure(let error)):
        require(error.kind == .badData && !table.report.rowsSkipped.isEmpty, "strict reading finds fault: \(error)")
    case (.failure(let error), .success): fatalError("strict reading forgives: \(error)")
    case (.failure, .failure): break
    }
}

/// Reading the same input twice gives twice the rows.
private func checkTwice(_ reading: Reading, _ twice: Reading) {
    switch (reading, twice) {
    case (.success(let table), .success(let other)):
        check(twice)
        // In that case the ids of GeoJSON features repeat.
        let accepted = table.report.rowsAccepted
        require(other.report.rowsRead == table.report.rowsRead * 2, "rows are lost between inputs")
        require((accepted...accepted * 2).contains(other.report.rowsAccepted), "rows are lost between inputs")
        require(table.fields == other.fields, "the same columns are of other types")
    case (.failure, .failure): break
    default: fatalError("twice the same input is not the same: \(reading) \(twice)")
    }
}

/// Dividing an input among several threads makes no difference.
private func checkCut(_ reading: Reading, _ input: InputBytes) {
    let cut = Result { () throws(InputError) in
        try PointTable(
            reading: [input], options: InputOptions(maxSkipped: .unlimited),
            cutting: InputCutting(jobs: 2, chunkBytes: 1 + input.bytes.count / 7))
    }
    switch (reading, cut) {
    case (.success(let table), .success(let other)):
        require(table.report == other.report && table.fields == other.fields, "cutting shows in the report")
        require(
            table.longitudes == other.longitudes && table.latitudes == other.latitudes
                && table.rowStarts == other.rowStarts, "cutting shows in the points")
    case (.failure(let error), .failure(let other)):
        require(error.description == other.description, "\(error) is \(other) where it is cut")
    default: fatalError("cutting shows: \(reading) \(cut)")
    }
}

/// Compression makes no difference.
private func checkCompressed(_ reading: Reading, _ content: [UInt8]) {
    // Only files are converted.
    let isConverted = content.withUnsafeBytes { SpoolFile.isUTF16($0) }
    guard !content.starts(with: Gzip.magic), !isConverted else { return }
    let path = NSTemporaryDirectory() + "fuzz-\(getpid()).gz"
    defer { unlink(path) }
    var buffer = ByteBuffer()
    content.withUnsafeBytes { GzipCompressor(level: 1).compress($0, into: &buffer) }
    do {
        try buffer.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
        switch (reading, read([try InputBytes(path: path)])) {
        case (.success(let table), .success(let other)):
            require(table.report.digest == other.report.digest, "compressed rows have another digest")
            require(table.report.rowsSkipped == other.report.rowsSkipped, "compressed rows are skipped otherwise")
        case (.failure(let error), .failure(let other)):
            require(error.kind == other.kind && error.line == other.line, "\(error) is \(other) where compressed")
        default: fatalError("compression shows: \(reading)")
        }
    } catch {
        fatalError("\(error)")
    }
}

/// The rows of a table as written.
private struct WrittenRow: ~Copyable, MarkerView {
    private let table: PointTable
    private var scratch: RowScratch
    private var point = 0

    init(_ table: PointTable) {
        self.table = table
        scratch = table.makeScratch()
    }

    var coordinate: Coordinate { table.coordinate(point) }
    var place: WorldPoint { WebMercator.project(coordinate) }
    var cluster: ClusterFields? { nil }

    mutating func move(to point: Int) {
        self.point = point
        table.scan(point, scratch: &scratch)
    }

    mutating func withID(_ body: (PropertyView?) -> Void) { table.withID(of: point, scratch: &scratch, body) }

    mutating func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
        table.visitProperties(of: point, scratch: &scratch, &visitor)
    }
}
