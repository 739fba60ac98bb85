import Foundation

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts
@testable import PyramidStore
@testable import PyramidTiles

/// Seeds in the formats of today, written in each run: rows, tilesets, lists, archives and parts of twelve points.
enum WrittenSeeds {
    /// By target and name.
    static let all: [FuzzTarget: [String: [UInt8]]] = {
        do { return try written() } catch { fatalError("seeds can't be written: \(error)") }
    }()

    private static let names = ["id", "kind", "w", "n", "lon", "lat"]
    private static let rows: [[String]] = (0..<12).map { i in
        let (east, north) = (170 + i * 7 % 19, i * 5 % 31 - 9)
        return [
            "p\(i)", i % 2 == 0 ? "a" : "b", "\(i % 3 + 1)", "\(Double(i) / 4)", "\(east > 180 ? east - 360 : east)",
            "\(north)",
        ]
    }
    static let table = ([names] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    private static let features = rows.map { row in
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(row[4]),\(row[5])]},\
        "properties":{"id":"\(row[0])","kind":"\(row[1])","w":\(row[2]),"n":\(row[3])}}

        """
    }.joined()

    private static func options(maxZoom: Int, _ change: (inout BuildOptions) -> Void = { _ in }) -> BuildOptions {
        var options = BuildOptions(
            inputPaths: [], outputPath: "", clustering: ClusteringOptions(maxZoom: maxZoom), jobs: 1)
        options.syncs = false
        // As the fuzzer's tilesets are compressed, or their sizes would be others than those that the manifest sums up.
        options.compressionLevel = 1
        change(&options)
        return options
    }

    /// With ids, sums, counts, weights and centroids.
    private static func rich(_ operation: Accumulation.Operation, _ change: (inout BuildOptions) -> Void)
        -> BuildOptions
    {
        options(maxZoom: 2) { options in
            options.input.idColumn = "id"
            options.clusters.accumulate = [Accumulation(name: "n", operation: operation)]
            options.clusters.countBy = [CategoryCount(name: "kind", limit: 1)]
            options.clustering.weightColumn = "w"
            options.clustering.position = .centroid
            change(&options)
        }
    }

    /// With columns to filter by.
    private static func facets(_ change: (inout BuildOptions) -> Void) -> BuildOptions {
        options(maxZoom: 2) { options in
            options.input.idColumn = "id"
            options.clusters.accumulate = [Accumulation(name: "n", operation: .sum)]
            options.clusters.countBy = [CategoryCount(name: "kind")]
            options.clusters.filterBy = [FacetColumn(name: "kind"), FacetColumn(name: "n", edges: [0.5, 2])]
            options.clustering.weightColumn = "w"
            change(&options)
        }
    }

    private static func bundles(_ compression: TileStorage.Compression) -> BuildOptions {
        options(maxZoom: 3) { $0.storage = TileStorage(compression: compression, layout: .bundles(limit: 5)) }
    }

    private static let tilesets: [String: BuildOptions] = [
        "anchors": options(maxZoom: 2),
        "rich": rich(.mean) {
            $0.clusters.memberLimit = 2
            $0.clustering.clusterDistance = 80
        },
        "groups": options(maxZoom: 2) {
            ($0.clustering.position, $0.clustering.groupColumn) = (.centroid, "kind")
        },
        "bundles": bundles(.none),
        "vector": options(maxZoom: 1) {
            $0.storage = TileStorage(codec: .mvt)
            $0.input.idColumn = "id"
        },
        "facets": facets { $0.storage = TileStorage(layout: .bundles(limit: 5)) },
        "facets-vector": facets { $0.storage = TileStorage(codec: .mvt) },
        "filter": options(maxZoom: 2) {
            ($0.clustering.mode, $0.clustering.priorityColumn) = (.filter, "w")
            $0.clustering.unclustered = UnclusteredRule(column: "kind", value: "b")
        },
    ]
    private static let parts: [String: BuildOptions] = [
        "plain": options(maxZoom: 2), "bundles": bundles(.gzip),
        "rich": rich(.sum) {
            $0.clustering.minPoints = 3
            $0.clustering.unclustered = UnclusteredRule(column: "w", value: "3")
        },
    ]

    private static func written() throws -> [FuzzTarget: [String: [UInt8]]] {
        let folder = NSTemporaryDirectory() + "pyramid-seeds-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = (table: folder + "/rows.csv", features: folder + "/rows.ndjson")
        try Data(table.utf8).write(to: URL(fileURLWithPath: paths.table))
        try Data(features.utf8).write(to: URL(fileURLWithPath: paths.features))
        var seeds: [FuzzTarget: [String: [UInt8]]] = [:]
        // The first byte chooses options, as CheckPartwise.swift says.
        for choice: UInt8 in [0, 11, 22, 36, 43, 61] {
            let text = table.replacing("kind", with: "k", maxReplacements: 1)
            seeds[.partwise, default: [:]]["options-\(choice)"] = [choice] + Array(text.utf8)
        }
        for (name, var options) in tilesets {
            options.inputPaths = [paths.table]
            let tileset = MemoryTileset(storage: options.storage)
            _ = try PyramidBuilder(options: options).build { _ in tileset }
            let list = try TilesetListing(of: tileset).list
            let files = try list.entries.map { entry in
                let stored = try tileset.storedBytes(of: entry.address, limitBytes: .max)
                return ("\(entry.address)", try inflated(stored))
            }
            let metadata = try [Manifest.fileName, TileJSON.fileName].map { ($0, try tileset.metadataBytes(of: $0)) }
            seeds[.manifest, default: [:]][name] = sections(metadata + files)
            seeds[.tilejson, default: [:]][name] = metadata[1].1
            seeds[.lists, default: [:]][name] = list.encoded()
            let largest = files.filter { $0.0.hasPrefix("bundles/") }.max { $0.1.count < $1.1.count }
            if let largest { seeds[.tile] = ["bundle": largest.1] }
        }
        for name in ["anchors", "vector", "filter"] {
            guard var options = tilesets[name] else { fatalError("there is no tileset \(name)") }
            options.inputPaths = [paths.table]
            options.outputPath = folder + "/\(name).pmtiles"
            options.storage.layout = TilesetLayout(outputPath: options.outputPath)
            _ = try PyramidBuilder(options: options).build()
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: options.outputPath)))
            let header = try PMTilesHeader(decoding: bytes)
            let ranges = [
                ("root", header.rootDirectory), ("metadata", header.metadata), ("leaves", header.leafDirectories),
            ]
            let directories = try ranges.map { ($0, try inflated(Array(bytes[$1]))) }
            seeds[.archive, default: [:]][name] = sections(directories + [("tiles", Array(bytes[header.tileData]))])
            seeds[.archive, default: [:]]["\(name)-file"] = bytes
        }
        // The chosen tileset, and changes of its metadata.
        for number in UInt8(0)..<8 {
            seeds[.forgery, default: [:]]["\(number)"] = [number, number % 4, 0, 31 * number, 9]
        }
        let schema = try PointSchema(reading: [paths.features])
        for (name, var options) in parts {
            (options.inputPaths, options.outputPath) = ([paths.features], folder + "/part-\(name)")
            options.schema = schema
            let whole = WorldPart(tile: world, cutZoom: 0)
            _ = try PartBuilder(options: PartOptions(build: options, part: whole)).build()
            let input = try InputBytes(path: options.outputPath)
            let part = try PartFile(path: options.outputPath, input.bytes)
            let names = [
                PartSection.manifest, PartSection.rows, PartSection.candidates, PartSection.texts, PartSection.totals,
                PartSection.ids, PartSection.cells,
            ]
            let found = try names.map { ($0, Array(try part.section($0))) }
            let files = try part.entries().map { ("\($0.address)", Array(part.body(of: $0))) }
            seeds[.part, default: [:]][name] = sections(found + files)
            seeds[.part, default: [:]]["\(name)-file"] = Array(input.bytes)
        }
        return seeds
    }

    private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        bytes.starts(with: Gzip.magic) ? try Gzip.decompress(bytes, limitBytes: .max) : bytes
    }

    /// As `NamedSections` reads them.
    private static func sections(_ sections: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        Array(sections.map { Array("== \($0.name)\n".utf8) + $0.bytes }.joined(separator: [UInt8(ascii: "\n")]))
    }
}
