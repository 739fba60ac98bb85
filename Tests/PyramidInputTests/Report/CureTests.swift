import Foundation
import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidTiles

/// Files that are refused or read in part, and the commands that their messages suggest: run by a shell, each makes a file
/// with all points. Those that need other programs than a system has are run by elsewhere.py too.
struct CureTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let tool: String
        let file: String
        let bytes: [UInt8]
        /// Longitudes and latitudes in microdegrees, in the order of the rows.
        var points = CureTests.both

        var testDescription: String { "\(tool) \(file)" }
    }

    private static let both = "11500000/48100000, 13400000/52500000"

    private static func text(_ tool: String, _ file: String, _ text: String, _ points: String = both) -> Case {
        Case(tool: tool, file: file, bytes: Array(text.utf8), points: points)
    }

    private static let numbers = GeoJSONCases.collection(
        GeoJSONText.feature("[11.5,48.1]"), GeoJSONText.feature("[13.4,52.5]"))

    static let cases: [Case] = [
        text(
            "perl", "mysql.csv",
            "\"name\",\"lat\",\"lon\"\n\"Joe\\\"s, \\\"Bar\\\"\",\"48.1\",\"11.5\"\n\"C \\\\\",\"52.5\",\"13.4\"\n"),
        text("perl", "data.js", "\u{FEFF}var data = \(numbers);\n\n"),
        text("perl", "array.js", "export default \(numbers)\n"),
        text("printf", "r.tsv", "\"name\"\t\"lat\"\t\"lon\"\n\"1\"\t\"A\"\t48.1\t11.5\n\"2\"\t\"B\"\t52.5\t13.4\n"),
        text("printf", "r.csv", "\u{FEFF}name;lat;lon\n1;A;48,1;11,5\n2;B;52,5;13,4\n"),
        text(
            "sed", "semicolons.csv",
            "\u{FEFF}\"name;lat;lon\"\r\n\"A \"\"b\"\";48,1;11,5\"\r\n\"\"\"B;c\"\";52,5;13,4\"\r\n"),
        Case(
            tool: "iconv", file: "latin.csv",
            bytes: Array("lat,lon,n\n48.1,11.5,".utf8) + [0xfc] + Array("\n52.5,13.4,a\n".utf8)),
        Case(
            tool: "unzip", file: "gtfs.zip",
            bytes: ZIPArchive([
                ("agency.txt", Array("a,b\n1,2\n".utf8)),
                ("stops.txt", Array("stop_lat,stop_lon\n48.1,11.5\n52.5,13.4\n".utf8)),
            ]).bytes),
        Case(
            tool: "unzip", file: "name.zip",
            bytes: ZIPArchive([("d/a.csv", Array("lat,lon\n48.1,11.5\n52.5,13.4\n".utf8)), ("x.pdf", [1])]).bytes),
        text(
            "jq", "overpass.json",
            """
            {"version": 0.6, "generator": "Overpass API", "elements": [
            {"type": "node", "id": 7, "lat": 48.1, "lon": 11.5, "tags": {"name": "Café \\"A\\""}},
            {"type": "way", "id": 7, "nodes": [1, 2]},
            {"type": "way", "id": 8, "center": {"lat": 52.5, "lon": 13.4}}]}
            """),
        text(
            "ogr2ogr", "esri.json",
            #"{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"fields":[{"name":"n","type":"esriFieldTypeString"}],"#
                + #""features":[{"attributes":{"n":"a"},"geometry":{"x":11.5,"y":48.1}},{"attributes":{"n":"b"},"geometry":{"x":13.4,"y":52.5}}]}"#
        ),
        text(
            "ogr2ogr", "few.esri.json",
            #"{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"#
                + #""features":[{"attributes":{"n":"a"},"geometry":{"x":11.5,"y":48.1}},{"attributes":{"n":"b"},"geometry":{"x":13.4,"y":52.5}}]}"#
        ),
        text(
            "ogr2ogr", "multi.geojson",
            GeoJSONText.feature("[[11.5,48.1],[13.4,52.5]]").replacing("\"Point\"", with: "\"MultiPoint\"")),
        text(
            "ogr2ogr", "collections.geojson",
            #"{"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":["#
                + #"{"type":"Point","coordinates":[11.5,48.1]},{"type":"Point","coordinates":[13.4,52.5]}]}}"#),
        text("jq", "texts.ndjson", [inText("[11.5,48.1]"), inText("[13.4,52.5]")].joined(separator: "\n")),
        text("jq", "texts.json", "[\(inText("[11.5,48.1]")),\(GeoJSONText.feature("[13.4,52.5]"))]"),
        text("jq", "texts.geojson", GeoJSONCases.collection(inText("[11.5,48.1]"), inText("[13.4,52.5]"))),
        text("jq", "case.geojson", numbers.replacing("\"Point\"", with: "\"point\"")),
        text("sed", "header.csv", "id,lat,lon\n1;48.1;11.5\n2;52.5;13.4\n"),
        text(
            "jq", "nested.geojson",
            GeoJSONCases.collection(
                GeoJSONText.feature("[11.5,48.1]"), GeoJSONCases.collection(GeoJSONText.feature("[13.4,52.5]")))),
        text(
            "jq", "slurped.json", "[\(numbers),\(GeoJSONCases.collection(GeoJSONText.feature("[2,1]")))]",
            both + ", 2000000/1000000"),
        text("jq", "wrapped.json", "{\"status\":\"ok\",\"a b\":{\"data\":\(numbers)}}"),
        text(
            "jq", "pages.json",
            "{\"pages\":[{\"rows\":[\(GeoJSONText.feature("[11.5,48.1]"))]},{\"rows\":[\(GeoJSONText.feature("[13.4,52.5]"))]}]}"
        ),
    ]

    /// A feature whose geometry is text.
    private static func inText(_ coordinates: String) -> String {
        #"{"type":"Feature","geometry":"{\"type\":\"Point\",\"coordinates\":\#(coordinates)}","properties":{}}"#
    }

    /// What is said of a file.
    private func message(_ bytes: [UInt8], name: String) -> String {
        func spelled(_ message: OptionMessage) -> String { message.spelled(\.words) { "\u{2}\($0)\u{3}" } }
        do throws(InputError) {
            return try CSVReading.table(bytes, name: name).report.warnings.map(spelled).joined()
        } catch {
            return spelled(error.message)
        }
    }

    @Test(arguments: cases, [false, true]) func `a suggested command makes a file with all points`(
        _ test: Case, isGzip: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let tools = test.file.hasSuffix("esri.json") ? ["jq", test.tool] : [test.tool]
        for tool in tools where try run("sh", ["-c", "command -v \(tool)"]).status != 0 { return }
        if isGzip, test.tool == "unzip" { return }
        let name = isGzip ? test.file + ".gz" : test.file
        try folder.file(test.file, Data(test.bytes))
        if isGzip { #expect(try gzip(folder.path(test.file)).status == 0) }
        let said = message(test.bytes, name: name)
        let command = try #require(said.split(separator: "\u{2}").last?.split(separator: "\u{3}").first, "\(said)")
        #expect(command.contains(tools[0]), "\(command)")
        let (status, output) = try run("sh", ["-c", String(command)], in: folder)
        #expect(status == 0, "\(command)")
        #expect(CSVReading.outcome([UInt8](output)) == test.points, "\(command)")
    }
}
