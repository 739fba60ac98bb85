import Foundation
import PyramidBuild
import PyramidClient
import PyramidTiles
import TestSupport
import Testing

/// Counts under filters are those of the rows, whatever a tileset is made of.
@Suite(.tags(.slow, .threads)) struct FilterOracleTests {
    private struct Row {
        let id: String
        let longitude, latitude: Double
        let kind: String?
        let price, stars: Double?
        let open: Bool?
        let tags: [String]
        /// As JSON.
        let opened: String?
        /// When the dates begin that say a month at least.
        let starts: [Int]

        var json: String {
            var properties = [#""id":"\#(id)""#]
            if let kind { properties.append(#""kind":"\#(kind)""#) }
            if let price { properties.append(#""price":\#(price)"#) }
            // A text that is written like the number is the same.
            if let stars { properties.append(longitude < 0 ? #""stars":"\#(Int(stars))""# : #""stars":\#(stars)"#) }
            if let opened { properties.append(#""opened":\#(opened)"#) }
            properties.append(#""open":\#(open.map { "\($0)" } ?? "null")"#)
            // A single value is a set of one.
            properties.append(#""tags":\#(tags.count == 1 ? #""\#(tags[0])""# : "\(tags)")"#)
            return """
                {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},\
                "properties":{\(properties.joined(separator: ","))}}
                """
        }
    }

    private static let kinds = ["bakery", "cafe", "bar", "kiosk"]
    private static let tagNames = ["vegan", "wifi", "garden"]
    private static let edges: [Double] = [0, 10, 20.5, 50]
    /// Around the antimeridian, where clusters reach over the borders of bundles.
    private static let box = BoundingBox(west: 165_000_000, south: -45_000_000, east: -165_000_000, north: 45_000_000)
    private static let zooms = 0...6

    /// Dates of 2023 and 2024, in a string, in an array of them, or not readable as by month.
    private static func dates(_ random: inout SeededRandom) -> (json: String?, starts: [Int]) {
        guard random.next(below: 8) > 0 else { return (["null", "[]", "\"soon\"", nil][random.next(below: 4)], []) }
        let dates = (0...random.next(below: 3)).map { _ -> (text: String, start: Int?) in
            let (month, day) = (1 + random.next(below: 24), 1 + random.next(below: 28))
            let text = "\(2023 + (month - 1) / 12)-" + String("0\((month - 1) % 12 + 1)".suffix(2))
            switch random.next(below: 6) {
            case 0: return (text, CalendarOracle.milliseconds(2023, month))
            // In UTC often in the month before.
            case 1: return (text + "-01T01:30+02:00", CalendarOracle.milliseconds(2023, month, 1, -1, 30))
            case 2: return ("2024", nil)
            default: return (text + "-" + "0\(day)".suffix(2), CalendarOracle.milliseconds(2023, month, day))
            }
        }
        let starts = dates.compactMap(\.start)
        return (dates.count == 1 ? "\"\(dates[0].text)\"" : "\(dates.map(\.text))", starts)
    }

    private static let rows: [String: Row] = {
        var random = SeededRandom(seed: 2027)
        var rows: [String: Row] = [:]
        for number in 0..<360 {
            func some<Value>(_ value: Value) -> Value? { random.next(below: 6) == 0 ? nil : value }
            // A tenth are at few places, so that some clusters never come apart.
            let isCrowded = random.next(below: 10) == 0
            let longitude = isCrowded ? Double(178 + random.next(below: 3)) : 166 + Double(random.next(below: 280)) / 10
            let latitude = isCrowded ? 1.5 : -40 + Double(random.next(below: 80_000)) / 1000
            let kind = kinds[random.next(below: kinds.count)]
            // Edges occur.
            let price = Double(random.next(below: 140)) / 2 - 5
            let stars = Double(1 + random.next(below: 5))
            let dates = dates(&random)
            rows["p\(number)"] = Row(
                id: "p\(number)", longitude: longitude >= 180 ? longitude - 360 : longitude, latitude: latitude,
                kind: some(kind), price: some(price), stars: some(stars), open: some(random.next(below: 2) == 0),
                tags: tagNames.filter { _ in random.next(below: 3) == 0 },
                opened: dates.json, starts: dates.starts)
        }
        return rows
    }()

    private static let coincidentLimit = 9
    /// The rows at places where clusters never come apart.
    private static let crowded: Set<String> = {
        let places = Dictionary(grouping: rows.values) { [$0.longitude, $0.latitude] }
        return Set(places.values.filter { $0.count > coincidentLimit }.joined().map(\.id))
    }()

    private static func tileset(_ storage: TileStorage) async throws -> RemoteTiles {
        let features = rows.values.map(\.json).joined(separator: ",")
        var clustering = ClusteringOptions()
        (clustering.minZoom, clustering.maxZoom, clustering.clusterMaxZoom) = (zooms.lowerBound, zooms.upperBound, 5)
        clustering.coincidentLimit = coincidentLimit
        let columns = ["kind", "price:0:10:20.5:50", "stars", "open", "tags", "opened:month"]
        let rows = #"{"type":"FeatureCollection","features":[\#(features)]}"#
        return try await StubHost.tileset(rows, clustering) { options in
            options.storage = storage
            options.clusters.memberLimit = 10_000
            options.clusters.filterBy = columns.compactMap { FacetColumn($0) }
        }
    }

    /// A filter, and what it says of a row.
    private struct Choice {
        var columns: [String: Set<FacetValue>] = [:]
        var tests: [(Row) -> Bool] = []

        var filter: MarkerFilter { MarkerFilter(columns) }

        func matches(_ row: Row) -> Bool { tests.allSatisfy { $0(row) } }

        mutating func add(_ column: String, _ random: inout SeededRandom) {
            func chosen<Value>(_ all: [Value]) -> [Value] { all.filter { _ in random.next(below: 2) == 0 } }
            let acceptsAbsent = random.next(below: 3) == 0
            var values: Set<FacetValue> = acceptsAbsent ? [nil] : []
            switch column {
            case "kind":
                let kinds = chosen(FilterOracleTests.kinds)
                values.formUnion(kinds.map { .value(.string($0)) })
                tests.append { row in row.kind.map { kinds.contains($0) } ?? acceptsAbsent }
            case "open":
                let answers = chosen([true, false])
                values.formUnion(answers.map { .value(.bool($0)) })
                tests.append { row in row.open.map { answers.contains($0) } ?? acceptsAbsent }
            case "tags":
                let tags = chosen(FilterOracleTests.tagNames)
                values.formUnion(tags.map { .value(.string($0)) })
                tests.append { row in row.tags.isEmpty ? acceptsAbsent : row.tags.contains { tags.contains($0) } }
            case "stars":
                let (stars, from) = (chosen([1, 2, 3, 4, 5].map { Double($0) }), Double(random.next(below: 6)))
                values.formUnion(stars.map { $0 < 3 ? .value(.number($0)) : .value(.string("\(Int($0))")) })
                values.insert(.range(from: from, to: from + 1.5))
                tests.append { row in
                    row.stars.map { stars.contains($0) || (from <= $0 && $0 < from + 1.5) } ?? acceptsAbsent
                }
            case "opened":
                let months = chosen(Array(1...24)).map { CalendarOracle.milliseconds(2023, $0) }
                let buckets = months.prefix(3).map { CalendarOracle.bucket(ofMilliseconds: $0, by: .month) }
                values.formUnion(buckets.map { .value(.string($0)) })
                let (from, to) = FilterOracleTests.limits(&random, months: true)
                values.insert(.dates(from: from?.text, to: to?.text))
                tests.append { row in
                    row.starts.isEmpty
                        ? acceptsAbsent
                        : row.starts.contains { start in
                            buckets.contains(CalendarOracle.bucket(ofMilliseconds: start, by: .month))
                                || ((from?.start ?? .min)..<(to?.start ?? .max)).contains(start)
                        }
                }
            default:
                let limits: [Double?] = [nil] + FilterOracleTests.edges + [nil]
                let first = random.next(below: limits.count - 1)
                let last = first + 1 + random.next(below: limits.count - 1 - first)
                values.insert(.range(from: limits[first], to: limits[last]))
                tests.append { row in
                    guard let price = row.price else { return acceptsAbsent }
                    return limits[first] ?? -.infinity <= price && price < limits[last] ?? .infinity
                }
            }
            columns[column] = values
        }
    }

    private typealias Limit = (text: String, start: Int)

    /// The limits of a range of dates, written in one of the ways that there are.
    /// - Parameter months: whether each is the start of a month.
    private static func limits(_ random: inout SeededRandom, months: Bool) -> (from: Limit?, to: Limit?) {
        let limits = (0..<2).map { _ -> Limit in
            let (month, day) = (random.next(below: 26), months ? 1 : 1 + random.next(below: 28))
            let start = CalendarOracle.milliseconds(2023, month, day)
            let units = DateUnit.allCases.filter { unit in
                let bucket = CalendarOracle.bucket(ofMilliseconds: start, by: unit)
                return CalendarOracle.bucket(ofMilliseconds: start - 1, by: unit) != bucket
            }
            let unit = units[random.next(below: units.count)]
            return (CalendarOracle.bucket(ofMilliseconds: start, by: unit), start)
        }.sorted { $0.start < $1.start }
        return (random.next(below: 6) == 0 ? nil : limits[0], random.next(below: 6) == 0 ? nil : limits[1])
    }

    /// The rows that a marker stands for.
    private func members(of marker: Marker) throws -> [Row] {
        switch marker {
        case .point(let point): return [try row(try #require(point.id))]
        case .cluster(let cluster):
            switch cluster.properties["members"] {
            case .array(let ids): return try ids.map { try row($0) }
            case .string(let text):
                return try JSONDecoder().decode([String].self, from: Data(text.utf8)).map { try row(.string($0)) }
            default:
                Issue.record("a cluster without members")
                return []
            }
        }
    }

    private struct UnknownRow: Error {
        let id: PropertyValue
    }

    private func row(_ id: PropertyValue) throws -> Row {
        guard case .string(let text) = id, let row = FilterOracleTests.rows[text] else {
            throw UnknownRow(id: id)
        }
        return row
    }

    /// Compares the markers of all zooms with the rows.
    /// - Parameter isComplete: whether the whole tileset is one bundle.
    /// - Returns: how many markers are exact, and how many aren't.
    private func compare(
        _ tiles: RemoteTiles, _ filter: MarkerFilter, isComplete: Bool, _ matches: (Row) -> Bool
    ) async throws -> (exact: Int, unknown: Int) {
        var found = (exact: 0, unknown: 0)
        /// The zooms at which matching rows are shown by different markers, by zoom.
        var places: [Int: [String: Int]] = [:]
        for zoom in FilterOracleTests.zooms.reversed() {
            let all = try await tiles.visibleMarkers(in: FilterOracleTests.box, zoom: zoom)
            let shown = try await tiles.visibleMarkers(in: FilterOracleTests.box, zoom: zoom, filter: filter)
            let wholes = Set(shown.map(\.whole))
            #expect(wholes.isSubset(of: all) && wholes.count == shown.count)
            for marker in Set(all).subtracting(wholes) { #expect(try !members(of: marker).contains(where: matches)) }
            for (number, marker) in shown.enumerated() {
                let matching = try members(of: marker.whole).filter(matches)
                for row in matching { places[zoom, default: [:]][row.id] = number }
                #expect(marker.total == marker.whole.pointCount && marker.marker.coordinate == marker.whole.coordinate)
                guard marker.isExact else {
                    found.unknown += 1
                    #expect(marker.count == marker.total && marker.counts(of: "kind") == nil)
                    let ids = try members(of: marker.whole).map(\.id)
                    #expect(!isComplete || !FilterOracleTests.crowded.isDisjoint(with: ids))
                    continue
                }
                found.exact += 1
                #expect(marker.count == matching.count && marker.marker.pointCount == marker.count)
                try compareCounts(marker, matching)
                switch marker.marker {
                case .point(let point):
                    let isKnown =
                        isComplete && !FilterOracleTests.crowded.contains(matching[0].id) || marker.total == 1
                    #expect(point.id == (point.id == nil && !isKnown ? nil : .string(matching[0].id)))
                case .cluster(let cluster):
                    let expected = (zoom...6).first { zoom in
                        Set(matching.compactMap { places[zoom]?[$0.id] }).count > 1
                    }
                    if isComplete { #expect(cluster.expansionZoom == expected) }
                    #expect(cluster.expansionZoom ?? 7 <= expected ?? 7)
                }
            }
        }
        return found
    }

    private func compareCounts(_ marker: FilteredMarker, _ matching: [Row]) throws {
        var (kinds, tags, prices): ([FacetValue: Int], [FacetValue: Int], [FacetValue: Int]) = ([:], [:], [:])
        for row in matching {
            kinds[row.kind.map { .value(.string($0)) } ?? nil, default: 0] += 1
            for tag in row.tags { tags[.value(.string(tag)), default: 0] += 1 }
            if row.tags.isEmpty { tags[nil, default: 0] += 1 }
            let limits: [Double?] = [nil] + FilterOracleTests.edges + [nil]
            let range = row.price.flatMap { price in
                zip(limits, limits.dropFirst()).first { $0 ?? -.infinity <= price && price < $1 ?? .infinity }
            }
            prices[range.map { .range(from: $0, to: $1) } ?? .absent, default: 0] += 1
        }
        #expect(marker.counts(of: "kind") == kinds)
        #expect(marker.counts(of: "tags") == tags)
        #expect(marker.counts(of: "price") == prices)
        var months: [FacetValue: Int] = [:]
        for row in matching {
            let own = Set(row.starts.map { CalendarOracle.bucket(ofMilliseconds: $0, by: .month) })
            for month in own { months[.value(.string(month)), default: 0] += 1 }
            if own.isEmpty { months[nil, default: 0] += 1 }
        }
        #expect(marker.counts(of: "opened") == months)
        #expect(marker.counts(of: "id") == nil)
    }

    private static let storages = [
        TileStorage(), TileStorage(layout: .bundles(limit: 12)), TileStorage(layout: .bundles(limit: 60)),
        TileStorage(layout: .bundles(limit: 10_000)), TileStorage(codec: .mvt),
    ]

    @Test(arguments: storages)
    func `markers under filters are those of the rows`(storage: TileStorage) async throws {
        let tiles = try await FilterOracleTests.tileset(storage)
        let isComplete = storage.layout == .bundles(limit: 10_000)
        var random = SeededRandom(seed: 99)
        let columns = ["kind", "price", "stars", "open", "tags", "opened"]
        for number in 0..<12 {
            var choice = Choice()
            choice.add(columns[number % columns.count], &random)
            if number > 5 { choice.add(columns[random.next(below: columns.count)], &random) }
            // A column may be chosen a second time.
            if choice.columns.count < choice.tests.count { choice.tests.removeFirst() }
            let found = try await compare(tiles, choice.filter, isComplete: isComplete, choice.matches)
            #expect(found.unknown == 0, "\(choice.columns)")
            let rows = FilterOracleTests.rows.values
            #expect(try await tiles.matchingCount(choice.filter) == rows.filter(choice.matches).count)
        }
        let all = try await compare(tiles, .all, isComplete: isComplete) { _ in true }
        #expect(all.unknown == 0)
    }

    @Test(arguments: storages)
    func `functions and limits that are no edges are known where the points are`(storage: TileStorage) async throws {
        let tiles = try await FilterOracleTests.tileset(storage)
        let isComplete = storage.layout == .bundles(limit: 10_000)
        let odd = MarkerFilter { point in
            if case .string(let id) = point.id { id.hasSuffix("1") } else { false }
        }
        let byID = try await compare(tiles, odd, isComplete: isComplete) { $0.id.hasSuffix("1") }
        let between = MarkerFilter(["price": [.range(from: 5, to: 20.5)]])
        let byPrice = try await compare(tiles, between, isComplete: isComplete) { (5..<20.5).contains($0.price ?? -1) }
        for filter in [odd, between] { #expect(try await tiles.matchingCount(filter) == nil) }
        for found in [byID, byPrice] { #expect(found.exact > 20 && found.unknown > 5) }
    }

    @Test(arguments: storages)
    func `dates are known where the points are, and where no month is touched partly`(storage: TileStorage) async throws
    {
        let tiles = try await FilterOracleTests.tileset(storage)
        var random = SeededRandom(seed: 2024)
        var found = (exact: 0, unknown: 0)
        for number in 0..<100 {
            let (from, to) = FilterOracleTests.limits(&random, months: number % 3 == 0)
            let filter = MarkerFilter(["opened": [.dates(from: from?.text, to: to?.text)]])
            func matches(_ row: Row) -> Bool {
                row.starts.contains { ((from?.start ?? .min)..<(to?.start ?? .max)).contains($0) }
            }
            let edges = [from, to].compactMap(\.self)
            let areMonths = edges.allSatisfy {
                CalendarOracle.bucket(ofMilliseconds: $0.start - 1, by: .month)
                    != CalendarOracle.bucket(ofMilliseconds: $0.start, by: .month)
            }
            let count = try await tiles.matchingCount(filter)
            // A range that ends before the first month, or where another date matches anyway, is known too.
            #expect(count == FilterOracleTests.rows.values.count(where: matches) || count == nil && !areMonths)
            guard number < 3 else { continue }
            let one = try await compare(
                tiles, filter, isComplete: storage.layout == .bundles(limit: 10_000), matches)
            #expect(!areMonths || one.unknown == 0)
            found = (found.exact + one.exact, found.unknown + one.unknown)
        }
        #expect(found.exact > 20 && found.unknown > 0)
    }

    @Test func `a legend has all values with their counts`() async throws {
        let tiles = try await FilterOracleTests.tileset(TileStorage(layout: .bundles(limit: 60)))
        let rows = FilterOracleTests.rows.values
        let filter = MarkerFilter(["kind": ["bakery", nil], "stars": [.range(from: 3)]])
        let shown = try await tiles.visibleMarkers(in: FilterOracleTests.box, zoom: 3, filter: filter)
        let kinds = try await tiles.counts(of: "kind", filter: filter, inView: shown)
        #expect(kinds.count == 5 && kinds.last?.value == .absent)
        #expect(kinds.dropLast().map(\.all) == kinds.dropLast().map(\.all).sorted(by: >))
        for kind in kinds {
            let name: String? = if case .value(.string(let name)) = kind.value { name } else { nil }
            let all = rows.filter { $0.kind == name }
            let filtered = all.filter { $0.stars ?? 0 >= 3 }
            #expect(kind.all == all.count && kind.filtered == filtered.count)
            #expect(kind.inView == (["bakery", nil].contains(name) ? filtered.count : 0))
        }
        #expect(try await tiles.counts(of: "stars").map(\.value) == [1, 2, 3, 4, 5, nil])
        let months = try await tiles.counts(of: "opened").map(\.value)
        let buckets = (1...24).map {
            CalendarOracle.bucket(ofMilliseconds: CalendarOracle.milliseconds(2023, $0), by: .month)
        }
        #expect(months == ["2022-12"] + buckets.map { .value(.string($0)) } + [nil])
        let prices = try await tiles.counts(of: "price", filter: filter)
        let edges: [Double?] = [nil, 0, 10, 20.5, 50, nil]
        #expect(prices.map(\.value) == zip(edges, edges.dropFirst()).map { .range(from: $0, to: $1) } + [.absent])
        #expect(prices.map(\.all).reduce(0, +) == rows.count && prices.allSatisfy { $0.inView == nil })
        let unknown = try await tiles.counts(of: "kind", filter: MarkerFilter { _ in true })
        #expect(unknown.allSatisfy { $0.filtered == nil })
    }
}
