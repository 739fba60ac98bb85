import PyramidBuild
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// One column with both coordinates.
struct PointTextTests {
    private func point(_ text: String) -> String? {
        // Bytes around the text must not matter.
        let bytes = Array("7\(text)7".utf8)
        return PointText(bytes.span, 1..<bytes.count - 1).map { "\($0.longitude)/\($0.latitude)" }
    }

    @Test(arguments: [
        "51.25, -3.5", "51.25,-3.5", "51.25 -3.5", "51.25\t-3.5", "51.25 ; -3.5", "(51.25, -3.5)", "[-3.5,51.25]",
        "( 51.25 , -3.5 )", "+51.25,-35e-1", "POINT (-3.5 51.25)", "POINT(-3.5 51.25)", "point ( -3.5  51.25 )",
        "Point Z (-3.5 51.25 7)", "POINTZ(-3.5 51.25 -7.5)", "POINT ZM (-3.5 51.25 7 8)", "POINT M(-3.5 51.25 8)",
        "SRID=4326;POINT(-3.5 51.25)", "srid=4326; Point (-3.5 51.25)",
    ])
    func `text of a point is read whatever its form`(text: String) {
        #expect(point(text) == "-3500000/51250000")
    }

    @Test(arguments: [
        "", "51.25", "51.25,", ",", "51,-3,7", "51.25,-3.5,7,8,9", "51.25, -3.5 N", "(51.25, -3.5", "[51.25,-3.5)",
        "51.25, -3.5)",
        "(51.25, -3.5]",
        "48,1, 11,5", "Munich", "POINT", "POINT EMPTY", "POINT (-3.5)", "POINT (-3.5, 51.25)", "POINT -3.5 51.25",
        "POINT [-3.5 51.25]", "POINT (-3.551.25)", "POINT (-3.5 51.25", "POINT (-3.5 51.25) x", "POINTS (-3.5 51.25)",
        "MULTIPOINT ((-3.5 51.25))", "LINESTRING (1 2, 3 4)", "SRID=3857;POINT(-3.5 51.25)", "SRID=;POINT(1 2)",
        "SRID=43260;POINT(1 2)", "4326;POINT(1 2)", "0101000020E6100000", "51°15'N 3°30'N", "--1, 2", "1e, 2",
    ])
    func `other text is no point`(text: String) {
        #expect(point(text) == nil)
    }

    @Test func `a point that is empty is missing, not unreadable`() throws {
        let rows = [
            "POINT (7 8)", "POINT EMPTY", " point z empty", "POINT ZM EMPTY", "SRID=4326;POINT EMPTY", "", "EMPTY",
            "POINT EMPTY x", "POINT", "SRID=3857;POINT EMPTY", "POLYGON EMPTY",
        ]
        let report = try CSVReading.table("location,n\n" + rows.map { "\($0),x\n" }.joined()).report
        #expect(report.rowsSkipped == [.missingCoordinate: 5, .unreadableCoordinate: 5])
    }

    private func names(_ header: String, _ options: InputOptions = InputOptions()) -> String {
        CSVReading.outcome(Array("\(header)\n1,2,\"51.25, -3.5\"\n".utf8), options)
    }

    @Test func `a column with both is found by its name if there is no pair`() {
        let one = "-3500000/51250000"
        for name in [
            "location", "GPSPosition", "Lat_Lng", "LatLng", "lat/long", "Coordinates", "geo_point_2d", "the_geom",
            "WKT",
        ] {
            #expect(names("a,b,\(name)") == one, "\(name)")
        }
        #expect(names("lat,lon,location") == "2000000/1000000")
        // The name that can hardly mean anything else comes first.
        #expect(names("a,location,coordinates") == one)
        #expect(
            names("a,geom,wkt")
                == "usage: t.csv:1: several columns could have the coordinates: \"geom\", \"wkt\"; "
                + "choose with point column")
        #expect(names("a,geom,wkt", InputOptions(pointColumn: "WKT")) == one)
        #expect(names("lat,lon,place", InputOptions(pointColumn: "place")) == one)
        #expect(
            names("a,b,allocation")
                == "usage: t.csv:1: no columns for latitude and longitude among \"a\", \"b\", \"allocation\"; \"allocation\" seems "
                + "to have both: use point column allocation")
        #expect(names("a,b,allocation", InputOptions(pointColumn: "allocation")) == one)
        // A decimal number in a table with semicolons isn't two.
        let semicolons = CSVReading.outcome(Array("no;north;price\n1;48;46,08\n".utf8))
        #expect(semicolons.contains("; name them with latitude column and longitude column"))
        // One of the pair is named, so the other is wanted.
        #expect(names("a,b,location", InputOptions(latitudeColumn: "a")).hasPrefix("usage: t.csv:1: no columns for"))
        #expect(
            names("a,b,place", InputOptions(pointColumn: "plcae"))
                == "usage: t.csv:1: no column \"plcae\" for point column, expected one of \"a\", \"b\", \"place\"; "
                + "did you mean \"place\"?")
    }

    @Test func `bad points are told apart and shown`() throws {
        let rows = ["\"51.25, -3.5\"", "", "Munich", "\"121.5, 25\"", "POINT (-361 5)", "POINT (7 8)"]
        let report = try CSVReading.table("location,n\n" + rows.map { "\($0),x\n" }.joined()).report
        #expect(report.rowsAccepted == 2)
        let expected = "expected \"latitude, longitude\" or \"POINT (longitude latitude)\""
        #expect(
            report.examples.map(\.description) == [
                "t.csv:3: point is missing, \(expected)", "t.csv:4: point is \"Munich\", \(expected)",
                "t.csv:5: point is \"121.5, 25\", expected latitude in degrees from -90 to 90",
                "t.csv:6: point is \"POINT (-361 5)\", expected longitude in degrees from -180 to 180",
            ])
        #expect(
            CSVReading.outcome(Array("latlng\n\"121.5, 25\"\n".utf8)).hasSuffix(
                "the longitude seems to stand first; read it with point column latlng:lon-lat"))
        #expect(
            CSVReading.outcome(Array("point\n\"[37.5, -122.4]\"\n".utf8)).hasSuffix(
                "the latitude seems to stand first; read it with point column point:lat-lon"))
        // The name states the order.
        #expect(CSVReading.outcome(Array("latlng\n\"[37.5, -122.4]\"\n".utf8)) == "-122400000/37500000")
        #expect(CSVReading.outcome(Array("Lon/Lat\n\"-122.4, 37.5\"\n".utf8)) == "-122400000/37500000")
        #expect(
            CSVReading.outcome(Array("latlng\nPOINT (25 121.5)\n".utf8)).hasSuffix(
                "would be in range if swapped with the longitudes: \(expected)"))
    }

    @Test func `a point column is a property only if it is named`() throws {
        let text = "n,location\nx,\"51.25, -3.5\"\n"
        #expect(try CSVReading.table(text).propertyNames == ["n"])
        #expect(
            try CSVReading.properties(CSVReading.table(text, InputOptions(include: ["location"]))) == [
                #"{"location":"51.25, -3.5"}"#
            ])
    }

    @Test func `both forms of options together are refused`() {
        let input = InputOptions(latitudeColumn: "a", pointColumn: "b")
        let options = BuildOptions(inputPaths: ["a.csv"], outputPath: "out", input: input)
        #expect(options.problem?.description.contains("point column can't be used with longitude column") == true)
    }
}
