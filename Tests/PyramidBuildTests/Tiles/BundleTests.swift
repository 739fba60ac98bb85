import Foundation
import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

/// Bundled tilesets against plain ones of the same points, which are read with nothing but Foundation's JSON.
@Suite struct BundleTests {
    /// Options at random, for rows of ``PointRows``.
    private struct Options {
        var clustering: ClusteringOptions
        var clusters = ClusterContentOptions()
        var limit: Int

        init(_ random: inout SeededRandom) {
            let maxZoom = 3 + random.next(below: 7)
            clustering = ClusteringOptions(minZoom: random.next(below: 3), maxZoom: maxZoom)
            if random.next(below: 2) == 0 { clustering.clusterMaxZoom = 1 + random.next(below: maxZoom - 1) }
            if random.next(below: 3) == 0 { clustering.minPoints = 3 + random.next(below: 3) }
            if random.next(below: 3) == 0 { clustering.position = .centroid }
            if random.next(below: 3) == 0 { clustering.groupColumn = "rank" }
            if random.next(below: 4) == 0 { clustering.weightColumn = "rank" }
            if random.next(below: 4) == 0 {
                clustering.mode = .filter
                clustering.position = .anchor
                clustering.minPoints = 2
            } else {
                if random.next(below: 2) == 0 { clusters.accumulate = [Accumulation(name: "rank", operation: .max)] }
                if clustering.groupColumn == nil, clusters.accumulate.isEmpty {
                    clusters.countBy = [CategoryCount(name: "rank")]
                }
                if random.next(below: 2) == 0 {
                    clusters.memberLimit = [4, 10_000][random.next(below: 2)]
                    clusters.memberProperties = ["name"]
                }
                if clustering.groupColumn != nil { clusters.accumulate = [] }
                if random.next(below: 3) == 0 { clusters.filterBy = [FacetColumn(name: "rank")] }
            }
            limit = [1, 3, 8, 20, 60, 10_000][random.next(below: 6)]
        }

        init(_ clustering: ClusteringOptions, limit: Int) {
            self.clustering = clustering
            self.limit = limit
        }
    }

    private static func build(
        _ path: String, _ options: Options, limit: Int?, jobs: Int = 2, markersPerSubtree: Int? = nil
    ) throws -> MemoryTileset {
        let storage = TileStorage(compression: .none, layout: TilesetLayout(bundleLimit: limit))
        var build = BuildOptions(
            inputPaths: [path], outputPath: "", clustering: options.clustering, clusters: options.clusters, jobs: jobs)
        build.storage = storage
        try #require(build.problem == nil, "\(build.problem?.description ?? "")")
        var builder = PyramidBuilder(options: build)
        if let markersPerSubtree { builder.markersPerSubtree = markersPerSubtree }
        let tileset = MemoryTileset(storage: storage)
        _ = try builder.build { _ in tileset }
        return tileset
    }

    @Test(arguments: 0..<24)
    func `a bundled pyramid, expanded through its index, has the features of the plain one`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 500)
        let shapes = PointScatter.Shape.allCases
        var points = PointScatter.points(
            shapes[seed % shapes.count], count: 30 + random.next(below: 120), random: &random)
        points += points.prefix(random.next(below: 30))
        let options = Options(&random)
        let rows = PointRows(points)
        let folder = try TemporaryFolder()
        let input = try folder.file("points.csv", rows.csv)
        let plain = try BundleTests.build(input, options, limit: nil)
        let bundled = try BundleTests.build(input, options, limit: options.limit)

        let expected = try Features(plain: plain, options.clustering)
        let found = try Features(bundled: bundled)
        #expect(found.byTile == expected.byTile)
        #expect(Set(found.files) == expected.files(limit: options.limit))
        #expect(try PyramidVerifier(tileset: bundled, jobs: 2).checkedReport().findings == [])
        if options.clusters.memberLimit == 10_000 || options.clustering.mode == .filter {
            try HierarchyOracle(bundled, key: "name").expectNoProblems()
        }
        for tile in expected.byTile.keys {
            let bodies = try [bundled, plain].map { try #require(try $0.body(of: tile)) }
            let texts = try bodies.map { try Features.texts(in: $0, withParents: true).map(\.text).sorted() }
            #expect(texts[0] == texts[1])
        }
        #expect(try bundled.manifest().zooms.map(\.tiles) == plain.manifest().zooms.map(\.tiles))

        var other = rows
        other.rows.shuffle(using: &random)
        let shuffled = try folder.file("shuffled.csv", other.csv)
        let again = try BundleTests.build(
            shuffled, options, limit: options.limit, jobs: 1, markersPerSubtree: 1 + random.next(below: 50))
        for name in [TileJSON.fileName, FileList.fileName, Manifest.fileName] {
            #expect(try again.metadataBytes(of: name) == bundled.metadataBytes(of: name), "\(name)")
        }
    }

    /// At the last zoom it is shown at its place, and before at a position that is the same.
    @Test(arguments: ClusteringOptions.Position.allCases)
    func `points that stay together are one record`(position: ClusteringOptions.Position) throws {
        var clustering = ClusteringOptions(position: position, maxZoom: 4)
        clustering.coincidentLimit = 2
        let folder = try TemporaryFolder()
        let input = try folder.file("points.csv", "name,lon,lat\na,10,20\nb,10,20\nc,10,20\nd,50,-20\n")
        let bundled = try BundleTests.build(input, Options(clustering, limit: 8), limit: 8)
        #expect(try PyramidVerifier(tileset: bundled, jobs: 2).checkedReport().findings == [])
    }

}

/// The features of a tileset as texts with sorted keys, without what depends on the file: facets, and parents.
private struct Features {
    /// A tile's or a bundle's file.
    struct File: Hashable {
        let tile: TileCoordinate
        let isBundle: Bool
    }

    var byTile: [TileCoordinate: [String]] = [:]
    var files: [File] = []
    private var codes: [String: UInt64] = [:]
    private var maxZoom = 0

    /// Reads every tile.
    init(plain tileset: MemoryTileset, _ clustering: ClusteringOptions) throws {
        maxZoom = clustering.maxZoom
        for entry in try tileset.tileEntries() {
            let features = try Features.texts(in: try #require(try tileset.storedBytes(of: entry.address)))
            for feature in features { codes[feature.text] = feature.code }
            byTile[entry.address] = features.map(\.text).sorted()
        }
    }

    /// Reads the files that the index names.
    init(bundled tileset: MemoryTileset) throws {
        let tileJSON = try tileset.tileJSON()
        let bundles = try #require(tileJSON.bundles)
        let data = try #require(Data(base64Encoded: bundles.index))
        let nodes = try Inflating.raw(Array(data))
        maxZoom = tileJSON.maxzoom
        var next = 0
        func walk(_ state: Int, z: Int, x: Int, y: Int) throws {
            guard let tile = TileCoordinate(z: z, x: x, y: y) else { return }
            if state == 1 { try add(bundle: tile, of: tileset) }
            if state == 2 {
                files.append(File(tile: tile, isBundle: false))
                let body = try #require(try tileset.storedBytes(of: tile))
                byTile[tile] = try Features.texts(in: body).map(\.text).sorted()
            }
            guard state >= 2 else { return }
            let states = Int(nodes[next])
            next += 1
            for child in 0..<4 {
                try walk(states >> (2 * child) & 3, z: z + 1, x: 2 * x + child % 2, y: 2 * y + child / 2)
            }
        }
        try walk(Int(bundles.root.rawValue), z: 0, x: 0, y: 0)
        #expect(next == nodes.count)
        byTile = byTile.mapValues { $0.sorted() }
    }

    private mutating func add(bundle: TileCoordinate, of tileset: MemoryTileset) throws {
        files.append(File(tile: bundle, isBundle: true))
        let body = try tileset.storedBytes(of: .bundle(bundle), limitBytes: 1 << 30)
        var last: (UInt64, Int)?
        for feature in try Features.texts(in: body) {
            let zooms = (feature.minZoom ?? bundle.z)...(feature.maxZoom ?? maxZoom)
            // What can be left out is left out.
            #expect(feature.minZoom != bundle.z && feature.maxZoom != maxZoom)
            #expect(last.map { $0 <= (feature.code, zooms.lowerBound) } ?? true)
            last = (feature.code, zooms.lowerBound)
            for zoom in zooms {
                let tile = TileCoordinate(containing: MortonCode(rawValue: feature.code).point, atZoom: zoom)
                byTile[tile, default: []].append(feature.text)
            }
        }
    }

    /// Which files a bundled tileset of the same features should have, by the definition.
    func files(limit: Int) -> Set<File> {
        var result: Set<File> = []
        for tile in byTile.keys.sorted() {
            let above = (0..<tile.z).compactMap { tile.ancestor(atZoom: $0) }
            guard !above.contains(where: { result.contains(File(tile: $0, isBundle: true)) }) else { continue }
            let isBundle = tile.z == maxZoom || recordCount(in: tile) <= limit
            result.insert(File(tile: tile, isBundle: isBundle))
        }
        return result
    }

    /// How many features begin in a tile or below: at the tile's zoom, or where the zoom above doesn't show them.
    private func recordCount(in tile: TileCoordinate) -> Int {
        var above: [String: Int] = [:]
        var sum = 0
        for zoom in tile.z...maxZoom {
            var counts: [String: Int] = [:]
            for (other, texts) in byTile where other.z == zoom && other.ancestor(atZoom: tile.z) == tile {
                for text in texts { counts[text, default: 0] += 1 }
            }
            for (text, count) in counts { sum += max(0, count - above[text, default: 0]) }
            above = counts
        }
        return sum
    }

    struct Text {
        var text: String
        var code: UInt64
        var minZoom, maxZoom: Int?
    }

    static func texts(in body: [UInt8], withParents: Bool = false) throws -> [Text] {
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        return try #require(json["features"] as? [[String: Any]]).map { feature in
            var feature = feature
            let minZoom = feature.removeValue(forKey: "minzoom") as? Int
            let maxZoom = feature.removeValue(forKey: "maxzoom") as? Int
            for name in ["parent", "parent_id"] { feature[name] = nil }
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let degrees = try #require(geometry["coordinates"] as? [Double])
            let place = WebMercator.project(
                Coordinate(
                    longitudeMicrodegrees: Int32((degrees[0] * 1e6).rounded()),
                    latitudeMicrodegrees: Int32((degrees[1] * 1e6).rounded())))
            var properties = try #require(feature["properties"] as? [String: Any])
            properties["facets"] = nil
            if !withParents { properties["parent"] = nil }
            feature["properties"] = properties
            let text = try JSONSerialization.data(withJSONObject: feature, options: .sortedKeys)
            return Text(
                text: String(decoding: text, as: UTF8.self), code: MortonCode(place).rawValue, minZoom: minZoom,
                maxZoom: maxZoom)
        }
    }
}

/// Raw deflate.
private enum Inflating {
    static func raw(_ bytes: [UInt8]) throws -> [UInt8] {
        let inflater = try GzipInflater(isRaw: true)
        var content: [UInt8] = []
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !inflater.isAtMemberEnd { rest = try inflater.inflate(rest, appendingTo: &content) }
            #expect(rest.isEmpty)
        }
        return content
    }
}
