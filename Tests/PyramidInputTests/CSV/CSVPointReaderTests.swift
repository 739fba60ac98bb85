import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

struct CSVPointReaderTests {
    @Test(
        arguments: CSVCases.shapes + CSVCases.coordinates + CSVCases.refusals + OddCSVCases.encodings
            + OddCSVCases.headers + OddCSVCases.numbers + OddCSVCases.preambles)
    func `an input comes to what the rules say`(given: InputCase) {
        #expect(CSVReading.outcome(given.bytes, given.options) == given.outcome)
    }

    @Test func `bad rows are shown with their lines in order, three of each reason`() throws {
        let rows = ["1,2,\"a\nb\"", "91,2,x", "1,2.5,3,4", "92,2,x", "93,2,x", "94,2,x", ",2,x"]
        let report = try CSVReading.table("lat,lon,n\n" + rows.joined(separator: "\n")).report
        #expect(
            report.examples.map(\.description) == [
                "t.csv:4: latitude is \"91\", expected degrees from -90 to 90",
                "t.csv:5: row has 4 cells, expected 3, so its coordinates are uncertain",
                "t.csv:6: latitude is \"92\", expected degrees from -90 to 90",
                "t.csv:7: latitude is \"93\", expected degrees from -90 to 90",
                "t.csv:9: latitude is missing, expected degrees from -90 to 90",
            ])
        #expect(report.rowsSkipped == [.coordinateOutOfRange: 4, .raggedRow: 1, .missingCoordinate: 1])
    }

    @Test func `places beyond the edge of the map are accepted and counted`() throws {
        let report = try CSVReading.table("lat,lon\n85.051128,1\n85.051129,2\n-85.0512,3\n-85.051128,4\n90,5").report
        #expect(report.rowsAccepted == 5)
        #expect(report.rowsClamped == 3)
    }

    private static let swapped =
        "most latitudes are out of range but would be in range if swapped with the longitudes: "

    @Test func `swapped coordinates are warned of when most latitudes are out of range`() throws {
        let warnings = { (rows: String) in try CSVReading.table("lat,lon\n" + rows).report.warnings.map(\.description) }
        let swapped =
            CSVPointReaderTests.swapped + "name the columns with latitude column and longitude column"
        let rows = "121.5,25\n-122.25,90\n"
        #expect(try warnings(rows + "48,11") == [swapped, "skipped 2 of 3 rows, 66% (coordinate out of range: 2)"])
        #expect(
            try warnings(rows + "48,11\n49,12") == ["skipped 2 of 4 rows, 50% (coordinate out of range: 2)"])
        #expect(
            CSVReading.outcome(Array("lat,lon\n121.5,25".utf8))
                == "badData: t.csv: the only row is not usable (coordinate out of range: 1); first: t.csv:2: "
                + "latitude is \"121.5\", expected degrees from -90 to 90; \(swapped)")

        // Swapping wouldn't help these.
        let share = "skipped 2 of 3 rows, 66% (coordinate out of range: 2)"
        let projected = "most coordinates are out of range: are they degrees (WGS 84)?"
        #expect(try warnings("121.5,91\n-122.25,-90.5\n48,11") == [projected, share])
        #expect(try warnings("1,-361\n2,361\n3,4") == [projected, share])
        #expect(try warnings("1000.5,3\n2,-999.5\n3,4") == [projected, share])
        #expect(
            try warnings("121.5,x\n121.5,\n3,4")
                == ["skipped 2 of 3 rows, 66% (missing coordinate: 1, unreadable coordinate: 1)"])
        #expect(
            try warnings("x,121.5\n,121.5\n3,4")
                == ["skipped 2 of 3 rows, 66% (missing coordinate: 1, unreadable coordinate: 1)"])
    }

    @Test func `swapped coordinates of GeoJSON are warned of`() throws {
        let text = GeoJSONText.feature("[37.5,-122.25]") + GeoJSONText.feature("[25,121.5]") + GeoJSONText.feature()
        #expect(
            try CSVReading.table(text).report.warnings
                == [
                    "\(CSVPointReaderTests.swapped)GeoJSON has the longitude first",
                    "skipped 2 of 3 rows, 66% (coordinate out of range: 2)",
                ])
        #expect(
            try CSVReading.table(text + GeoJSONText.feature()).report.warnings
                == ["skipped 2 of 4 rows, 50% (coordinate out of range: 2)"])
    }

    @Test func `the digest tells rows and headers apart and not their order`() throws {
        let digest = { (text: String) in try CSVReading.table(text).report.digest }
        let rows = (0..<50).map { "\(Double($0) / 8),\(-$0),name \($0 % 7)" }
        let plain = try digest("lat,lon,n\n" + rows.joined(separator: "\n"))
        #expect(try digest("lat,lon,n\r\n" + rows.reversed().joined(separator: "\r\n") + "\r\n") == plain)
        #expect(try digest("lat,lon,n\nbad,1,2\n" + rows.joined(separator: "\n")) == plain)
        #expect(try digest("lat,lon,m\n" + rows.joined(separator: "\n")) != plain)
        #expect(try digest("lat,lon,n\n" + rows.dropLast().joined(separator: "\n")) != plain)
        #expect(try digest("lat,lon,n\n" + (rows + ["1,1,1"]).joined(separator: "\n")) != plain)
    }

    @Test func `of rows with one id the greatest is kept whatever their order`() throws {
        let rows = ["7,1,2,5", "\"7\",1,2,x", "8,3,4,6", "7,9,-9,y", "7,9,-9,y", "07,5,6,1"]
        var random = SeededRandom(seed: 7)
        for _ in 0..<20 {
            let shuffled = rows.shuffled(using: &random)
            let table = try CSVReading.table(
                "id,lat,lon,v\n" + shuffled.joined(separator: "\n"), InputOptions(idColumn: "id"))
            #expect(table.report.rowsSkipped == [.duplicateID: 3])
            #expect(table.report.rowsRead == 6 && table.report.rowsAccepted == 3)
            // "7,9,-9,y" is the greatest row with its id, and "07" is a different id.
            #expect(Set(table.latitudes) == [9_000_000, 3_000_000, 5_000_000])
        }
    }

    @Test func `dropped rows count neither for the types of columns nor for the digest`() throws {
        let options = InputOptions(idColumn: "id")
        let kept = try CSVReading.table("id,lat,lon,v\n7,9,2,5\n8,1,2,6", options)
        let both = try CSVReading.table("id,lat,lon,v\n7,1,2,x\n7,9,2,5\n8,1,2,6", options)
        #expect(both.fields == ["v": "Number"])
        #expect(both.report.digest == kept.report.digest)
        #expect(CSVReading.features(both) == CSVReading.features(kept))
    }

    @Test func `a row without an id is bad where ids are asked for`() throws {
        let report = try CSVReading.table("id,lat,lon\n,1,2\na,3,4", InputOptions(idColumn: "ID")).report
        #expect(report.rowsSkipped == [.missingID: 1])
    }

    @Test(arguments: [
        ("degrees_north,degrees_east", true), ("Degrees,Degrees", true), ("(deg),[deg]", true), ("16s,16s", true),
        ("north,east", false), ("12,degrees", false), ("s,s", false),
    ])
    func `only the row below the header can have units`(units: String, isUnits: Bool) throws {
        let options = InputOptions(maxSkipped: .rows(2))
        let first = try CSVReading.table("lat,lon\n\(units)\n1,2\n3,4", options).report
        #expect(first.rowsSkipped == [isUnits ? .units : .unreadableCoordinate: 1] && first.rowsAccepted == 2)
        let later = try CSVReading.table("lat,lon\n1,2\n\(units)\n3,4", options).report
        #expect(later.rowsSkipped == [.unreadableCoordinate: 1] && later.rowsAccepted == 2)
    }

    @Test func `no row is lost in mangled input`() throws {
        var random = SeededRandom(seed: 7)
        let alphabet = Array("\"\",,\n\r;a1.5-e\0 ".utf8) + [0xff, 0xc3, 0xa9]
        for _ in 0..<2_000 {
            var bytes = Array("lat,lon,n\n51.25,-3.5,x\n7,8,\"a\nb\"\n9,10,y\n".utf8)
            for _ in 0..<random.next(below: 12) {
                let place = 10 + random.next(below: bytes.count - 9)
                bytes.insert(alphabet[random.next(below: alphabet.count)], at: place)
            }
            bytes += Array("\n\n1,2,z".utf8)
            do throws(InputError) {
                let report = try CSVReading.table(bytes).report
                #expect(report.rowsRead == report.rowsAccepted + report.rowsSkipped.values.reduce(0, +))
                #expect(report.rowsRead >= 1)
            } catch {
                #expect(error.kind == .badData)
            }
        }
    }

    @Test func `quotes that never close are read in linear time`() throws {
        // Every line takes a reader that is outside quotes inside, and the other way round.
        let text = "lat,lon\n1,2\n\"" + String(repeating: "a\",\"\n", count: 40_000)
        let report = try CSVReading.table(text).report
        #expect(report.rowsAccepted == 1)
        #expect(report.rowsRead == 1 + report.rowsSkipped.values.reduce(0, +))
    }

    @Test func `a row that is too long is skipped and the next is read`() throws {
        let long = "\"" + String(repeating: "x,\n", count: InputLimits.rowBytes / 3 + 1) + "\""
        #expect(CSVReading.outcome(Array("lat,lon,n\n1,2,\(long)\n3,4,y".utf8)) == "4000000/3000000, row too long 1")
    }

    @Test func `a header that is too long is refused`() {
        let plain = String(repeating: "x", count: InputLimits.rowBytes)
        #expect(
            CSVReading.outcome(Array("lat,lon,\(plain)\n1,2,x".utf8))
                == "badData: t.csv:1: header has more than 16777216 bytes")
    }

    @Test func `thousands of columns that could be coordinates are refused`() {
        for (north, east) in [("lat", "lon"), ("y", "x"), ("lat", "x"), ("a_lat", "a_lon")] {
            let names = [String](repeating: north, count: 8_192) + [String](repeating: east, count: 8_192)
            let outcome = CSVReading.outcome(Array((names.joined(separator: ",") + "\n1,2").utf8))
            #expect(outcome.hasPrefix("usage: t.csv:1: several pairs of columns could be latitude and longitude"))
            #expect(outcome.hasSuffix("\"\(east)_8\"; choose with latitude column and longitude column"))
        }
    }

    @Test func `thousands of columns are read and too many are refused`() throws {
        let names = (0..<5_000).map { "c\($0)" }.joined(separator: ",")
        let row = String(repeating: ",", count: 4_999)
        let table = try CSVReading.table("lat,lon,\(names)\n1,2,\(row)\n3,4,\(row)")
        #expect(table.count == 2 && table.propertyNames.count == 5_000)
        let many = String(repeating: "a,", count: InputLimits.columns) + "b"
        #expect(CSVReading.outcome(Array("\(many)\n1".utf8)).hasSuffix("columns, expected at most 16384"))
    }

    @Test func `progress ends at the input's last byte`() throws {
        let input = InputBytes(Array("lat,lon\n1,2\n".utf8), name: "t.csv")
        var last = (0, 0)
        _ = try PointTable(reading: [input], options: InputOptions()) { last = ($0, $1) }
        #expect(last == (12, 12))
    }
}
