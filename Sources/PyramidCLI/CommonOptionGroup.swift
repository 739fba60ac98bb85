import ArgumentParser
import PyramidTiles

extension PixelsByZoom: ExpressibleByArgument {}

/// The options of `build` that people need first.
struct CommonOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "CSV only: the column of longitudes in degrees, or up to four: degrees,minutes,seconds,direction. (default: found by name)",
            valueName: "column"))
    var longitudeColumn: String?

    @Option(
        help: ArgumentHelp(
            "CSV only: the column of latitudes in degrees, or up to four: degrees,minutes,seconds,direction. (default: found by name)",
            valueName: "column"))
    var latitudeColumn: String?

    @Option(
        help: ArgumentHelp(
            "A column with a unique id for each point. (default: the ids of GeoJSON features, none for CSV)",
            valueName: "column"))
    var idColumn: String?

    @Option(
        name: [.customLong("max-zoom"), .customShort("z", allowingJoined: true)],
        help: ArgumentHelp(
            """
            The last zoom with tiles, up to 23; every point stands alone there. auto picks the first zoom up to 20 at \
            which 95% of the places stand alone; if there is none, the last zoom that separates at least 1% more. \
            Without --bundle, it picks a lower one if the tiles beyond 100,000 would separate few places.
            """, valueName: "zoom"))
    var maxZoom = MaxZoom.auto

    @Option(
        help: ArgumentHelp(
            """
            Minimum distance between markers in pixels, 1 to 256 (2 to 512 with --tile-size 512), for all zooms or by \
            zoom: 0-8:60,9-:40.
            """, valueName: "pixels"))
    var clusterDistance = ClusteringOptions().clusterDistance

    @Option(
        help: ArgumentHelp(
            """
            Pack a tile and its children into one file while they hold at most N markers: many times fewer files. 256 \
            suits most data. pyramid's libraries for web maps and Swift read bundles.
            """, valueName: "N"))
    var bundle: Int?

    @Flag(help: "Also write index.html, a page that shows the tiles on a map, on any static host. See --leaflet.")
    var preview = false

    @Option(
        help: ArgumentHelp(
            """
            Summarise columns in every cluster, separated by commas. Operations: sum, min, max, mean, count, concat, \
            comma. The property has the column's name unless another is given.
            """, valueName: "column:operation[:name]"),
        transform: { try CommaSeparated.values($0, accumulation) })
    var accumulateAttribute: [[Accumulation]] = []

    @Option(
        help: ArgumentHelp(
            """
            Count each cluster's points by the values of columns, separated by commas. Lists the most frequent values, \
            up to the limit (10 if left out).
            """, valueName: "column[:limit]"),
        transform: {
            try CommaSeparated.values($0) {
                try required(CategoryCount($0), $0, "column or column:limit with a limit from 1 to 1000")
            }
        })
    var countBy: [[CategoryCount]] = []

    @Option(
        help: ArgumentHelp(
            """
            Let maps filter by the values of columns, by ranges of numbers, or by dates: kind,price:0:10:50,opened:month (or \
            year, quarter, week, day, hour). Clusters count the combinations of values, at most 4096.
            """, valueName: "column[:unit|:edge:edge...]"),
        transform: {
            try CommaSeparated.values($0) {
                try required(
                    FacetColumn($0), $0, "column, column:edge:edge for ranges of numbers, or column:month for dates")
            }
        })
    var filterBy: [[FacetColumn]] = []

    @Option(
        help: ArgumentHelp(
            "Never merge points that differ in this column. Clusters have its value.", valueName: "column"))
    var groupBy: String?

    @Option(
        help: ArgumentHelp(
            "List the point ids of clusters of up to N points. Larger clusters at a single place list the first N.",
            valueName: "n"))
    var members: Int?

    private static func accumulation(_ text: String) throws -> Accumulation {
        let operations = Accumulation.Operation.allCases.map(\.rawValue)
        let suggestion = text.split(separator: ":").dropFirst().lazy.compactMap { part in
            Misspelling.nearest(to: String(part), among: operations).flatMap { $0 == part ? nil : $0 }
        }.first
        return try required(
            Accumulation(text), text,
            "column:operation or column:operation:name with one of \(operations.joined(separator: ", "))"
                + (suggestion.map { "; did you mean \($0)?" } ?? ""))
    }
}

enum MaxZoom: ExpressibleByArgument {
    case auto
    case fixed(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let zoom = Int(argument) {
            self = .fixed(zoom)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { zoom.map { "\($0)" } ?? "auto" }

    /// `nil` for auto.
    var zoom: Int? { if case .fixed(let zoom) = self { zoom } else { nil } }
}

/// The value of an option's text.
/// - Throws: a `ValidationError` if there is none.
func required<Value>(_ value: Value?, _ text: String, _ expected: @autoclosure () -> String) throws -> Value {
    guard let value else { throw ValidationError("found \"\(text)\", expected \(expected())") }
    return value
}

/// Splits an option's value at commas. `\,` is a comma within a value.
enum CommaSeparated {
    static func names(_ text: String) -> [String] { values(text) { $0 } }

    static func values<Value>(_ text: String, _ value: (String) throws -> Value) rethrows -> [Value] {
        try text.replacing("\\,", with: "\0").split(separator: /, */).map {
            try value(String($0.replacing("\0", with: ",")))
        }
    }
}

extension ArgumentVisibility {
    /// Of options that only `--help-hidden` lists. To errors and completions, which name their values, they are like the
    /// others.
    static var lessCommon: ArgumentVisibility {
        let words = CommandLine.arguments.dropFirst()
        return words.first == "help" || words.contains { ["--help", "-h"].contains($0) } ? .hidden : .default
    }
}
