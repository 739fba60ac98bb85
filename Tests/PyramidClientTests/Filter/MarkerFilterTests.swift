import Foundation
import PyramidClient
import PyramidTiles
import TestSupport
import Testing

/// Filters on a tileset of three points in one bundle: a cluster of all at zoom 0, which at zoom 1 leaves two of them,
/// which come apart at zoom 2.
@Suite(.tags(.threads)) struct MarkerFilterTests {
    private static let bakery = #"{"name":"A","kind":"bakery","price":4}"#
    private static let cafe = #"{"name":"B","kind":"cafe","price":12}"#
    private static let other = #"{"name":"C","price":"cheap"}"#

    private static let world = BoundingBox(west: -180_000_000, south: -80_000_000, east: 179_999_999, north: 80_000_000)

    /// - Parameter parent: the index of the cluster.
    private static func point(
        _ id: Int, _ longitude: Int, minZoom: Int, parent: Int, _ properties: String
    ) -> String {
        """
        {"type":"Feature","id":\(id),"minzoom":\(minZoom),"parent":\(parent),"geometry":{"type":"Point","coordinates":[\(longitude),1]},\
        "properties":\(properties)}
        """
    }

    private static func cluster(count: Int, zoom: Int, east: Int, parent: Int? = nil) -> String {
        """
        {"type":"Feature","id":5,"minzoom":\(zoom),"maxzoom":\(zoom)\(parent.map { ",\"parent\":\($0)" } ?? ""),"bbox":[1,1,\(east),1],\
        "geometry":{"type":"Point","coordinates":[1,1]},"properties":{"cluster":true,"cluster_id":5,\
        "point_count":\(count),"point_count_abbreviated":"\(count)","expansion_zoom":\(zoom + 1),"area":"north","sum":16}}
        """
    }

    private static func bundle(_ bakery: String = bakery, at longitude: Int = 1) -> [UInt8] {
        let features = [
            cluster(count: 3, zoom: 0, east: 9), cluster(count: 2, zoom: 1, east: 2, parent: 0),
            point(1, longitude, minZoom: 2, parent: 1, bakery), point(2, 2, minZoom: 2, parent: 1, cafe),
            point(3, 9, minZoom: 1, parent: 0, other),
        ]
        return Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
    }

    private static func tileset(
        facets: Facets? = Facets(
            columns: [FacetColumn(name: "kind"), FacetColumn(name: "price", edges: [0, 10])],
            counts: [#"["bakery",[0,10]]"#: 1, #"["cafe",[10,null]]"#: 1, "[null,null]": 1]),
        bundle: [UInt8] = bundle()
    ) throws -> [String: [UInt8]] {
        let bounds = BoundingBox(west: 1_000_000, south: 1_000_000, east: 9_000_000, north: 1_000_000)
        var tileJSON = TileJSON(
            tileTemplate: "tiles/{z}/{x}/{y}.json", minZoom: 0, maxZoom: 2, bounds: bounds, fields: [:],
            bundles: TileJSON.Bundles(
                limit: 9, root: .bundle, template: "bundles/{z}/{x}/{y}.json", deflated: [3, 0]))
        (tileJSON.pointCount, tileJSON.groupBy, tileJSON.facets) = (3, "area", facets)
        return ["tilejson.json": try tileJSON.encoded(), "bundles/0/0/0.json": bundle]
    }

    private func remote(_ files: [String: [UInt8]]) async throws -> RemoteTiles {
        try await RemoteTiles(at: StubHost.serve(files), session: StubHost.session)
    }

    private func names(_ markers: [FilteredMarker]) -> [PropertyValue?] {
        markers.map { $0.marker.point?.properties["name"] }
    }

    @Test func `a cluster that keeps one point becomes the point, at the cluster's place`() async throws {
        let tiles = try await remote(MarkerFilterTests.tileset(bundle: MarkerFilterTests.bundle(at: 0)))
        for zoom in 0...1 {
            let shown = try await tiles.visibleMarkers(
                in: MarkerFilterTests.world, zoom: zoom, filter: MarkerFilter(["kind": ["bakery"]]))
            try #require(shown.count == 1)
            let point = try #require(shown[0].marker.point)
            #expect(point.id == 1 && point.properties["name"] == "A")
            #expect(point.coordinate == Coordinate(longitude: 1, latitude: 1))
            #expect(shown[0].count == 1 && shown[0].total == 3 - zoom && shown[0].isExact)
        }
    }

    @Test func `a filtered cluster has the properties that are still true`() async throws {
        let tiles = try await remote(MarkerFilterTests.tileset())
        let filter = MarkerFilter(["kind": ["bakery", "cafe"]])
        for (zoom, parent) in [(0, nil), (1, 5)] as [(Int, UInt64?)] {
            let shown = try await tiles.visibleMarkers(in: MarkerFilterTests.world, zoom: zoom, filter: filter)
            try #require(shown.count == 1)
            let cluster = try #require(shown[0].marker.cluster)
            // The cluster of zoom 1 is that of the two points alone, and comes apart at zoom 2.
            #expect(cluster.id == 5 && cluster.pointCount == 2 && cluster.expansionZoom == 2)
            #expect(cluster.boundingBox.east == 2_000_000)
            let properties: [String: PropertyValue] = zoom == 0 ? ["area": "north"] : ["area": "north", "sum": 16]
            #expect(cluster.properties == properties && shown[0].marker.parentID == parent)
        }
    }

    private static let choices: [([String: Set<FacetValue>], [PropertyValue])] = [
        (["kind": [nil]], ["C"]), (["kind": []], []), ([:], ["A", "B", "C"]), (["price": [nil]], ["C"]),
        (["price": [.range(from: 4, to: 12)]], ["A"]), (["price": [.range(to: 4)]], []),
        (["price": [4, .range(from: 12)]], ["A", "B"]),
        (["kind": ["cafe", "bar"], "price": [.range(from: 10)]], ["B"]),
        (["kind": ["cafe", nil], "price": [nil]], ["C"]), (["kind": ["closed"]], []),
    ]

    @Test(arguments: choices)
    func `columns accept values, ranges and the lack of a value`(
        columns: [String: Set<FacetValue>], expected: [PropertyValue]
    ) async throws {
        let tiles = try await remote(MarkerFilterTests.tileset())
        let shown = try await tiles.visibleMarkers(
            in: MarkerFilterTests.world, zoom: 2, filter: MarkerFilter(columns))
        #expect(Set(names(shown)) == Set(expected) && shown.count == expected.count)
    }

    @Test func `the last files are decoded once for a filter, and again when they have changed`() async throws {
        let calls = CallCounter()
        let filter = MarkerFilter { point in
            calls.count()
            return point.properties["kind"] != nil
        }
        let files = try MarkerFilterTests.tileset()
        let url = StubHost.serve(files)
        let tiles = try await RemoteTiles(at: url, session: StubHost.session)
        for zoom in [2, 0, 1] {
            _ = try await tiles.visibleMarkers(in: MarkerFilterTests.world, zoom: zoom, filter: filter)
        }
        #expect(calls.number == 3)
        let before = try await tiles.visibleMarkers(in: MarkerFilterTests.world, zoom: 2, filter: filter)
        #expect(names(before) == ["A", "B"])
        let changed = MarkerFilterTests.bundle(#"{"name":"D","kind":"bar"}"#)
        StubHost.replace(["bundles/0/0/0.json": changed], at: url)
        let after = try await tiles.visibleMarkers(in: MarkerFilterTests.world, zoom: 2, filter: filter)
        #expect(names(after) == ["D", "B"] && calls.number == 6)
    }

    @Test func `filters that a tileset can't answer are errors with a cure`() async throws {
        let tiles = try await remote(MarkerFilterTests.tileset())
        let unknown = await #expect(throws: MarkerFilterError.self) {
            try await tiles.visibleMarkers(
                in: MarkerFilterTests.world, zoom: 0, filter: MarkerFilter(["knd": ["bakery"]]))
        }
        #expect(
            unknown?.description == """
                can't filter by "knd": the tileset has only the columns "kind", "price"; build it with --filter-by knd, \
                or filter by a function
                """)
        let reversed = await #expect(throws: MarkerFilterError.self) {
            try await tiles.matchingCount(MarkerFilter(["price": [.range(from: 10, to: 5)]]))
        }
        #expect(reversed?.description.hasPrefix(#"the range of "price" goes from 10.0 to 5.0"#) == true)
        await #expect(throws: MarkerFilterError.self) { try await tiles.counts(of: "name") }
        let dates = Facets(
            columns: [
                FacetColumn(name: "kind"),
                FacetColumn(name: "opened", dates: FacetDates(unit: .month, notation: .iso8601)),
            ],
            counts: [#"["bakery","2024-03"]"#: 3])
        let dated = try await remote(MarkerFilterTests.tileset(facets: dates))
        for (column, range, words) in [
            ("kind", .dates("2024"..<"2025"), "\"kind\" has no dates; build the tileset with --filter-by kind:month"),
            ("opened", .range(from: 2024), "\"opened\" has dates, found a range of numbers"),
            ("opened", .dates(from: "March"), "the range of \"opened\" has \"March\", expected a date such as"),
            ("opened", .dates(to: "2023-W53"), "has \"2023-W53\", expected"),
            (
                "opened", .dates(from: "2024-Q2", to: "2024"),
                "goes from 2024-Q2 to 2024, expected the earlier date first"
            ),
        ] as [(String, FacetValue, String)] {
            let error = await #expect(throws: MarkerFilterError.self) {
                try await dated.matchingCount(MarkerFilter([column: [range]]))
            }
            #expect(error?.description.contains(words) == true)
        }
        // Nothing is between a date and itself.
        #expect(try await dated.matchingCount(MarkerFilter(["opened": [.dates(from: "2024-Q1", to: "2024")]])) == 0)

        let plain = try await remote(MarkerFilterTests.tileset(facets: nil))
        let none = await #expect(throws: MarkerFilterError.self) {
            try await plain.matchingCount(MarkerFilter(["kind": [nil]]))
        }
        #expect(none?.description.contains("the tileset has no columns to filter by; build it with") == true)
        #expect(try await plain.matchingCount(.all) == 3)

        let error = await #expect(throws: RemoteTilesError.self) {
            try await remote(
                MarkerFilterTests.tileset(facets: Facets(columns: [FacetColumn(name: "kind")], counts: ["[1,2]": 1])))
        }
        #expect(error?.problem == "has facets with the combination [1,2] of 1 points, expected 1 value of 1 or more")
    }

    /// Of a point on 5 March, whose cluster has it beside another one of that month.
    @Test(
        arguments: [
            (.dates(from: "2024-03-05"), true, nil), (.dates(from: "2024-03-05T00:00:00.001"), false, nil),
            (.dates(to: "2024-03-05"), false, nil), (.dates(to: "2024-03-05T00:00:00.001"), true, nil),
            (.dates(from: "2024-W09", to: "2024-03-05T02:00+02:00"), false, nil),
            (.dates("2024-W10"..<"2024-W11"), true, nil),
            (.dates(from: "2024-Q1", to: "2024-04"), true, 2), (.dates(from: "2024-04"), false, 0),
            ("2024-03", true, 2),
            ("2024-03-05", false, 0), (.absent, false, 1), (.dates(), true, 2),
        ] as [(FacetValue, Bool, Int?)])
    func `dates are accepted from the start of a limit up to that of the other`(
        value: FacetValue, isAccepted: Bool, count: Int?
    ) async throws {
        let column = FacetColumn(name: "kind", dates: FacetDates(unit: .month, notation: .iso8601))
        let files = try MarkerFilterTests.tileset(
            facets: Facets(columns: [column], counts: [#"["2024-03"]"#: 2, "[null]": 1]),
            bundle: MarkerFilterTests.bundle(#"{"name":"A","kind":"2024-03-05"}"#))
        let (tiles, filter) = (try await remote(files), MarkerFilter(["kind": [value]]))
        let shown = try await tiles.visibleMarkers(in: MarkerFilterTests.world, zoom: 2, filter: filter)
        #expect(names(shown).contains("A") == isAccepted)
        #expect(try await tiles.matchingCount(filter) == count)
    }

    @Test func `a range of Foundation's dates begins and ends at their milliseconds`() {
        var random = SeededRandom(seed: 5)
        let edges = (CalendarOracle.milliseconds(0), CalendarOracle.milliseconds(10_000))
        for _ in 0..<300 {
            let limits = [0, 1].map { _ in edges.0 + random.next(below: edges.1 - edges.0) }.sorted()
            let dates = limits.map { Date(timeIntervalSince1970: Double($0) / 1000) }
            guard case .dates(let from?, let to?) = FacetValue.dates(dates[0]..<dates[1]) else { return }
            #expect([from, to].map { StatedDate(bucket: $0)?.milliseconds } == limits, "\(dates)")
        }
        let all = Date(timeIntervalSince1970: -.infinity)..<Date(timeIntervalSince1970: .infinity)
        #expect(FacetValue.dates(all) == .dates(from: "0000-01-01T00:00:00.000", to: "9999-12-31T23:59:59.999"))
    }

    @Test func `clusters whose points are not all there are unknown to functions`() async throws {
        // A point less than the clusters state.
        let text = String(decoding: MarkerFilterTests.bundle(), as: UTF8.self)
        let rest = text.replacing("\"minzoom\":1,\"parent\":0,\"geometry\"", with: "\"minzoom\":1,\"geometry\"")
        let tiles = try await remote(MarkerFilterTests.tileset(bundle: Array(rest.utf8)))
        let shown = try await tiles.visibleMarkers(
            in: MarkerFilterTests.world, zoom: 0, filter: MarkerFilter { _ in false })
        #expect(shown.map(\.count) == [3] && shown.map(\.isExact) == [false])
        let all = try await tiles.visibleMarkers(in: MarkerFilterTests.world, zoom: 0, filter: .all)
        #expect(all.map(\.marker) == all.map(\.whole) && all.map(\.isExact) == [true])
    }
}
