import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// What is said of inputs with many rows that are bad, or strange, in the same way.
struct InputAdviceTests {
    private func warnings(_ text: String, name: String = "t.csv", _ options: InputOptions = InputOptions()) throws
        -> [String]
    {
        try CSVReading.table(text, options, name: name).report.warnings.map(\.description)
    }

    private let share = "skipped 2 of 3 rows, 66% (coordinate out of range: 2)"
    private let metres =
        "most coordinates are far too large for degrees; whole numbers can be degrees times 10^5, 10^6 or 10^7: then let "
        + "the names of both columns end in E5, E6 or E7; or they are metres: convert them, where CODE is the EPSG code of "
        + "their system: "

    private let decimals =
        "most coordinates are far too large for degrees, so they are probably metres; convert them, where CODE is the "
        + "EPSG code of their system: "

    @Test(arguments: [
        ("Coordinates,n\n5234N 00226W,x\n4809N 01135E,y\n", "no signs between degrees and minutes"),
        ("id,lat,lon\n1,N480814,E0113433\n2,N523112,E0132418\n", "no signs between degrees and minutes"),
        ("lat,lon\n4807.038,01131.000\n4808.5,01132.25\n", "NMEA's ddmm.mmmm"),
        (
            "n,lat,lon,l\nA,48,8978881,11,0363311,H\nB,48,99788,11,1363311767,L\n",
            "the numbers have decimal commas, and"
        ),
        ("lat,lon\n481374310,115754980\n", "whole numbers can be degrees times 10^5, 10^6 or 10^7"),
        ("n,lat,lon,l\nA,48,x,11,0363311,H\nB,48,99788,11,13,L\n", nil),
    ])
    func `what is no degrees is named as what it is`(text: String, cause: String?) {
        let said = CSVReading.outcome(Array(text.utf8))
        let causes = ["no signs between", "NMEA", "decimal commas", "10^7", "probably metres"]
        #expect(cause.map(said.contains) ?? !causes.contains(where: said.contains), "\(said)")
        #expect(said.contains("EPSG") == (cause?.contains("10^7") == true))
    }

    @Test func `geometries within text get the command that takes them out, and error answers are told`() throws {
        let text = #"{"type":"Feature","geometry":"{\"type\":\"Point\",\"coordinates\":[1,2]}","properties":{}}"#
        #expect(
            try warnings("\(text)\n\(GeoJSONText.feature())", name: "t.json").first
                == "1 geometry is JSON within a string; to take it out: "
                + "jq -c '(if type == \"array\" then .[] else (.features[]? // .) end) | "
                + ".geometry |= (if type == \"string\" then fromjson else . end)' t.json")
        for error in [#"{"error":{"code":404}}"#, #"{"message":"API rate limit exceeded"}"#] {
            #expect(
                CSVReading.outcome(Array(error.utf8), name: "t.json").contains("this is an error answer of a server"))
        }
    }

    @Test func `metres get the command that makes degrees of them`() throws {
        let systems = "-s_srs EPSG:CODE -t_srs EPSG:4326 /vsistdout/"
        #expect(
            try warnings("north,East m,Y\n5300000,500000,x\n5300001,500002,x\n3,4,x\n", options("East m", "north")) == [
                metres + "ogr2ogr -f CSV -lco GEOMETRY=AS_XY -oo X_POSSIBLE_NAMES='East m' -oo Y_POSSIBLE_NAMES=north "
                    + "-oo KEEP_GEOM_COLUMNS=NO \(systems) t.csv", share,
            ])
        #expect(
            try warnings("geom\nPOINT(500000 5300000)\nPOINT(500000 5300001)\nPOINT(4 3)\n", name: "my file.csv") == [
                decimals + "ogr2ogr -f CSV -lco GEOMETRY=AS_XY -oo GEOM_POSSIBLE_NAMES=geom -oo KEEP_GEOM_COLUMNS=NO "
                    + "\(systems) FILE", share,
            ])
        let features = ["[500000,5300000]", "[1,-1000.5]", "[3,4]"].map { GeoJSONText.feature($0) }
        #expect(
            try warnings(features.joined(), name: "t.json")
                == [decimals + "ogr2ogr -f GeoJSONSeq \(systems) t.json", share])
    }

    @Test func `the word for the file may be part of a column's name`() throws {
        let said = try warnings(
            "FILE,FILES\n5300000,500000\n5300001,500002\n3,4\n", name: "p.csv", options("FILE", "FILES"))
        #expect(said.first?.contains("-oo X_POSSIBLE_NAMES=FILE -oo Y_POSSIBLE_NAMES=FILES ") == true)
    }

    @Test func `columns whose names say the opposite of the options are said`() throws {
        let said = "by their names, longitude column and latitude column are swapped"
        #expect(try warnings("Lat,lon\n1,2\n", options("Lat", "lon")) == [said])
        #expect(try warnings("Lat,lon\n1,2\n", options("lon", "Lat")) == [])
        #expect(try warnings("Lat,n\n1,2\n", options("Lat", "n")) == [])
    }

    private func options(_ longitude: String, _ latitude: String) -> InputOptions {
        InputOptions(longitudeColumn: longitude, latitudeColumn: latitude)
    }

    @Test func `few longitudes over 180 degrees may be typing errors, many are another way to write them`() throws {
        let good = (1...9).map { "\($0),\($0)\n" }.joined()
        #expect(try warnings("lon,lat\n\(good)190,3\n") == [])
        #expect(
            try warnings("lon,lat\n\(good)10,10\n190,3\n")
                == ["only 1 row of 11 has a longitude over 180: a typing error, as in t.csv:12?"])
    }

    @Test func `short rows are counted, with the first of them`() throws {
        func notes(_ rows: String) throws -> [String] {
            try CSVReading.table("lat,lon,n,m\n5.5,6.5,x,y\n\(rows)").report.notes.map(\.description)
        }
        #expect(
            try notes("1.5,2.5,x\n") == ["1 row has fewer cells than the header, t.csv:3; the missing ones are empty"])
        #expect(
            try notes("1.5,2.5,x\n3.5,4.5,x\n")
                == ["2 rows have fewer cells than the header, first in t.csv:3; the missing ones are empty"])
    }

    @Test func `polygons get the command that makes points of them`() throws {
        let areas = [GeoJSONText.feature("[[[0,0],[2,0],[2,1],[0,0]]]"), GeoJSONText.feature("[[[0,0],[2,0]]]")]
            .map { $0.replacing("\"Point\"", with: "\"Polygon\"") }
        let rows = GeoJSONCases.collection(areas[0], areas[1], GeoJSONText.feature())
        func expected(_ table: String, file: String = "a/areas-1.geojson") -> [String] {
            [
                "2 geometries are not points; to make a point of each: ogr2ogr -f GeoJSONSeq /vsistdout/ "
                    + "\(file) -dialect SQLite -sql 'SELECT ST_PointOnSurface(geometry), * FROM \"\(table)\"'",
                "skipped 2 of 3 rows, 66% (not a point: 2)",
            ]
        }
        #expect(try warnings(rows, name: "a/areas-1.geojson") == expected("areas-1"))
        // GDAL names the table after the collection if that has a name.
        #expect(try warnings("\(rows.dropLast()),\"name\":\"all\"}", name: "a/areas-1.geojson") == expected("all"))
        #expect(
            try warnings("\(rows.dropLast()),\"name\":\"of all\"}", name: "a/areas-1.geojson") == expected("TABLE"))
        #expect(try warnings(rows, name: "b.c/areas 1.v2.geojson") == expected("TABLE", file: "FILE"))
        #expect(try warnings(rows, name: "areas") == expected("areas", file: "areas"))
        #expect(try warnings(rows, name: "standard input") == expected("TABLE", file: "FILE"))
        #expect(
            try warnings(GeoJSONCases.collection(areas[0], GeoJSONText.feature()), name: "a/areas-1.geojson")
                == [
                    "1 geometry is not a point" + expected("areas-1")[0].dropFirst("2 geometries are not points".count),
                    "skipped 1 of 2 rows, 50% (not a point: 1)",
                ])
    }

    @Test func `MultiPoints get the command that keeps every point`() throws {
        func multiPoint(_ coordinates: String) -> String {
            GeoJSONText.feature(coordinates).replacing("\"Point\"", with: "\"MultiPoint\"")
        }
        let several = multiPoint("[[11,48],[12,49]]")
        let command =
            "several points together; to make a feature of each point: ogr2ogr -f GeoJSONSeq -explodecollections /vsistdout/ "
        #expect(
            try warnings(GeoJSONCases.collection(several, several, GeoJSONText.feature()), name: "m.json")
                == ["2 geometries are \(command)m.json", "skipped 2 of 3 rows, 66% (not a point: 2)"])
        // Even one of many is worth it, because the command changes no point.
        #expect(
            try warnings(
                [several, multiPoint("[[3,4]]"), GeoJSONText.feature(), GeoJSONText.feature()].joined(
                    separator: "\n"), name: "m.json.gz")
                == [
                    "2 geometries are \(command)/vsigzip/m.json.gz",
                    "skipped 2 of 4 rows, 50% (not a point: 2)",
                ])
        // Of a line, it would make none.
        let line = several.replacing("MultiPoint", with: "LineString")
        #expect(
            try warnings(GeoJSONCases.collection(several, line, GeoJSONText.feature()), name: "m.json").first?
                .contains("ST_PointOnSurface") == true)
    }

    @Test func `the cells of an angle that can't be read are shown with the reason`() throws {
        let texts = [
            "lat,lat_dir,lon,lon_dir\n48.1,N,11.5,E\n48.1,SW,11.5,E\n48.1,N,11.5,\n-48.1,N,11.5,E\n",
            "latitudeE7,longitudeE7\n481000000,115000000\n48.1,115000000\n",
            "lat,lon\n1,2\n\u{2013}48.1,2\n1,\u{200b}2\n1,'2'\n",
        ]
        let examples = try texts.flatMap {
            try CSVReading.table($0, InputOptions(maxSkipped: .unlimited)).report.examples.map(\.description)
        }
        #expect(
            examples == [
                #"t.csv:3: latitude is "48.1 SW" (its direction is not N or S), expected degrees from -90 to 90"#,
                #"t.csv:4: longitude is "11.5" (its direction is missing), expected degrees from -180 to 180"#,
                #"t.csv:5: latitude is "-48.1 N" (it has both a minus sign and a direction), expected degrees from -90 to 90"#,
                #"t.csv:3: latitude is "48.1" (its column has whole numbers, degrees times 10^7), expected degrees from -90 to 90"#,
                "t.csv:3: latitude is \"\u{2013}48.1\" (it has the character U+2013), expected degrees from -90 to 90",
                "t.csv:4: longitude is \"\u{200b}2\" (it has the character U+200B), expected degrees from -180 to 180",
                "t.csv:5: longitude is \"'2'\" (it is in single quotes), expected degrees from -180 to 180",
            ])
    }

    @Test func `words and known signs need no reason`() throws {
        let report = try CSVReading.table("lat,lon\n1,2\n1,München\n1,2°x\n", InputOptions(maxSkipped: .unlimited))
            .report
        #expect(report.examples.allSatisfy { !$0.description.contains("(") })
    }

    @Test func `rows with another delimiter than the header's get the command that changes the header`() throws {
        let said = CSVReading.outcome(Array("id,lat,lon\n1;48.1;11.5\n2;48.2;11.6\n".utf8))
        let advice =
            "the header has \",\" between its names, and the rows have \";\"; change the header: sed '1s/,/;/g' t.csv"
        #expect(said.hasSuffix(advice), "\(said)")
    }

    @Test func `coordinates that are strings are read, and told`() throws {
        let report = try CSVReading.table(
            GeoJSONCases.collection(GeoJSONText.feature(#"["11.5","48.1"]"#), GeoJSONText.feature()), name: "s.json"
        ).report
        #expect(
            report.notes.map(\.description) == [
                "coordinates are strings, expected numbers, in 1 row, s.json:1; they were read as numbers"
            ])
        #expect(report.warnings.isEmpty)
    }

    @Test func `quotes escaped by backslashes get the command that doubles them`() throws {
        let advice =
            "the writer seems to escape quotes by backslashes, expected doubled quotes; double them: "
            + #"perl -pe 's/\\(["\\])/$1 eq q(") ? q("") : $1/ge' t.csv"#
        let good = "\"B\",52.5,13.4\n"
        #expect(try warnings("name,lat,lon\n\"Joe\\\"s\",48.1,11.5\n\(good)").contains(advice))
        #expect(try warnings("name,lat,lon\n\(good)\"\\\"Joe\",48.1,11.5\n").contains(advice))
        #expect(try !warnings("name,lat,lon\n\(good)\"Joe\\\\\"s,48.1,11.5\n").contains(advice))
        #expect(try !warnings("name,lat,lon\n\(good)\"Joe\"s,48.1,11.5\n").contains(advice))
        #expect(try warnings("name,lat,lon\n\(good)\"C:\\\",52.5,13.4\n").isEmpty)
    }

    @Test(arguments: [
        (#"\""#, true), (#"a\"b"#, true), (#"\\\""#, true), (#"\\""#, false), (#"\a""#, false), ("\"\\", false),
        ("", false),
    ])
    func `a backslash that is escaped itself escapes no quote`(text: String, isFound: Bool) {
        let bytes = Array(("\\" + text + "\"").utf8)
        #expect(HeaderAdvice.hasBackslashedQuote(bytes.span, 1..<bytes.count - 1) == isFound)
    }

    @Test func `a single row that is not UTF-8 is reason enough to say how Latin-1 is converted`() throws {
        var bytes = Array("n,lat,lon\nZ".utf8) + [0xfc] + Array("rich,1,2\n".utf8)
        for row in 0..<9 { bytes += Array("c,\(row),2\n".utf8) }
        #expect(
            try CSVReading.table(bytes).report.warnings.map(\.description) == [
                "1 row is not valid UTF-8; if the text is Windows-1252 (Latin-1), convert it: "
                    + "iconv -f windows-1252 -t utf-8 t.csv"
            ])
    }

    @Test func `more than a tenth of the rows skipped is a warning`() throws {
        let good = String(repeating: "1,2\n", count: 18)
        #expect(try warnings("lat,lon\n\(good)x,2\n1,x\n").isEmpty)
        #expect(
            try warnings("lat,lon\n\(good)x,2\n1,x\n95,3\n,3\n")
                == [
                    "skipped 4 of 22 rows, 18% (missing coordinate: 1, unreadable coordinate: 2, coordinate out of range: 1)"
                ])
        // Rows that only lack a place aren't bad.
        #expect(try warnings("lat,lon\n\(good)x,2\n1,x\n,3\n,4\n").isEmpty)
        #expect(
            try warnings("lat,lon\n1,2\n" + String(repeating: "x,2\n", count: 4999))
                == ["skipped 4,999 of 5,000 rows, 99% (unreadable coordinate: 4,999)"])
        let few = try CSVReading.table("lat,lon\n" + String(repeating: "1,2\n", count: 1000) + "1,x\n").report
        #expect(few.skippedRows?.description == "skipped 1 of 1,001 rows (unreadable coordinate: 1)")
    }

    @Test func `several rows at zero are a warning and one is none`() throws {
        #expect(try warnings("lat,lon\n0,0\n0,1\n1,0\n").isEmpty)
        #expect(
            try warnings("lat,lon\n0,0\n0,1\n1,0\n-0.0000001,+0e5\n")
                == ["2 rows are at latitude 0, longitude 0, often a sign of missing coordinates"])
    }

    @Test func `of several inputs each has its own advice`() throws {
        let inputs = ["a.csv": "lat,lon\n121.5,25\n", "b.csv": "lat,lon\n1,2\n0,0\n", "c.csv": "lat,lon\n0,0\n"]
        let table = try PointTable(
            reading: inputs.sorted { $0.key < $1.key }.map { InputBytes(Array($0.value.utf8), name: $0.key) },
            options: InputOptions())
        #expect(
            table.report.warnings.map(\.description) == [
                "a.csv: most latitudes are out of range but would be in range if swapped with the longitudes: "
                    + "name the columns with latitude column and longitude column",
                "2 rows are at latitude 0, longitude 0, often a sign of missing coordinates",
                "skipped 1 of 4 rows, 25% (coordinate out of range: 1)",
            ])
    }
}
