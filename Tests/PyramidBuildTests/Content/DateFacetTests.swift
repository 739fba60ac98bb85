import Foundation
import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidStore

/// Facets by spans of time against the rows of the members that clusters list.
@Suite struct DateFacetTests {
    /// A value of a column of dates.
    private struct Value {
        let json: String
        /// When its dates begin, with the units that they are precise enough for.
        var dates: [(start: Int, units: [DateUnit])] = []
        var isSet = false

        func bucket(by unit: DateUnit) -> String {
            let buckets = Set(
                dates.filter { $0.units.contains(unit) }.map {
                    "\"" + CalendarOracle.bucket(ofMilliseconds: $0.start, by: unit) + "\""
                })
            if buckets.isEmpty { return "null" }
            return isSet ? "[\(buckets.sorted().joined(separator: ","))]" : buckets.joined()
        }
    }

    private static let byMonth: [DateUnit] = [.year, .quarter, .month]
    private static let byDay = byMonth + [.week, .day]

    /// Columns by the notation of their dates.
    private static let notations: [(name: String, notation: String)] = [
        ("text", "iso8601"), ("written", "DD/MM/YYYY h:mm a"), ("year", "years"), ("nr8", "yyyymmdd"),
        ("s", "seconds"), ("ms", "milliseconds"),
    ]

    /// A value for each of the columns.
    private static func values(_ random: inout SeededRandom) -> [Value] {
        func one(_ values: [Value]) -> Value { values[random.next(below: values.count)] }
        func two(_ number: Int) -> String { String("0\(number)".suffix(2)) }
        let (year, month, day) = (2022 + random.next(below: 2), 1 + random.next(below: 12), 1 + random.next(below: 28))
        let (hour, minute) = (random.next(below: 24), random.next(below: 60))
        let start = CalendarOracle.milliseconds(year, month, day)
        let time = CalendarOracle.milliseconds(year, month, day, hour, minute)
        let ofDay = (start: start, units: byDay)
        let ofMonth = (start: CalendarOracle.milliseconds(year, month), units: byMonth)
        let ofTime = (start: time, units: DateUnit.allCases)
        let date = "\(year)-\(two(month))-\(two(day))"
        let text = one([
            Value(json: "\"\(date)\"", dates: [ofDay]),
            Value(json: "\" \(date)T\(two(hour)):\(two(minute)):59\"", dates: [ofTime]),
            Value(
                json: "\"\(date) \(two(hour)):\(two(minute))-11:30\"",
                dates: [(time + 690 * 60_000, DateUnit.allCases)]),
            Value(json: "\"\(year)-\(two(month))\"", dates: [ofMonth]),
            Value(json: "\"\(year)\"", dates: [(CalendarOracle.milliseconds(year), [.year])]), Value(json: "\"soon\""),
            Value(json: "\"\(year)\\u002d\(two(month))\"", dates: [ofMonth]), Value(json: "\"\""), Value(json: "null"),
            Value(
                json: "[\"\(date)\",\"2021-12-31T23\",null,\"\",\"\(date)\",\"never\"]",
                dates: [
                    ofDay, (CalendarOracle.milliseconds(2021, 12, 31, 23), DateUnit.allCases),
                ], isSet: true),
            Value(json: "[\"\(date)\"]", dates: [ofDay], isSet: true), Value(json: "[\"never\"]", isSet: true),
        ])
        let twelve = "\((hour + 11) % 12 + 1):\(two(minute)) \(hour < 12 ? "am" : "P.M.")"
        let written = one([
            Value(json: #""\#(two(day))\/\#(month)\/\#(year)  \#(twelve)""#, dates: [ofTime]),
            Value(json: #""\#(day)/\#(two(month))/\#(year) \#(twelve)""#, dates: [ofTime]), Value(json: "\"\(date)\""),
        ])
        let ofYear = (start: CalendarOracle.milliseconds(year), units: [DateUnit.year])
        let years = one([
            Value(json: "\(year)", dates: [ofYear]), Value(json: "\(year).0", dates: [ofYear]),
            Value(json: "\(year / 10).\(year % 10)e1", dates: [ofYear]), Value(json: "null"),
        ])
        let days = one([
            Value(json: "\(year)\(two(month))\(two(day))", dates: [ofDay]),
            Value(json: "\(year)\(two(month))\(two(day)).00", dates: [ofDay]),
        ])
        let seconds = one([
            Value(json: "\(time / 1000)", dates: [ofTime]), Value(json: "\(time / 1000).5", dates: [ofTime]),
            Value(json: "-0.5", dates: [(-500, DateUnit.allCases)]), Value(json: "null"),
        ])
        let milliseconds = one([
            Value(json: "\(time)", dates: [ofTime]), Value(json: "-\(time)", dates: [(-time, DateUnit.allCases)]),
        ])
        return [text, written, years, days, seconds, milliseconds]
    }

    private struct Row {
        let number: Int
        let place: (String, String)
        let values: [Value]
    }

    private static func rows(_ random: inout SeededRandom, count: Int) -> [Row] {
        (0..<count).map { number in
            let east = Double(random.next(below: 2000)) / 1000 * [1, 8, 60][random.next(below: 3)]
            let place =
                number % 9 == 0 ? ("8.5", "47.25") : ("\(-40 + east)", "\(Double(random.next(below: 5000)) / 100)")
            return Row(number: number, place: place, values: values(&random))
        }
    }

    private static func geoJSON(_ rows: [Row]) -> String {
        rows.map { row in
            let dates = zip(notations, row.values).map { #""\#($0.name)":\#($1.json)"# }.joined(separator: ",")
            return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(row.place.0),\#(row.place.1)]},"#
                + #""properties":{"nr":\#(row.number),\#(dates)}}"# + "\n"
        }.joined()
    }

    /// Without sets and `null`, which are empty cells.
    private static func csv(_ rows: [Row]) throws -> String {
        let lines = try rows.map { row in
            let cells = try row.values.map { value in
                let data = Data(value.json.utf8)
                let cell = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
                if value.json.hasPrefix("[") || cell is NSNull { return "" }
                return cell as? String ?? value.json
            }
            return "\(row.number),\(row.place.0),\(row.place.1),\(cells.joined(separator: ","))\n"
        }
        return "nr,lon,lat,\(notations.map(\.name).joined(separator: ","))\n" + lines.joined()
    }

    private static func columns(by unit: DateUnit) -> [FacetColumn] {
        notations.map { name, notation in
            // The others follow from the values.
            FacetColumn(
                name: name, dates: FacetDates(unit: unit, notation: name == "written" ? DateNotation(notation) : nil))
        }
    }

    private static func options(by unit: DateUnit, _ storage: TileStorage, jobs: Int = 2) -> BuildOptions {
        var clusters = ClusterContentOptions(memberLimit: 10_000, memberProperties: ["nr"])
        clusters.filterBy = columns(by: unit)
        var options = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: ClusteringOptions(maxZoom: 7), clusters: clusters, jobs: jobs
        )
        options.storage = storage
        return options
    }

    private static let storages = [
        TileStorage(layout: .bundles(limit: 15)), TileStorage(layout: .archive), TileStorage(codec: .mvt),
    ]

    @Test(arguments: DateUnit.allCases, [true, false])
    func `clusters count their members by spans of time`(unit: DateUnit, isCSV: Bool) throws {
        var random = SeededRandom(seed: UInt64(unit.rawValue.utf8.count * 2 + (isCSV ? 1 : 0)))
        var rows = DateFacetTests.rows(&random, count: 130)
        if isCSV {
            rows = rows.map { row in
                Row(
                    number: row.number, place: row.place, values: row.values.map { $0.isSet ? Value(json: "null") : $0 }
                )
            }
        }
        func counts(_ numbers: [Int]) -> [String: Int] {
            let texts = numbers.map { number in
                "[" + rows[number].values.map { $0.bucket(by: unit) }.joined(separator: ",") + "]"
            }
            return Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
        }
        let input = isCSV ? try DateFacetTests.csv(rows) : DateFacetTests.geoJSON(rows)
        let number = try #require(DateUnit.allCases.firstIndex(of: unit)) + (isCSV ? 1 : 0)
        let storage = DateFacetTests.storages[number % DateFacetTests.storages.count]
        let folder = try TemporaryFolder()
        var options = DateFacetTests.options(by: unit, storage)
        options.inputPaths = [try folder.file("points", input)]
        options.outputPath = folder.path(storage.layout == .archive ? "out.pmtiles" : "out")
        options.syncs = false
        _ = try PyramidBuilder(options: options).build()
        let tileset = try LocalTileset.open(path: options.outputPath)
        let facets = try #require(try tileset.tileJSON().facets)
        #expect(facets.counts == counts(Array(rows.indices)))
        #expect(facets.columns.map { $0.dates?.notation?.description } == DateFacetTests.notations.map(\.notation))
        #expect(facets.columns.allSatisfy { $0.dates?.unit == unit })
        try expectCounts(of: tileset, storage, counts)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
        let report = try InputVerifier(tileset: tileset, inputPaths: options.inputPaths, jobs: 2).verify()
        #expect(report.differences.map(\.description) == [])
    }

    /// Compares the facets of clusters, and the counts of single buckets, with those of the members.
    private func expectCounts(
        of tileset: any TilesetReader, _ storage: TileStorage, _ counts: ([Int]) -> [String: Int]
    ) throws {
        var countedClusters = 0
        for entry in try tileset.fileList().entries where entry.address.kind == .tile {
            let tile = try #require(try tileset.tile(at: entry.address.tile))
            for cluster in tile.markers.compactMap(\.cluster) {
                let numbers = try DateFacetTests.members(of: cluster)
                let facets = try #require(cluster.facets).map { facet in
                    (facet.values.map(DateFacetTests.json).joined(separator: ","), facet.count)
                }
                let expected = counts(numbers)
                #expect(
                    Dictionary(facets) { $0 + $1 }
                        == Dictionary(
                            uniqueKeysWithValues: expected.map {
                                ($0.key.dropFirst().dropLast().description, $0.value)
                            }))
                countedClusters += 1
                guard storage.codec == .mvt else { continue }
                var flat: [String: Int] = [:]
                for (text, count) in expected {
                    let values = try JSONDecoder().decode([Bucket].self, from: Data(text.utf8))
                    for (column, bucket) in zip(DateFacetTests.notations, values) {
                        for text in bucket.texts { flat["\(column.name).\(text)", default: 0] += count }
                    }
                }
                let own = cluster.properties.filter { $0.key.contains(".") }
                #expect(own == flat.mapValues { .number(Double($0)) })
            }
        }
        #expect(countedClusters > 10)
    }

    /// `null`, a text or an array of texts.
    private struct Bucket: Decodable {
        let texts: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            texts =
                container.decodeNil()
                ? [] : try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }

    private static func json(_ value: PropertyValue) -> String {
        switch value {
        case .string(let text): "\"\(text)\""
        case .array(let values): "[\(values.map(json).joined(separator: ","))]"
        default: "null"
        }
    }

    private static func members(of cluster: Cluster) throws -> [Int] {
        struct Member: Decodable { let nr: Int }
        if case .string(let text)? = cluster.properties["members"] {
            return try JSONDecoder().decode([Member].self, from: Data(text.utf8)).map(\.nr)
        }
        guard case .array(let members)? = cluster.properties["members"] else { return [] }
        return members.compactMap {
            if case .object(let member) = $0, case .number(let number)? = member["nr"] { Int(number) } else { nil }
        }
    }

    @Test func `neither the order of rows nor the threads make a difference to dates`() throws {
        var random = SeededRandom(seed: 8)
        let rows = DateFacetTests.rows(&random, count: 300)
        let storage = TileStorage(compression: .none, layout: .bundles(limit: 20))
        let one = try DateFacetTests.options(by: .week, storage).memoryTileset(of: DateFacetTests.geoJSON(rows))
        let other = try DateFacetTests.options(by: .week, storage, jobs: 5)
            .memoryTileset(of: DateFacetTests.geoJSON(rows.shuffled(using: &random)))
        for name in [TileJSON.fileName, FileList.fileName] {
            #expect(try one.metadataBytes(of: name) == other.metadataBytes(of: name))
        }
    }

    // MARK: - Messages

    /// The facets of an input, or what is wrong with it.
    private static func built(
        _ input: String, _ facets: String, format: String? = nil
    ) throws -> (facets: Facets?, message: String) {
        let folder = try TemporaryFolder()
        var clusters = ClusterContentOptions()
        clusters.filterBy = facets.split(separator: ",").compactMap { FacetColumn(String($0)) }
        if let format { clusters.filterBy[0].dates?.notation = DateNotation(format) }
        let options = BuildOptions(
            inputPaths: [try folder.file("a", input)], outputPath: folder.path("out"),
            clustering: ClusteringOptions(maxZoom: 2), clusters: clusters)
        do {
            let report = try PyramidBuilder(options: options).build()
            return (
                try LocalTileset.open(path: options.outputPath).tileJSON().facets,
                report.warnings.map(\.description).joined(separator: "\n")
            )
        } catch let error as InputError {
            return (nil, error.message.description)
        }
    }

    private static func csv(_ column: String, _ values: [String], other: (Int) -> String = { _ in "" }) -> String {
        "\"\(column)\",k,lat,lon\n"
            + values.enumerated().map { "\($1),\(other($0)),\($0 % 80),\($0 % 170)\n" }.joined()
    }

    @Test(
        arguments: [
            (["2024", "1999.0", "1e3"], "years"), (["2024", "999"], "seconds"), (["2024", "10000"], "seconds"),
            (["2024", "20240101"], "seconds"), (["20240229", "19000101.00"], "yyyymmdd"),
            (["20240229", "20240230"], "seconds"), (["2024", "-2024"], "seconds"), (["2024", "2024.5"], "seconds"),
            (["99999999999"], "seconds"), (["-99999999999", "100"], "seconds"), (["100000000000"], "milliseconds"),
            (["0", "-100000000000"], "milliseconds"), (["1.7e9"], "seconds"), (["1.7e12", "5"], "milliseconds"),
            (["2024-03", "2024"], "iso8601"), (["", ""], "iso8601"), (["true", "false"], "iso8601"),
        ])
    func `the notation follows from all values in any order`(values: [String], notation: String) throws {
        for values in [values, values.reversed(), values + [""]] {
            let facets = try DateFacetTests.built(DateFacetTests.csv("opened", values), "opened:year").facets
            #expect(facets?.columns.first?.dates?.notation?.description == notation)
            let features = values.enumerated().map { number, value in
                let json =
                    value.isEmpty ? "null" : Double(value) != nil || value.hasSuffix("e") ? value : "\"\(value)\""
                return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(number),1]},"#
                    + #""properties":{"opened":\#(json)}}"#
            }
            // In GeoJSON, a number and a string are of different types.
            guard notation != "iso8601" else { continue }
            let other = try DateFacetTests.built(features.joined(separator: "\n"), "opened:year").facets
            #expect(other?.counts == facets?.counts && other?.columns == facets?.columns)
        }
    }

    @Test func `numbers beside other values need a notation`() throws {
        let features = ["2024", #""2023-05""#, #"["2022"]"#].enumerated().map { number, value in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(number),1]},"properties":{"opened":\#(value)}}"#
        }
        let mixed = try DateFacetTests.built(features.joined(separator: "\n"), "opened:year")
        #expect(mixed.facets == nil && mixed.message.contains("\"opened\" has numbers as well as other values"))
        let texts = try DateFacetTests.built(features.dropFirst().joined(separator: "\n"), "opened:year")
        #expect(texts.facets?.counts == [#"["2023"]"#: 1, #"[["2022"]]"#: 1] && texts.message.isEmpty)
        let stated = try DateFacetTests.built(features.joined(separator: "\n"), "opened:year", format: "YYYY")
        #expect(stated.facets?.counts == ["[null]": 2, #"[["2022"]]"#: 1])
    }

    @Test func `a column whose name ends like a unit is itself`() throws {
        let input = DateFacetTests.csv("opened:month", ["2024-03-05", "x"])
        let named = try DateFacetTests.built(input, "opened:month")
        #expect(named.facets?.columns == [FacetColumn(name: "opened:month")])
        #expect(named.facets?.counts == [#"["2024-03-05"]"#: 1, #"["x"]"#: 1] && named.message.isEmpty)
        let byYear = try DateFacetTests.built(input, "opened:month:year")
        #expect(byYear.facets?.counts == [#"["2024"]"#: 1, "[null]": 1])
    }

    @Test func `values that are no dates are counted in a warning, with the first of them`() throws {
        let values = ["2024-03-05", "soon", "31.12.2023", "2024", "", "2024-13", "soon"]
        let (facets, message) = try DateFacetTests.built(DateFacetTests.csv("opened", values), "opened:month")
        #expect(facets?.counts == [#"["2024-03"]"#: 1, "[null]": 6])
        #expect(message.hasPrefix("\"opened\" has \"2024-13\" and 3 other values that are no dates; "))
        #expect(message.contains("\"opened\" has \"2024\" without the month; "))
        let pattern = try DateFacetTests.built(
            DateFacetTests.csv("opened", ["31.12.2023", "soon", "1.2.24"]), "opened:month", format: "D.M.YYYY")
        #expect(pattern.facets?.counts == [#"["2023-12"]"#: 1, "[null]": 2])
        #expect(pattern.message.contains("\"1.2.24\" and 1 other value that are no dates"))
        // A year by month is a date, but in no month.
        let years = try DateFacetTests.built(DateFacetTests.csv("opened", ["2024", "2023"]), "opened:month")
        #expect(years.facets?.counts == ["[null]": 2])
        #expect(years.message.hasPrefix("\"opened\" has \"2023\" and 1 other value without the month; "))
    }

    @Test(
        arguments: [
            (["1999", "2024", "0", "2020"], .years, "1 value of \"opened\" is no year, in FILE:4: \"0\""),
            (
                ["20240305", "20241305", "20240306", "2024", "20240307"], .days,
                "2 values of \"opened\" are no days, the first in FILE:3: \"20241305\""
            ),
            (["1999", "2024", "1e12"], .years, "1 value of \"opened\" is no year, in FILE:4: \"1e12\""),
            (["2024", "999"], nil, ""), (["1709640000", "2024", "1709640001"], nil, ""), (["2024", "1999"], nil, ""),
            (["1709640000", "20240305", "1709640001"], nil, ""), (["20240305", "1709640001"], nil, ""),
        ] as [([String], DateNotation?, String)])
    func `a value that makes seconds of years or days is told, and without it they aren't`(
        values: [String], notation: DateNotation?, told: String
    ) throws {
        let message = try DateFacetTests.built(DateFacetTests.csv("opened", values), "opened:year").message
        guard let notation else { return #expect(message.isEmpty) }
        let since = values.contains("1e12") ? "milliseconds" : "seconds"
        #expect(
            message.replacing(/in [^: ]+:/) { _ in "in FILE:" }
                == "\(told), so all are read as \(since) since 1970; without such values they are read as \(notation == .years ? "years" : "days")"
        )
        let fitting = values.map { notation.date(ofNumber: Double($0) ?? 0) == nil ? "" : $0 }
        let cured = try DateFacetTests.built(DateFacetTests.csv("opened", fitting), "opened:year")
        #expect(cured.message.isEmpty && cured.facets?.columns.first?.dates?.notation == notation)
    }

    /// Each unit with one that is too short, a value beside it that is one of so many, and the unit that is enough.
    @Test(
        arguments: [
            (.hour, 1, .day, false), (.day, 5, .week, false), (.day, 30, .month, true), (.month, 60, .quarter, false),
        ]
            as [(DateUnit, Int, DateUnit, Bool)])
    func `too many combinations are refused with the unit that fits, which does`(
        unit: DateUnit, kinds: Int, fitting: DateUnit, areSets: Bool
    ) throws {
        var random = SeededRandom(seed: UInt64(kinds))
        let hours = unit == .hour ? 24 * 1000 : unit == .day ? 24 * 2000 : 24 * 30 * 130
        let features = (0..<6000).map { number in
            let time = CalendarOracle.milliseconds(2020, 1, 1, random.next(below: hours))
            let date = CalendarOracle.bucket(ofMilliseconds: time, by: .hour)
            return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(number % 170),\#(number % 80)]},"#
                + #""properties":{"opened":\#(areSets ? "[\"\(date)\"]" : "\"\(date)\""),"kind":\#(random.next(below: kinds))}}"#
        }
        let input = features.joined(separator: "\n")
        let refused = try DateFacetTests.built(input, "opened:\(unit),kind")
        #expect(refused.facets == nil && refused.message.contains("combinations of values (\"opened\" has "))
        #expect(refused.message.contains("; filter by longer spans, as in opened:\(fitting)"))
        let shorter = DateUnit.allCases.reversed().drop { $0 != unit }.prefix { $0 != fitting }
        for unit in shorter.dropFirst() {
            #expect(try DateFacetTests.built(input, "opened:\(unit),kind").facets == nil)
        }
        #expect(try DateFacetTests.built(input, "opened:\(fitting),kind").facets != nil)
    }

    @Test(
        arguments: [
            ("opened:month", "opened", .month), ("a:b:week", "a:b", .week), ("month:hour", "month", .hour),
            ("opened:months", "opened:months", nil), ("opened:Month", "opened:Month", nil), ("month", "month", nil),
            ("opened:day:month", "opened:day", .month),
        ] as [(String, String, DateUnit?)])
    func `a column is read with its unit`(text: String, name: String, unit: DateUnit?) {
        #expect(FacetColumn(text) == FacetColumn(name: name, dates: unit.map { FacetDates(unit: $0) }))
    }

    @Test func `a column of dates needs a name`() { #expect(FacetColumn(":month") == nil) }
}
