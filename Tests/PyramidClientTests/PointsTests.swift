import Foundation
import PyramidBuild
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClient

/// Lists of points are compared with the rows.
@Suite(.tags(.slow, .threads)) struct PointsTests {
    /// `Tests/web/points.cases.json`, which the tests of PyramidWeb write.
    private struct Cases: Decodable {
        struct Row: Decodable {
            let id: Int
            let kind: String?
            let price: Double?
            let lon, lat: Double

            func isIn(_ box: BoundingBox) -> Bool {
                let (longitude, latitude) = (Int((lon * 1e6).rounded()), Int((lat * 1e6).rounded()))
                let isBetween =
                    box.west <= box.east
                    ? Int(box.west) <= longitude && longitude <= Int(box.east)
                    : Int(box.west) <= longitude || longitude <= Int(box.east)
                return isBetween && Int(box.south) <= latitude && latitude <= Int(box.north)
            }

            /// 0 to 1 on the map.
            var place: (x: Double, y: Double) {
                (lon / 360 + 0.5, min(max(0.5 - asinh(tan(lat * .pi / 180)) / (2 * .pi), 0), 1))
            }
        }
        struct Case: Decodable {
            let box: [Double]?
            let zoom, cluster: Int?
            let filter: [String: Values]?
            let limit, count: Int
            let points: [Int]

            var area: BoundingBox? {
                box.map { $0.map { Int32(($0 * 1e6).rounded()) } }.map {
                    BoundingBox(west: $0[0], south: $0[1], east: $0[2], north: $0[3])
                }
            }

            var markerFilter: MarkerFilter { filter.map { MarkerFilter($0.mapValues(\.values)) } ?? .all }
        }
        struct Values: Decodable {
            let values: Set<FacetValue>

            init(from decoder: any Decoder) throws {
                if let texts = try? decoder.singleValueContainer().decode([String?].self) {
                    values = Set(texts.map { $0.map { .value(.string($0)) } ?? .absent })
                } else {
                    let limits = try decoder.singleValueContainer().decode([String: Double].self)
                    values = [.range(from: limits["from"], to: limits["to"])]
                }
            }
        }
        let rows: [Row]
        let boxes, calls, clusters: [Case]
    }

    private static func cases() throws -> Cases {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("web/points.cases.json")
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }

    /// How a tileset is made of the rows.
    struct Build: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The shares of the boxes and of the clusters that are exact, at least. Big clusters need more than 64 files.
        let boxes, clusters: Double
        let options: @Sendable (inout BuildOptions) -> Void

        init(
            _ description: String, boxes: Double = 0.7, clusters: Double = 0.9,
            _ options: @escaping @Sendable (inout BuildOptions) -> Void = { _ in }
        ) {
            (testDescription, self.boxes, self.clusters, self.options) = (description, boxes, clusters, options)
        }
    }

    private static let plain = Build("plain")
    private static let bundled = Build("bundles of 30") { $0.storage.layout = .bundles(limit: 30) }
    private static let builds = [
        plain, bundled,
        Build("bundles of 400") { $0.storage.layout = .bundles(limit: 400) },
        Build("vector tiles", boxes: 0.4, clusters: 0.6) { $0.storage = TileStorage(codec: .mvt) },
        Build("centroids") { $0.clustering.position = .centroid },
        Build("centroids in bundles") {
            ($0.clustering.position, $0.storage.layout) = (.centroid, .bundles(limit: 60))
        },
        Build("groups in bundles") {
            ($0.clustering.groupColumn, $0.storage.layout) = ("kind", .bundles(limit: 60))
        },
        Build("few points") {
            ($0.clustering.minPoints, $0.clustering.clusterDistance) = (4, 90)
        },
        Build("coincident", boxes: 0.2, clusters: 0.4) { $0.clustering.coincidentLimit = 4 },
        Build("coincident in bundles", boxes: 0.2, clusters: 0.4) {
            ($0.clustering.coincidentLimit, $0.storage.layout) = (4, .bundles(limit: 60))
        },
    ]
    /// Without clusters.
    private static let hiding = [
        Build("hidden points", boxes: 0.2) { ($0.clustering.mode, $0.clusters.filterBy) = (.filter, []) },
        Build("hidden points in vector tiles", boxes: 0.2) {
            ($0.clustering.mode, $0.storage, $0.clusters.filterBy) = (.filter, TileStorage(codec: .mvt), [])
        },
    ]

    private static func tileset(_ rows: [Cases.Row], maxZoom: Int, _ build: Build) async throws -> RemoteTiles {
        let lines = rows.map { "\($0.id),\($0.kind ?? ""),\($0.price.map { "\($0)" } ?? ""),\($0.lon),\($0.lat)" }
        let csv = (["id,kind,price,lon,lat"] + lines).joined(separator: "\n")
        return try await StubHost.tileset(csv, ClusteringOptions(maxZoom: maxZoom)) { options in
            options.clusters.filterBy = ["kind", "price:10:20:30"].compactMap { FacetColumn($0) }
            build.options(&options)
        }
    }

    private func ids(_ list: PointList) -> [Int] {
        list.points.map { if case .number(let id)? = $0.id { Int(id) } else { -1 } }
    }

    /// Reads on until the list is exact: each call brings more, and keeps what was known.
    private func lists(
        in box: BoundingBox, of tiles: RemoteTiles, filter: MarkerFilter, isEachMore: Bool = true
    ) async throws -> [PointList] {
        var lists: [PointList] = []
        var known: Set<Int> = []
        repeat {
            let list = try await tiles.points(in: box, limit: .max, filter: filter)
            let found = Set(ids(list))
            #expect(found.count == list.points.count && found.isSuperset(of: known) && list.count >= found.count)
            #expect(found.count > known.count || !isEachMore)
            lists.append(list)
            known = found
        } while lists.last?.isExact == false && lists.count < 100
        #expect(lists.last?.isExact == true)
        return lists
    }

    @Test(arguments: [plain, bundled])
    func `the cases for all clients are those of the rows`(build: Build) async throws {
        let cases = try PointsTests.cases()
        let tiles = try await PointsTests.tileset(cases.rows, maxZoom: 6, build)
        for box in cases.boxes {
            let list = try await tiles.points(
                in: try #require(box.area), limit: box.limit, filter: box.markerFilter)
            #expect(list.isExact && list.count == box.count && ids(list) == box.points, "\(box)")
        }
        for box in cases.calls {
            let lists = try await lists(in: try #require(box.area), of: tiles, filter: box.markerFilter)
            #expect(lists.last?.count == box.count && lists.last.map(ids) == box.points, "\(box)")
            #expect(build.testDescription == "bundles of 30" || lists.count > 1)
        }
        for cluster in cases.clusters {
            let zoom = try #require(cluster.zoom)
            let marker = try #require(
                try await tiles.visibleMarkers(in: .world, zoom: zoom).first {
                    $0.cluster?.id == cluster.cluster.map(UInt64.init)
                })
            let all = try await tiles.points(of: marker, limit: .max, filter: cluster.markerFilter)
            #expect(all.isExact && all.count == cluster.count && ids(all).sorted() == cluster.points, "\(cluster)")
            let some = try await tiles.points(of: marker, limit: cluster.limit, filter: cluster.markerFilter)
            #expect(some.isExact && some.points == Array(all.points.prefix(cluster.limit)))
        }
    }

    // MARK: Random boxes and clusters

    private static let maxZoom = 8
    private static let rows: [Cases.Row] = {
        var random = SeededRandom(seed: 5)
        func fraction() -> Double { Double(random.next(below: 100_000)) / 100_000 }
        return (1...600).map { id in
            let across = fraction()
            let place: (lon: Double, lat: Double) =
                switch id {
                case ..<240: (165 + 30 * across * across, -60 + 70 * fraction())
                case ..<480: (5 + 9 * across * across * across, 45 + 8 * pow(fraction(), 2))
                case ..<540: (-180 + 360 * across, -89 + 178 * fraction())
                case ..<550: (7.06, 46.36)
                default: (-46.63, -23.55)
                }
            let longitude = place.lon >= 180 ? place.lon - 360 : place.lon
            return Cases.Row(
                id: id, kind: ["bar", "cafe", nil][random.next(below: 3)],
                price: random.next(below: 5) == 0 ? nil : Double(random.next(below: 40)),
                lon: (longitude * 1e5).rounded() / 1e5, lat: (place.lat * 1e5).rounded() / 1e5)
        }
    }()

    /// A filter, and what it says of a row.
    private static let filters: [(filter: MarkerFilter, matches: @Sendable (Cases.Row) -> Bool)] = [
        (.all, { _ in true }), (.all, { _ in true }),
        (MarkerFilter(["kind": ["bar", nil]]), { $0.kind != "cafe" }),
        (MarkerFilter(["price": [.range(from: 10, to: 20)]]), { $0.price.map { (10..<20).contains($0) } ?? false }),
        (MarkerFilter(["price": [.range(from: 5, to: 12)]]), { $0.price.map { (5..<12).contains($0) } ?? false }),
        (MarkerFilter { $0.properties["kind"] == "bar" }, { $0.kind == "bar" }),
    ]

    private static func randomBox(_ random: inout SeededRandom) -> BoundingBox {
        let row = rows[random.next(below: rows.count)]
        func fraction() -> Double { Double(random.next(below: 100_000)) / 100_000 }
        let span = 40 * pow(fraction(), 4) + 0.001
        func shift() -> Double { span * (fraction() - 0.5) }
        func wrapped(_ longitude: Double) -> Int32 {
            Int32((remainder(longitude, 360) * 1e6).rounded())
        }
        // Now and then as near to a point as vector tiles move places.
        let west = random.next(below: 8) == 0 ? row.lon - 0.00002 : row.lon - span + shift()
        return BoundingBox(
            west: wrapped(west), south: Int32(max(row.lat - span / 2 + shift(), -90) * 1e6),
            east: wrapped(row.lon + span + shift()), north: Int32(min(row.lat + span / 2 + shift(), 90) * 1e6))
    }

    /// The angles on the globe, by the places' vectors.
    private func distances(_ ids: [Int], from place: (lon: Double, lat: Double)) -> [Double] {
        func vector(_ lon: Double, _ lat: Double) -> [Double] {
            let (east, north) = (lon * .pi / 180, lat * .pi / 180)
            return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
        }
        return ids.map { id in
            let row = PointsTests.rows[id - 1]
            let steps = zip(vector(row.lon, row.lat), vector(place.lon, place.lat)).map { $0 - $1 }
            return 2 * asin(steps.map { $0 * $0 }.reduce(0, +).squareRoot() / 2)
        }
    }

    @Test(arguments: builds + hiding)
    func `points of random boxes are those of the rows, wherever they are exact`(build: Build) async throws {
        let tiles = try await PointsTests.tileset(PointsTests.rows, maxZoom: PointsTests.maxZoom, build)
        var random = SeededRandom(seed: 31)
        var (exact, unknown, empty) = (0, 0, 0)
        // Columns need facets.
        let filters = PointsTests.filters.filter { tiles.tileJSON.facets != nil || $0.filter.columns.isEmpty }
        for round in 0..<20 {
            let box = PointsTests.randomBox(&random)
            let (filter, matches) = filters[random.next(below: filters.count)]
            let expected = PointsTests.rows.filter { $0.isIn(box) && matches($0) }.map(\.id)
            let list = try await tiles.points(in: box, limit: .max, filter: filter)
            let found = ids(list)
            let comment: Comment = "\(build.testDescription), \(round): \(box), \(filter)"
            if list.isExact {
                (exact, empty) = (exact + 1, empty + (expected.isEmpty ? 1 : 0))
                #expect(found.sorted() == expected && list.count == expected.count, comment)
            } else {
                unknown += 1
                #expect(Set(found).count == found.count && list.count >= found.count, comment)
                if tiles.tileJSON.codec == .geojson { #expect(Set(found).isSubset(of: expected), comment) }
            }
            guard tiles.tileJSON.codec == .geojson else { continue }
            let west = Double(box.west) / 1e6
            let width = Double(box.east) / 1e6 - west + (box.west > box.east ? 360 : 0)
            func y(_ latitude: Int32) -> Double {
                Cases.Row(id: 0, kind: nil, price: nil, lon: 0, lat: Double(latitude) / 1e6).place.y
            }
            let latitude = atan(sinh(.pi * (1 - y(box.north) - y(box.south)))) * 180 / .pi
            let middle = (lon: west + width / 2, lat: latitude)
            let distances = distances(found, from: middle)
            #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 }, comment)
        }
        #expect(Double(exact) >= build.boxes * Double(exact + unknown) && exact > 2 * empty)
    }

    @Test(arguments: [
        plain, bundled, Build("vector tiles") { $0.storage = TileStorage(codec: .mvt) },
        Build("centroids") { $0.clustering.position = .centroid },
    ])
    func `calls for the whole world read on, until all points are known`(build: Build) async throws {
        let tiles = try await PointsTests.tileset(PointsTests.rows, maxZoom: PointsTests.maxZoom, build)
        for (filter, matches) in PointsTests.filters {
            let lists = try await lists(
                in: .world, of: tiles, filter: filter, isEachMore: tiles.tileJSON.codec == .geojson)
            let expected = PointsTests.rows.filter(matches).map(\.id)
            #expect(lists.last.map(ids)?.sorted() == expected, "\(filter)")
        }
    }

    @Test(arguments: builds)
    func `points of clusters are theirs, wherever they are exact`(build: Build) async throws {
        let whole = Build("members") { options in
            build.options(&options)
            options.storage = TileStorage()
            options.clusters.memberLimit = 10_000
        }
        let truth = try await PointsTests.tileset(PointsTests.rows, maxZoom: PointsTests.maxZoom, whole)
        let tiles = try await PointsTests.tileset(PointsTests.rows, maxZoom: PointsTests.maxZoom, build)
        var random = SeededRandom(seed: 32)
        var (exact, unknown) = (0, 0)
        for zoom in 0...PointsTests.maxZoom {
            var members: [UInt64: [Int]] = [:]
            // Few of the tiles in the world at higher zooms.
            let dense = BoundingBox(west: 4_000_000, south: 44_000_000, east: 15_000_000, north: 54_000_000)
            let box = zoom > 3 ? dense : .world
            for case .cluster(let cluster) in try await truth.visibleMarkers(in: box, zoom: zoom) {
                guard case .array(let ids) = cluster.properties["members"] else { continue }
                members[cluster.id] = ids.map { if case .number(let id) = $0 { Int(id) } else { -1 } }
            }
            let (filter, matches) = PointsTests.filters[random.next(below: PointsTests.filters.count)]
            for marker in try await tiles.visibleMarkers(in: box, zoom: zoom, filter: filter) {
                guard case .cluster(let cluster) = marker.whole, random.next(below: 6) == 0 else { continue }
                let all = try #require(members[cluster.id])
                let expected = all.filter { matches(PointsTests.rows[$0 - 1]) }
                let list = try await tiles.points(of: marker, limit: .max, filter: filter)
                let found = ids(list)
                let comment: Comment = "\(build.testDescription), \(zoom), \(cluster.id), \(cluster.pointCount) points"
                if list.isExact {
                    exact += 1
                    let isRight = found.sorted() == expected.sorted() && list.count == expected.count
                    #expect(isRight, comment)
                } else {
                    unknown += 1
                    let isRight = Set(found).isSubset(of: expected) && list.count == max(marker.count, found.count)
                    #expect(isRight, comment)
                }
            }
        }
        #expect(Double(exact) >= build.clusters * Double(exact + unknown))
    }
}
