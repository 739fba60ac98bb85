import Foundation
import PyramidBuild
import PyramidClusters
import PyramidParts
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Rows that another program changes after they were accepted.
struct ChangedRowTests {
    private static let csv = """
        name,lat,lon,size,open,id
        "a ""b"", c",51.25,-3.5,12.5,true,7
        "x
        y",7,8,,FALSE,12
        ,1,2,-3e2,true,007
        "a ""b"", c",51.25,-3.5,12.50,true,7

        """
    private static let geoJSON = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[-3.5,51.25]},"properties":{"name":"a\\n\\u00e9",\
        "size":12.5,"open":true,"id":7,"n":{"a":[1,"b\\""]}}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":["8",7]},"properties":{"id":"7","size":null}},
        {"type":"Feature","properties":{"size":-3e2,"na\\u006de":"c","id":7.0},"geometry":{"coordinates":[-3.5,51.25],\
        "type":"Point"}}]}

        """

    /// Bytes that mean something in one of the formats or in neither.
    private static let replacements = Array("\",\n{}[]:\\t0-e\0".utf8) + [0x80, 0xff]

    /// Reads everything again that is read again of a table's rows.
    private func readAgain(_ table: PointTable, named names: [String]) throws {
        for format in [TileCodec.geojson, .mvt] {
            switch format {
            case .geojson: #expect(encodedByteCount(table, GeoJSONTileEncoder()) > 0)
            case .mvt: #expect(encodedByteCount(table, MVTTileEncoder(EncodingOptions())) > 0)
            }
        }
        for name in names {
            let column = try table.column(named: name, option: .include)
            #expect(NumberColumn(column, of: table).ranks.count == table.count)
            #expect(TextColumn(column, of: table).indices.count == table.count)
        }
        for point in 0..<table.count { #expect(table.rowBytes(of: point).count <= table.inputs.byteCount) }
        var sorted = table
        #expect(sorted.sort(in: PointGroups(), jobs: 1).order.count == table.count)
    }

    private func encodedByteCount<Encoder: TileEncoder & ~Copyable>(
        _ table: PointTable, _ encoder: consuming Encoder
    ) -> Int {
        var row = EncodedRow(table)
        encoder.begin(TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 0))
        for point in 0..<table.count {
            row.move(to: point)
            encoder.append(&row)
        }
        encoder.finish()
        return encoder.withUnsafeBytes { $0.count }
    }

    /// Replaces every byte by others, one at a time, and calls `body` with the changed input each time.
    private func forEachChange(of input: InputBytes, _ body: () throws -> Void) rethrows {
        let bytes = UnsafeMutableRawBufferPointer(mutating: input.bytes)
        for index in bytes.indices {
            let before = bytes[index]
            for byte in ChangedRowTests.replacements where byte != before {
                bytes[index] = byte
                try body()
            }
            bytes[index] = before
        }
    }

    @Test(arguments: [csv, geoJSON])
    func `rows of which any byte was changed are read again without a trap`(text: String) throws {
        let input = InputBytes(Array(text.utf8), name: "points")
        let table = try PointTable(
            reading: [input], options: InputOptions(idColumn: "name", maxSkipped: .percent(100)))
        let before = CSVReading.features(table)
        try forEachChange(of: input) { try readAgain(table, named: ["name", "size", "open"]) }
        #expect(CSVReading.features(table) == before)
    }

    @Test(arguments: [csv, geoJSON])
    func `ids of which any byte was changed are compared without a trap`(text: String) throws {
        let input = InputBytes(Array(text.utf8), name: "points")
        let options = InputOptions(idColumn: "id")
        var reader: any PointReader =
            text.hasPrefix("{")
            ? GeoJSONPointReader(input, options: options)
            : try CSVPointReader(input, options: options, isOnlyInput: true)
        try reader.read(InputCutting(), store: nil) { _ in }
        let accepted = reader.rows.count
        forEachChange(of: input) {
            var readers = [reader]
            #expect(throws: Never.self) {
                try DuplicateIDs(readers, InputSequence([input]), options).settle(&readers, nil)
            }
            #expect(readers[0].rows.count == accepted)
        }
    }
}
