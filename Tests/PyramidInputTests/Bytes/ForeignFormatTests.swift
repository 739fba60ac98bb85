import Testing

@testable import PyramidInput

struct ForeignFormatTests {
    /// What the error says of an input, and what it advises; `nil` if it could be read.
    private func refusal(_ bytes: [UInt8], name: String = "t") -> String? {
        do throws(InputError) {
            try InputBytes(bytes, name: name).requireReadableFormat()
            return nil
        } catch {
            return error.kind == .badData ? error.problem.description : "\(error.kind)"
        }
    }

    /// Text, and formats of which no program at hand writes a file.
    private static let texts: [(format: String, text: String)] = [
        ("a KML file", "\u{FEFF}<?xml version=\"1.0\"?>\n<KML xmlns=\"http://www.opengis.net/kml/2.2\">"),
        ("a GPX file", "<gpx version=\"1.1\">"), ("a web page", "\r\n <!doctype HTML><title>404</title>"),
        ("a web page", "<HTML><body>"), ("XML", "<?xml version=\"1.0\"?><rows/>"),
        ("JavaScript", "\u{FEFF}var data = {\"type\":\"FeatureCollection\""),
        ("JavaScript", "let x = {type: 'FeatureCollection'"),
        ("JavaScript", "\tconst a: Places = {\n  type: \"FeatureCollection\""),
        ("JavaScript", "export default\n{\"type\":\"FeatureCollection\""),
        (
            "a Git LFS pointer, which stands for the file",
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
        ),
        ("Esri JSON", #"{ "geometryType" : "esriGeometryPolygon", "features" : [{"attributes":"#),
        (
            "Esri JSON that is not complete (\"exceededTransferLimit\": true)",
            #"{"geometryType":"esriGeometryPoint","fields":[],"exceededTransferLimit": true,"features":[{"attributes":"#
        ),
        ("an error answer of a server", "\n<ows:ExceptionReport version='1'>"),
        ("an error answer of a server", "<?xml version='1.0'?><ServiceExceptionReport>"),
        ("an error answer of a server", "Too Many Requests\n"), ("an error answer of a server", "404: Not Found"),
        ("an error answer of a server", "Service Unavailable"),
        ("Esri JSON", #"{"features":[{"attributes":{"#),
        ("Overpass JSON", #"{"version":0.6,"generator":"Overpass API","elements":[{"type":"node","#),
    ]
    private static let magics: [(format: String, bytes: [UInt8])] = [
        ("an old Excel file (xls)", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        ("text in UTF-32", [0xff, 0xfe, 0, 0, 0x61, 0]), ("binary data that begins with NUL bytes", [0, 0, 7]),
        ("binary data or UTF-16 without a byte order mark, beginning with a NUL byte", [0, 0x61]),
        ("binary data or UTF-16 without a byte order mark, with a NUL byte at its beginning", [0x61, 0]),
    ]

    @Test func `files of other programs are recognised, each by its format`() {
        let files =
            ForeignFiles.all + ForeignFormatTests.magics
            + ForeignFormatTests.texts.map { ($0.format, Array($0.text.utf8)) }
        for (format, bytes) in files {
            let refusal = refusal(bytes)
            #expect(refusal?.hasPrefix("is \(format), expected CSV or GeoJSON") == true, "\(format): \(refusal ?? "")")
        }
        #expect(Set(files.map(\.0)) == Set(ForeignFormat.all.map(\.name)))
    }

    @Test func `the cure names the file if a shell can read its name`() throws {
        let parquet = Array("PAR1".utf8)
        func cure(_ name: String) -> String {
            "is a Parquet file, expected CSV or GeoJSON; convert it: duckdb -c \"COPY (FROM '\(name)') TO '/dev/stdout' "
                + "(FORMAT csv)\""
        }
        #expect(refusal(parquet, name: "a/b-1_C.parquet") == cure("a/b-1_C.parquet"))
        for name in ["a b", "a'b", "$HOME", "a;b", "-a", "ä", "standard input", "a\u{1b}b"] {
            #expect(refusal(parquet, name: name) == cure("FILE"), "\(name)")
        }
        let workbook = try #require(ForeignFiles.all.first { $0.format == "an Excel file (xlsx)" })
        #expect(refusal(workbook.bytes, name: "x.xlsx")?.hasSuffix("or: xlsx2csv x.xlsx") == true)
        let pointer = Array("version https://git-lfs.github.com/spec/v1\n".utf8)
        #expect(refusal(pointer, name: "x.csv")?.hasSuffix("fetch the file: git lfs pull") == true)
    }

    @Test(arguments: [
        "PARK,lat,lon", "PK,lat,lon", "BZh,lat,lon", "fgb,lat,lon", "7z,lat,lon", "name,<kml>,lat,lon", "<b>,lat,lon",
        "SQLite format 3", "GP,lat,lon", "xl/workbook,lat,lon", "{\"name\":\"<kml\"}", "", "P", "a",
        "var x = {, lat, lon", "x=[1];lat;lon", "callback(1,2)", "version https,lat,lon", "var = [lat]",
        #"{"type":"Feature","geometryType":"esriGeometryPoint","features":1}"#,
        #"{"type":"FeatureCollection","features":[{"geometryType":"esriGeometryPoint","features":"#,
        #"{"properties":{"geometryType":"esriGeometryPoint","features":[],"generator":"","elements":[]}}"#,
        #"{"geometryType":"Point","features":[]}"#, #"{"generator":"x","features":[]}"#, #"{"elements":[]}"#, "{",
        "{\"a",
    ])
    func `text that has something of another format is read`(text: String) {
        #expect(refusal(Array(text.utf8)) == nil)
    }
}
