import PyramidBuild
import PyramidInput
import PyramidTiles

/// Shorthands for reading inputs in tests, as CSV by default.
package enum CSVReading {
    package static func table(
        _ bytes: [UInt8], _ options: InputOptions = InputOptions(), name: String = "t.csv"
    ) throws(InputError) -> PointTable {
        try PointTable(reading: [InputBytes(bytes, name: name)], options: options.lenient)
    }

    package static func table(
        _ text: String, _ options: InputOptions = InputOptions(), name: String = "t.csv"
    ) throws(InputError) -> PointTable {
        try table(Array(text.utf8), options, name: name)
    }

    /// The points as longitude/latitude in microdegrees, in the order of the rows, followed by the skipped rows by
    /// reason; or the kind and text of the error.
    package static func outcome(
        _ bytes: [UInt8], _ options: InputOptions = InputOptions(), name: String = "t.csv"
    ) -> String {
        do throws(InputError) {
            let table = try table(bytes, options, name: name)
            let points = (0..<table.count).map { "\(table.longitudes[$0])/\(table.latitudes[$0])" }
            let skipped = RowProblem.allCases.compactMap { problem in
                table.report.rowsSkipped[problem].map { "\(problem.rawValue) \($0)" }
            }
            return (points + skipped).joined(separator: ", ")
        } catch {
            return "\(error.kind): \(error)"
        }
    }

    /// Every point's feature as JSON, without the parts that all features share.
    package static func features(_ table: PointTable) -> [String] {
        var encoder = GeoJSONTileEncoder()
        var row = EncodedRow(table)
        return (0..<table.count).map { index in
            encoder.begin()
            row.move(to: index)
            encoder.append(&row)
            encoder.finish()
            let json = encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let opening = #"{"type":"FeatureCollection","features":[{"type":"Feature","#
            return String(json.dropFirst(opening.count).dropLast("}]}".count))
        }
    }

    /// Every point's properties as JSON.
    package static func properties(_ table: PointTable) -> [String] {
        features(table).map { $0.split(separator: #""properties":"#).last.map(String.init) ?? "" }
    }
}

/// The rows of a table as written.
package struct EncodedRow: ~Copyable, MarkerView {
    private let table: PointTable
    private var scratch: RowScratch
    private var point = 0
    /// The only property to write; `nil` for all.
    package var column: PointColumn?

    package init(_ table: PointTable) {
        self.table = table
        scratch = table.makeScratch()
    }

    package var coordinate: Coordinate { table.coordinate(point) }
    package var cluster: ClusterFields? { nil }

    package mutating func move(to point: Int) {
        self.point = point
        table.scan(point, scratch: &scratch)
    }

    package mutating func withID(_ body: (PropertyView?) -> Void) { table.withID(of: point, scratch: &scratch, body) }

    package mutating func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor) {
        if let column {
            table.visitProperty(column, of: point, scratch: &scratch, &visitor)
        } else {
            table.visitProperties(of: point, scratch: &scratch, &visitor)
        }
    }
}

extension InputOptions {
    /// With any number of skipped rows, unless these options limit it.
    package var lenient: InputOptions {
        var options = self
        if !isStrict, maxSkipped == nil { options.maxSkipped = .unlimited }
        return options
    }
}
