import Testing

@testable import PyramidBuild

/// What is said of inputs with many rows that are bad, or strange, in the same way.
struct InputAdviceTests {
    private func warnings(_ text: String, name: String = "t.csv", _ options: InputOptions = InputOptions()) throws
        -> [String]
    {
        try CSVReading.table(text, options, name: name).report.warnings.map(\.description)
    }

    private let share = "skipped 2 of 3 rows, 66% (coordinate out of range: 2)"
    private let metres =
        "most coordinates are far too large for degrees, so they are probably metres; convert them, where CODE is the "
        + "EPSG code of their system: "

    @Test func `metres get the command that makes degrees of them`() throws {
        let systems = "-s_srs EPSG:CODE -t_srs EPSG:4326 /vsistdout/"
        #expect(
            try warnings("north,East m,Y\n5300000,500000,x\n5300001,500002,x\n3,4,x\n", options("East m", "north")) == [
                metres + "ogr2ogr -f CSV -lco GEOMETRY=AS_XY -oo X_POSSIBLE_NAMES='East m' -oo Y_POSSIBLE_NAMES=north "
                    + "-oo KEEP_GEOM_COLUMNS=NO \(systems) t.csv", share,
            ])
        #expect(
            try warnings("geom\nPOINT(500000 5300000)\nPOINT(500000 5300001)\nPOINT(4 3)\n", name: "my file.csv") == [
                metres + "ogr2ogr -f CSV -lco GEOMETRY=AS_XY -oo GEOM_POSSIBLE_NAMES=geom -oo KEEP_GEOM_COLUMNS=NO "
                    + "\(systems) FILE", share,
            ])
        let features = ["[500000,5300000]", "[1,-1000.5]", "[3,4]"].map { GeoJSONCases.feature($0) }
        #expect(
            try warnings(features.joined(), name: "t.json")
                == [metres + "ogr2ogr -f GeoJSONSeq \(systems) t.json", share])
    }

    private func options(_ longitude: String, _ latitude: String) -> InputOptions {
        InputOptions(longitudeColumn: longitude, latitudeColumn: latitude)
    }

    @Test func `polygons get the command that makes points of them`() throws {
        let areas = [GeoJSONCases.feature("[[[0,0],[2,0],[2,1],[0,0]]]"), GeoJSONCases.feature("[[[0,0],[2,0]]]")]
            .map { $0.replacing("\"Point\"", with: "\"Polygon\"") }
        let rows = GeoJSONCases.collection(areas[0], areas[1], GeoJSONCases.feature())
        func expected(_ table: String, file: String = "a/areas-1.geojson") -> [String] {
            [
                "most geometries are not points; to make a point of each: ogr2ogr -f GeoJSONSeq /vsistdout/ "
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
            try warnings(GeoJSONCases.collection(areas[0], GeoJSONCases.feature()), name: "a/areas-1.geojson")
                == ["skipped 1 of 2 rows, 50% (not a point: 1)"])
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
            try warnings("lat,lon\n\(good)x,2\n1,x\n,3\n")
                == ["skipped 3 of 21 rows, 14% (missing coordinate: 1, unreadable coordinate: 2)"])
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
