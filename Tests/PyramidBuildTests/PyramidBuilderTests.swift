import Foundation
import PyramidParts
import PyramidStore
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput

/// What every pyramid must be, whatever the data and the options: looked at marker by marker, each with each.
@Suite(.tags(.slow, .threads)) struct PyramidBuilderTests {
    private static let variants: [ClusteringOptions] = [
        ClusteringOptions(maxZoom: 9),
        ClusteringOptions(position: .centroid, maxZoom: 9),
        ClusteringOptions(clusterDistance: 97, minPoints: 4, minZoom: 2, maxZoom: 8, clusterMaxZoom: 6),
        ClusteringOptions(clusterDistance: 256, maxZoom: 12),
        ClusteringOptions(clusterDistance: PixelsByZoom("0-2:20,3-5:120,6-:40") ?? 0, maxZoom: 9),
        ClusteringOptions(
            position: .centroid, clusterDistance: PixelsByZoom("0-2:120,3-:30") ?? 0, minPoints: 3, maxZoom: 9),
        ClusteringOptions(minZoom: 3, maxZoom: 3),
        ClusteringOptions(maxZoom: 0),
    ]

    @Test func `an input that is cut short while tiles are written is an error`() throws {
        let folder = try TemporaryFolder()
        // Less than a page, of which the rest turns into zeros.
        let input = try folder.file("t.csv", "lat,lon,name\n1,2,x\n-3,4,y\n")
        let options = BuildOptions(
            inputPaths: [input], outputPath: "", clustering: ClusteringOptions(maxZoom: 2))
        let tileset = MemoryTileset()
        let error = #expect(throws: InputError.self) {
            try PyramidBuilder(options: options).build { _ in
                #expect(truncate(input, 20) == 0)
                return tileset
            }
        }
        #expect(error?.kind == .unreadable)
        #expect(tileset.isBeingBuilt)
    }

    @Test(arguments: PointScatter.Shape.allCases, variants)
    func `a pyramid keeps what it promises`(shape: PointScatter.Shape, options: ClusteringOptions) throws {
        var random = SeededRandom(seed: 3)
        let points = PointScatter.points(shape, count: 80, random: &random)
        let content = ClusterContentOptions(memberLimit: 10_000, memberProperties: ["name"])
        let pyramid = try BuiltPyramid(csv: PointRows(points).csv, clustering: options, clusters: content)
        #expect(pyramid.report.input.rowsAccepted == points.count)

        try HierarchyOracle(pyramid.directory, key: "name").expectNoProblems()
        let findings = try PyramidVerifier(tileset: pyramid.directory, jobs: 2).checkedReport().findings
        #expect(findings.isEmpty, "\(findings.map(\.description))")
        for zoom in options.minZoom...options.maxZoom {
            let markers = try pyramid.markers(atZoom: zoom)
            #expect(markers.reduce(0) { $0 + $1.marker.pointCount } == points.count)
            for (tile, marker) in markers {
                #expect(tile.contains(WebMercator.project(marker.coordinate)))
            }
            if zoom > options.clusterMaxZoom {
                #expect(markers.count == points.count)
                #expect(names(markers.map(\.marker)) == Set(points.indices.map { "p\($0)" }))
            } else {
                expectDistance(between: markers.map(\.marker), atZoom: zoom, options)
            }
        }
    }

    @Test(arguments: variants)
    func `neither the order of the rows nor the jobs change a byte`(options: ClusteringOptions) throws {
        var random = SeededRandom(seed: 4)
        var rows = PointRows(
            PointScatter.Shape.allCases.flatMap { PointScatter.points($0, count: 60, random: &random) })
        let expected = try BuiltPyramid(csv: rows.csv, clustering: options, jobs: 1).files()
        for jobs in [1, 2, 7] {
            rows.rows.shuffle(using: &random)
            let found = try BuiltPyramid(csv: rows.csv, clustering: options, jobs: jobs).files()
            #expect(found == expected)
        }
    }

    @Test func `a tile holds the bytes that the format says`() throws {
        let pyramid = try BuiltPyramid(
            csv: #"""
                code;city;lat;lon;population
                FUN;"Funafuti ""atoll""";-8.525000;179.19417;6320
                INU;Yaren;-0.5477;166.9209;
                007;Suva;-18.1416;178.4419;93970
                """#,
            clustering: ClusteringOptions(maxZoom: 3), input: InputOptions(idColumn: "code"))
        let tile = try #require(TileCoordinate(z: 3, x: 7, y: 4))
        let body = try #require(try pyramid.directory.body(of: tile))
        // At zoom 2 Funafuti and Suva are 27 pixels apart, Yaren and Funafuti 39: Funafuti takes both in or Suva does.
        let joined = try #require(try pyramid.markers(atZoom: 2).compactMap { $0.marker.cluster }.first)
        let id = joined.id
        #expect(
            String(decoding: body, as: UTF8.self) == """
                {"type":"FeatureCollection","features":[\
                {"type":"Feature","id":"INU","geometry":{"type":"Point","coordinates":[166.9209,-0.5477]},\
                "properties":{"city":"Yaren"}},\
                {"type":"Feature","id":"FUN","geometry":{"type":"Point","coordinates":[179.19417,-8.525]},\
                "properties":{"city":"Funafuti \\"atoll\\"","population":6320,"parent":\(id)}},\
                {"type":"Feature","id":"007","geometry":{"type":"Point","coordinates":[178.4419,-18.1416]},\
                "properties":{"city":"Suva","population":93970,"parent":\(id)}}]}
                """)
        let markers = try pyramid.markers(atZoom: 0)
        let cluster = try #require(markers.first?.marker.cluster)
        #expect(markers.count == 1)
        #expect(cluster.pointCount == 3)
        #expect(
            cluster.boundingBox
                == BoundingBox(west: 166_920_900, south: -18_141_600, east: 179_194_170, north: -547_700))
    }

    @Test(arguments: variants)
    func `places beyond the map's edge make a sound pyramid`(options: ClusteringOptions) throws {
        let csv = """
            lat,lon
            85.0512,10
            85.0513,10.0001
            85.0514,10
            90,-180
            89.9,179.99
            -90,0
            -85.06,-0.001

            """
        var filter = ClusteringOptions(maxZoom: options.maxZoom)
        filter.mode = .filter
        let filtered = try BuiltPyramid(csv: csv, clustering: filter)
        #expect(try PyramidVerifier(tileset: filtered.directory).checkedReport().findings == [])
        let pyramid = try BuiltPyramid(csv: csv, clustering: options)
        #expect(pyramid.report.input.rowsClamped == 7)
        let findings = try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings
        #expect(findings.isEmpty, "\(findings.map(\.description))")
    }

    @Test func `a cluster that goes round the world exactly once has the box of its points`() throws {
        // East of each other by 60, 96 and 100 of 256 pixels, so that the first and the last are on one meridian. The last
        // one joins the third at zoom 2, which joins the second at zoom 1, and that the first at zoom 0.
        let places = [(128, 60), (68, 60), (228, 60), (128, 165)].map { x, y in
            WorldPoint(x: UInt32(x) << 24, y: UInt32(y) << 24)
        }
        var options = ClusteringOptions(
            clusterDistance: try #require(PixelsByZoom("0-0:200,1-1:200,2-:250")), maxZoom: 3)
        options.priorityColumn = "rank"
        let pyramid = try BuiltPyramid(csv: PointRows(places).csv, clustering: options)
        #expect(try (0...3).map { try pyramid.markers(atZoom: $0).count } == [1, 2, 3, 4])
        let boxes = try pyramid.clusters(atZoom: 0).map(\.boundingBox)
        #expect(boxes.map { [$0.west, $0.east] } == [[-84_375_000, 140_625_000]])
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().isSound)
    }

    @Test func `no point has the id of a cluster`() throws {
        let csv = """
            id,lat,lon
            0,90,-180
            7,89,-180
            999999999999999,10,10
            88029650026816,10.1,10

            """
        let pyramid = try BuiltPyramid(
            csv: csv, clustering: ClusteringOptions(maxZoom: 4), input: InputOptions(idColumn: "id"))
        for zoom in 0...4 {
            let ids = try pyramid.markers(atZoom: zoom).map { (_, marker) -> PropertyValue? in
                switch marker {
                case .point(let feature): feature.id
                case .cluster(let cluster): .number(Double(cluster.id))
                }
            }
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test func `a failing build leaves the output as it was`() throws {
        let csv = PointRows([WorldPoint(x: 1_000_000_000, y: 2_000_000_000)]).csv
        let pyramid = try BuiltPyramid(csv: csv, clustering: ClusteringOptions(maxZoom: 4))
        let before = try pyramid.files()
        let bad = try pyramid.folder.file("bad.csv", "name,lon,lat\na,1,2\nb,1,x\n")
        let options = BuildOptions(
            inputPaths: [bad], outputPath: pyramid.path, input: InputOptions(isStrict: true),
            clustering: ClusteringOptions(maxZoom: 4))
        #expect(throws: InputError.self) { try PyramidBuilder(options: options).build() }
        #expect(try pyramid.files() == before)
    }

    private func names(_ markers: [Marker]) -> Set<String> {
        Set(
            markers.compactMap { marker in
                if case .string(let name)? = marker.point?.properties["name"] { name } else { nil }
            })
    }

    private func expectDistance(between markers: [Marker], atZoom zoom: Int, _ options: ClusteringOptions) {
        let kept = markers.filter { marker in
            if case .cluster = marker { true } else { options.minPoints == 2 }
        }
        let pixel = Double(UInt64(1) << UInt64(24 - zoom))
        for (index, one) in kept.enumerated() {
            for other in kept[..<index] {
                let (a, b) = (WebMercator.project(one.coordinate), WebMercator.project(other.coordinate))
                let straight = abs(Double(a.x) - Double(b.x))
                let dx = min(straight, 0x1p32 - straight)
                let distance = (dx * dx + pow(Double(a.y) - Double(b.y), 2)).squareRoot()
                #expect(distance >= Double(options.clusterDistance[zoom]) * pixel)
            }
        }
    }
}
