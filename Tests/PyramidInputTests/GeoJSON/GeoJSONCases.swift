import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidTiles

/// GeoJSON inputs and their expected outcomes.
enum GeoJSONCases {
    static func collection(_ features: String...) -> String {
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    static let noFeatures =
        "this is JSON without features; if its objects are rows, convert them: duckdb -c "
        + "\"COPY (FROM read_json('t.json')) TO '/dev/stdout' (FORMAT csv)\""

    /// What is said of features within a row that is none.
    static func within(_ line: Int) -> String {
        "badData: t.json:\(line): features stand within another row; take them out: jq -c 'def f: "
            + "if IN(.type?; \"Feature\", \"Point\") then . else .[]? | f end; f' t.json"
    }

    private static let one = "-3500000/51250000"
    private static let good = GeoJSONText.feature()
    private static let other = GeoJSONText.feature("[8,7]")
    private static let two = "\(one), 8000000/7000000"

    static let shapes: [InputCase] = [
        InputCase("a collection", collection(good, other), two),
        InputCase("a feature", good, one),
        InputCase("a feature on each line", "\(good)\n\(other)\n", two),
        InputCase("CRLF and empty lines", "\r\n\(good)\r\n\r\n\(other)\r\n", two),
        InputCase("record separators", "\u{1e}\(good)\n\u{1e}\(other)\n", two),
        InputCase("record separators alone", "\u{1e}\(good)\u{1e}\(other)", two),
        InputCase("features one after the other", "\(good)\(other) \(good)", "\(two), \(one)"),
        InputCase("collections one after the other", "\(collection(good))\n\(collection(other))", two),
        InputCase("a collection and features", "\(good)\n\(collection(other))\n\(good)", "\(two), \(one)"),
        InputCase("byte order mark", "\u{FEFF}\(good)", one),
        InputCase(
            "white space everywhere",
            " {\n\t\"type\" : \"Feature\" , \"geometry\" :\r\n{ \"coordinates\" : [ -3.5 , 51.25 ] , \"type\" : \"Point\" } } ",
            one),
        InputCase(
            "members around the features",
            #"{"a":[{"features":[1]}],"type":"FeatureCollection","crs":{},"features":[\#(good)],"z":{"type":"x"}}"#, one
        ),
        InputCase(
            "the type after the features", #"{"features":[\#(good),\#(other)],"type":"FeatureCollection"}"#, two),
        InputCase("an escaped name", #"{"t\u0079pe":"Feature\u0043ollection","featur\u0065s":[\#(good)]}"#, one),
        InputCase(
            "features within properties", GeoJSONText.feature("[8,7]", #","properties":{"features":[\#(good)]}"#),
            "8000000/7000000"
        ),
        InputCase(
            "features beside the properties", GeoJSONText.feature("[8,7]", #","features":[\#(good)]"#),
            "8000000/7000000"),
        InputCase(
            "foreign members", GeoJSONText.feature("[8,7]", #","bbox":[1,[2]],"title":"x","when":{"a":{}}"#),
            "8000000/7000000"),
        InputCase(
            "no properties", #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,7]}}"#, "8000000/7000000"),
        InputCase(
            "empty names and values", GeoJSONText.feature("[8,7]", #","properties":{"":"","a":[],"b":{}}"#),
            "8000000/7000000"),
        InputCase(
            "a feature in a list that is none", collection("17", "null", good, #"{"type":"Topology"}"#, "{}"),
            "\(one), not a feature 4"),
        InputCase(
            "a geometry on a line", "{\"type\":\"Point\",\"coordinates\":[1,2]}\n\(good)", "1000000/2000000, \(one)"),
        InputCase("a type that is no string", "{\"type\":7}\n\(good)", "\(one), not a feature 1"),
        InputCase(
            "a collection within a collection", collection(good, "\n" + collection(other)),
            within(2)),
        InputCase("collections in an array", "[\(collection(good)),\(collection(other))]", within(1)),
        InputCase("a collection within an object, behind others", "\(good)\n{\"a\":[1,{\"b\":[\(other)]}]}", within(2)),
        InputCase("an empty collection within a collection", collection(collection(), good), "\(one), not a feature 1"),
    ]

    static let coordinates: [InputCase] =
        [
            ("[-3.5,51.25,99]", one), ("[-3.5,51.25,null]", one), ("[-3.5,51.25,1,2,3]", one),
            ("[-35e-1,5.125E+1]", one),
            ("[-3.50000000000000000000000000000,51.25]", one), ("[180,90]", "-180000000/90000000"),
            ("[-180.0,-90]", "-180000000/-90000000"), ("[-0,0]", "0/0"), ("[-1.0000005,1.0000005]", "-1000001/1000001"),
            ("[1.0000004999,1e-7]", "1000000/0"),
        ].map { InputCase("at \($0.0)", GeoJSONText.feature($0.0), $0.1) }
        + [
            ("[]", "missing coordinate"), ("[1]", "missing coordinate"), ("null", "missing coordinate"),
            (#"{"lon":1}"#, "unreadable coordinate"), ("1", "unreadable coordinate"),
            (#""1,2""#, "unreadable coordinate"),
            (#"["1","x"]"#, "unreadable coordinate"), ("[1,null]", "missing coordinate"),
            ("[[1,2]]", "unreadable coordinate"), ("[true,2]", "unreadable coordinate"),
            ("[-361,2]", "coordinate out of range"), ("[2,-90.0000005]", "coordinate out of range"),
            ("[1e400,2]", "coordinate out of range"), ("[2,123456789012345678901234567890]", "coordinate out of range"),
        ].map { InputCase("at \($0.0)", collection(GeoJSONText.feature($0.0), good), "\(one), \($0.1) 1") }
        + [
            (#"null"#, "no geometry"), (#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, "not a point"),
            (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, "not a point"),
            (#"{"type":"MultiPoint","coordinates":[]}"#, "not a point"),
            (#"{"type":"MultiPoint","coordinates":[1,2]}"#, "not a point"),
            (#"{"type":"MultiPoint","coordinates":[[1,2]]}"#, "not a point"),
            (#"{"type":"LineString","coordinates":[[1,2]]}"#, "not a point"),
            (#"{"coordinates":[1,2]}"#, "not a point"),
            (#"{"type":"GeometryCollection","geometries":[]}"#, "not a point"), ("[1,2]", "not a point"),
            (#"{"type":null,"coordinates":[1,2]}"#, "not a point"),
            (#"{"type":"point","coordinates":[1,2]}"#, "not a point"),
            (#"{"type":"Point"}"#, "missing coordinate"),
        ].map { geometry, problem in
            InputCase(
                "a geometry \(geometry)", collection(#"{"type":"Feature","geometry":\#(geometry)}"#, good),
                "\(one), \(problem) 1")
        }
        + [InputCase("no geometry", collection(#"{"type":"Feature"}"#, good), "\(one), no geometry 1")]
        + [#"["-3.5","51.25"]"#, #"[-3.5," 51,25 "]"#, #"["3.5 W","51°15'N"]"#].map {
            InputCase("strings at \($0)", collection(GeoJSONText.feature($0), other), two)
        }
        + [
            "null", "{}", #"{"type":"link","properties":{"href":"a.prj"}}"#,
            #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
            #"{"properties":{"name":"EPSG:4326"},"type":"name"}"#,
            #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4326"}}"#,
            #"{"type":"name","properties":{"name":"http://www.opengis.net/def/crs/OGC/1.3/crs84"}}"#,
        ].map { InputCase("a crs \($0)", withCRS($0), one) }
        + [
            (#"{"type":"name","properties":{"name":"EPSG:3857"}}"#, "EPSG:3857"),
            (#"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}}"#, "urn:ogc:def:crs:EPSG::25832"),
            (#"{"type":"name","properties":{"name":"EPSG:14326"}}"#, "EPSG:14326"),
        ].flatMap { crs, name in
            [
                withCRS(crs),
                "\(collection(good).dropLast()),\"crs\":\(crs)}",
            ].map {
                InputCase(
                    "a crs \(crs)", $0,
                    "badData: t.json: crs is \"\(name)\", expected WGS 84; convert it: "
                        + "ogr2ogr -f GeoJSONSeq /vsistdout/ t.json")
            }
        }

    private static func withCRS(_ crs: String) -> String { "{\"crs\":\(crs),\(collection(good).dropFirst())" }

    private static func brackets(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }

    private static func deep(_ count: Int) -> String { #","properties":{"a":\#(brackets(count))}"# }

    static let contents: [InputCase] =
        [
            (#","geometry":null"#, "repeated name"),

            (deep(InputLimits.nestedBrackets - 1), "nested too deep"), (deep(100_000), "nested too deep"),
        ].map {
            InputCase(
                "with \($0.0.prefix(40))", collection(GeoJSONText.feature("[8,7]", $0.0), good), "\(one), \($0.1) 1")
        }
        + [
            InputCase(
                "an id that is none where ids are asked for",
                "\(GeoJSONText.feature("[1,1]", #","properties":{"k":true}"#))\(GeoJSONText.feature("[1,2]", #","properties":{"k":7}"#))",
                "1000000/2000000, unreadable id 1", InputOptions(idColumn: "k")),
            InputCase(
                "as deep as may be", GeoJSONText.feature("[8,7]", deep(InputLimits.nestedBrackets - 2)),
                "8000000/7000000"),
            InputCase(
                "100,000 brackets within a foreign member",
                #"{"x":[\#(brackets(100_000))],"type":"FeatureCollection","features":[\#(good)]}"#, one),
            InputCase(
                "invalid UTF-8",
                bytes: Array(#"{"type":"FeatureCollection","features":["#.utf8)
                    + Array(GeoJSONText.feature("[1,2]", #","properties":{"a":""#).utf8.dropLast(1))
                    + [0xc3, 0x28] + Array(#""}},\#(good)]}"#.utf8), "\(one), invalid UTF-8 1"),
            InputCase(
                "ids of both kinds, and none",
                "\(GeoJSONText.feature("[1,1]", #","id":7"#))\(GeoJSONText.feature("[1,2]", #","id":"8""#))\(GeoJSONText.feature("[1,3]"))\(GeoJSONText.feature("[1,4]", #","id":null"#))",
                "1000000/1000000, 1000000/2000000, 1000000/3000000, 1000000/4000000"),
            InputCase(
                "repeated ids",
                "\(GeoJSONText.feature("[1,1]", #","id":7"#))\(GeoJSONText.feature("[1,2]", #","id":"\u0037""#))\(GeoJSONText.feature("[1,3]", #","id":7.0"#))\(GeoJSONText.feature("[1,4]", #","id":8"#))",
                "1000000/1000000, 1000000/2000000, 1000000/3000000, 1000000/4000000"),
            InputCase(
                "a property as id",
                "\(GeoJSONText.feature("[1,1]", #","id":7,"properties":{"k":1}"#))\(GeoJSONText.feature("[1,2]", #","id":7,"properties":{"k":"2"}"#))\(GeoJSONText.feature("[1,3]", #","id":7"#))",
                "1000000/1000000, 1000000/2000000, missing id 1", InputOptions(idColumn: "k")),
        ]

    static let broken: [InputCase] =
        [
            ("{", "a line cut"), ("]", "a bracket"), ("garbage", "words"),
            (#"{"type":"Feature","geometry"#, "cut in a name"),
            (#"{"type":"Feature",}"#, "a comma too many"), (#"{"type":"Feature" "id":1}"#, "no comma"),
            (#"{"a":01}"#, "a leading zero"), (#"{"a":.5}"#, "no digit before the point"),
            (#"{"a":1.}"#, "no digit after it"),
            (#"{"a":+1}"#, "a plus"), (#"{"a":tru}"#, "a literal cut"),
            (#"{"a":'b'}"#, "other quotes"),
            (#"{"a":"\x"}"#, "an unknown escape"), (#"{"a":"\u12"}"#, "an escape cut"),
            ("{\"a\":\"\t\"}", "a tab in a string"),
            ("{\"a\":\"\0\"}", "a NUL in a string"), (#"{a:1}"#, "a name without quotes"),
            (#"{"a":[1,]}"#, "an empty element"),
            (#"{"a":[1}}"#, "a bracket of the other kind"), (#"{"a" 1}"#, "no colon"), (#"{"a":1e}"#, "no exponent"),
        ].map { InputCase($0.1, "\(good)\n\($0.0)\n\(other)\n", "\(two), invalid JSON 1") }
        + [
            InputCase(
                "a separator within a broken record", "\u{1e}{\"type\":\u{1e}\(good)", "\(one), invalid JSON 1"),
            InputCase("a comma behind each feature", "\(good),\n\(other),\n", two),
            InputCase(
                "broken in a collection",
                "{\"type\":\"FeatureCollection\",\"features\":[\n\(good),\n{\"type\":\"Feature\",}]}",
                #"badData: t.json:3: FeatureCollection has "}]}", expected a name in quotes"#),
            InputCase(
                "a comma missing in a collection", collection("\(good) \(good)"),
                "badData: t.json:1: FeatureCollection has \"{\"type\":\"Feature\", expected a comma or the end of the array"
            ),
            InputCase(
                "a comma missing in an array", "[\(good)\n,\(other)\n\n\(good)]",
                "badData: t.json:4: array of features has \"{\"type\":\"Feature\", expected a comma or the end of the array"
            ),
            InputCase(
                "a comma missing within a feature",
                collection(GeoJSONText.feature("[1,2]", #","properties":{"a":[{} {}]}"#)),
                #"badData: t.json:1: FeatureCollection has "{}]}}]}", expected a comma or the end of the array"#),
            InputCase(
                "a comma too many at the end", "[\(good),\n\(other)\n,\n\n]",
                "badData: t.json:5: array of features has \"]\", expected a value"),
            InputCase(
                "a comma too many", collection(good, "", other),
                "badData: t.json:1: FeatureCollection has \",{\"type\":\"Featur\", expected a value"),
            InputCase(
                "a comma before the first feature", collection("", other),
                #"badData: t.json:1: FeatureCollection has ",{"type":"Featur", expected a value"#),
            InputCase(
                "a collection cut", String(collection(good).dropLast(2)),
                "badData: t.json:1: the file ends inside the FeatureCollection; is it cut off?"),
            InputCase(
                "a collection cut before its type", "{\"features\":[\n\(good)",
                "badData: t.json:2: the file ends inside the FeatureCollection; is it cut off?"),
            InputCase(
                "no features", #"{"type":"FeatureCollection"}"#,
                #"badData: t.json:1: FeatureCollection has "}", expected features before the end"#),
            InputCase(
                "features that are no array", #"{"type":"FeatureCollection","features":null}"#,
                #"badData: t.json:1: FeatureCollection has "null}", expected an array of features"#),
            InputCase(
                "features twice", #"{"type":"FeatureCollection","features":[],"features":[]}"#,
                #"badData: t.json:1: FeatureCollection has ""features":[]}", expected "features" only once"#),
            InputCase("an empty collection", collection(), "badData: t.json: has no features, expected at least one"),
            InputCase(
                "a collection without a type", #"{"features":[\#(good)]}"#,
                within(1)),
            InputCase(
                "strict", collection(good, "\n" + GeoJSONText.feature("[12,91.3]")),
                "badData: t.json: skipped 1 of 2 rows (coordinate out of range: 1), expected none (strict); t.json:2: feature 2: "
                    + "latitude is \"91.3\", expected degrees from -90 to 90; to build without these rows, use max skipped 1 "
                    + "instead of strict", InputOptions(isStrict: true)),
            InputCase(
                "strict with a broken line", "\(good)\n\(good)\n{\"type\"",
                "badData: t.json: skipped 1 of 3 rows (invalid JSON: 1), expected none (strict); t.json:3: the file ends inside "
                    + "the feature; is it cut off?; to build without these rows, use max skipped 1 instead of strict",
                InputOptions(isStrict: true)),
            InputCase(
                "an unknown property", GeoJSONText.feature("[1,2]", #","properties":{"b":1,"a":2}"#),
                #"usage: t.json: no column "c" for include, expected one of "a", "b""#,
                InputOptions(include: ["c"])),
            InputCase(
                "an unknown id", GeoJSONText.feature("[1,2]", #","properties":{"b":1}"#),
                #"usage: t.json: no column "B" for id column, expected one of "b"; did you mean "b"?"#,
                InputOptions(idColumn: "B")),
            InputCase(
                "columns of coordinates", good,
                "usage: t.json: is GeoJSON, which has coordinates in its geometries, but longitude column, latitude column "
                    + "and point column are only for CSV", InputOptions(longitudeColumn: "x")),
        ]
}
