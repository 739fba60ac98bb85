import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidTiles

/// JSON inputs that aren't GeoJSON, or are larger than anybody needs, and their expected outcomes.
enum OddGeoJSONCases {
    private static let one = "-3500000/51250000"
    private static let good = GeoJSONText.feature()
    private static let other = GeoJSONText.feature("[8,7]")
    private static let two = "\(one), 8000000/7000000"

    private static func opened(_ bracket: String, _ count: Int) -> String { String(repeating: bracket, count: count) }

    static let arrays: [InputCase] = [
        InputCase("an array of features", "[\(good),\n\(other)]\n", two),
        InputCase("a mark and blanks before an array", "\u{FEFF} [ \(good) , \(other) ] ", two),
        InputCase("features behind an array", "[\(good)]\n\(other)", two),
        InputCase(
            "a mark before each of several files", "\u{FEFF}\(good)\n\u{FEFF}\(other)\n\u{FEFF}\u{1e}\(other)\n",
            "\(two), 8000000/7000000"),
        InputCase("an array behind a feature", "\(good)\n[\(other)]\n[]\n\(other)", "\(two), 8000000/7000000"),
        InputCase("an array within an array", "[\(good),[\(other)]]", GeoJSONCases.within(1)),
        InputCase("an empty array", " [ ] ", "badData: t.json: has no features, expected at least one"),
        InputCase(
            "an array of objects", #"[{"lat":1,"lon":2}]"#,
            "badData: t.json: the only row is not usable (not a feature: 1); first: t.json:1: feature 1: "
                + "row is an object without a type, expected a Feature; this is JSON without features; "
                + "if its objects are rows, convert them: duckdb -c \"COPY (FROM read_json('t.json')) "
                + "TO '/dev/stdout' (FORMAT csv)\""),
        InputCase(
            "an array that is cut", "[\(good),\n\(other)",
            "badData: t.json:2: the file ends inside the array of features; is it cut off?"),
        InputCase(
            "an array with a comma at its end", "[\(good),]",
            "badData: t.json:1: array of features has \"]\", expected a value"),
        InputCase(
            "a broken collection behind an array", "[\(good)]\n{\"type\":\"FeatureCollection\",}",
            #"badData: t.json:2: FeatureCollection has "}", expected a name in quotes"#),
    ]

    static let others: [InputCase] = [
        InputCase(
            "a geometry alone", #"{"type":"Point","coordinates":[1,2]}"#,
            "1000000/2000000"),
        InputCase(
            "an object with features that is no collection, and more behind it",
            "\(good)\n{\"features\":[],\"a\":1},\"b\":{}\n\(good)", "\(one), \(one), invalid JSON 1, not a feature 1"),
        InputCase(
            "a topology", #"{"type":"Topology","objects":{},"arcs":[]}"#,
            "badData: t.json: the only row is not usable (not a feature: 1); first: t.json:1: "
                + "row is \"Topology\", expected a Feature; this is TopoJSON; convert it: "
                + "ogr2ogr -f GeoJSONSeq /vsistdout/ t.json"),
        InputCase(
            "another JSON", #"{"results":[{"lat":1,"lon":2}]}"#,
            "badData: t.json: the only row is not usable (not a feature: 1); first: t.json:1: "
                + "row is an object without a type, expected a Feature; \(GeoJSONCases.noFeatures)",
            InputOptions(idColumn: "id")),
        InputCase(
            "null", "null",
            "usage: t.json:1: only one column was found, \"null\", and its name doesn't say that it has the "
                + "coordinates: \(CSVCases.oneColumn)"),
        InputCase(
            "coordinates in three dimensions", GeoJSONCases.collection(GeoJSONText.feature("[8,7,-12.5]"), good),
            "8000000/7000000, \(one)"),
        InputCase(
            "coordinates with an altitude that is none", GeoJSONText.feature("[8,7,\"high\"]"), "8000000/7000000"),
        InputCase(
            "coordinates within each other", GeoJSONCases.collection(GeoJSONText.feature("[[8,7]]"), good),
            "\(one), unreadable coordinate 1"),
        InputCase(
            "the antimeridian and the poles", GeoJSONText.feature("[180,90]") + GeoJSONText.feature("[-180,-90]"),
            "-180000000/90000000, -180000000/-90000000"),
        InputCase("360", GeoJSONText.feature("[360,7]") + good, "0/7000000, \(one)"),
        InputCase("60 digits", GeoJSONText.feature("[8.\(opened("0", 60)),7e0]"), "8000000/7000000"),
        InputCase("as many zeros as digits", GeoJSONText.feature("[8\(opened("0", 60))e-60,7]"), "8000000/7000000"),
        InputCase("an infinity", "\(good)\n\(GeoJSONText.feature("[Infinity,7]"))", "\(one), missing coordinate 1"),
        InputCase(
            "a comment", "// from somewhere\n\(good)",
            "usage: t.json:1: only one column was found, \"// from somewhere\", and its name doesn't say that it has the "
                + "coordinates: \(CSVCases.oneColumn)"),
    ]

    static let deep: [InputCase] = [
        InputCase(
            "100,000 brackets that never close", "{\"type\":\"Feature\",\"properties\":{\"a\":\(opened("[", 100_000))",
            "badData: t.json: the only row is not usable (invalid JSON: 1); first: t.json:1: "
                + "the file ends inside the feature; is it cut off?"),
        InputCase(
            "100,000 objects that never close", "\(good)\n\(opened("{\"a\":", 100_000))\n\(other)",
            "\(two), invalid JSON 1"),
        InputCase(
            "100,000 brackets in an array", "[\(good),\(opened("[", 100_000))\(opened("]", 100_000))]",
            "\(one), not a feature 1"),
        InputCase(
            "100,000 brackets in a collection",
            GeoJSONCases.collection(opened("[", 100_000) + opened("]", 100_000), good),
            "\(one), not a feature 1"),
        InputCase(
            "100,000 objects in a collection",
            GeoJSONCases.collection(opened("{\"a\":", 100_000) + "1" + opened("}", 100_000), good),
            "\(one), nested too deep 1"),
        InputCase(
            "100,000 brackets in coordinates", GeoJSONText.feature(opened("[", 100_000) + opened("]", 100_000)) + good,
            "\(one), nested too deep 1"),
        InputCase(
            "100,000 brackets in an id",
            GeoJSONText.feature("[8,7]", ",\"id\":\(opened("[", 100_000))\(opened("]", 100_000))") + good,
            "\(one), nested too deep 1"),
    ]
}
