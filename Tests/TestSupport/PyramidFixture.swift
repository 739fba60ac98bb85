import Foundation
import PyramidStore
import PyramidTiles

/// A little pyramid that is written to a directory of its own, with all that is wrong with it consistent: what is edited
/// here is what the list, the manifest and their checksums say.
package struct PyramidFixture {
    package var options: ClusteringOptions
    /// How the tiles are listed and named; they are always compressed.
    package var storage = TileStorage()
    package var idProperty: String?
    package let points: [Feature]
    package var zooms: [Int: [Marker]]
    /// What becomes of a GeoJSON tile before it is compressed.
    package var bodyEdits: [TileCoordinate: (String) -> String] = [:]
    /// What becomes of a tile's file before it is listed.
    package var storedEdits: [TileCoordinate: ([UInt8]) -> [UInt8]] = [:]
    /// Markers that are put in another tile than their own.
    package var strays: [Coordinate: TileCoordinate] = [:]
    /// What becomes of the bundles before they are written, if the storage has any.
    package var editBundles: (inout ReferenceBundles) -> Void = { _ in }
    package var editList: (inout [FileList.Entry]) -> Void = { _ in }
    package var editTileJSON: (inout TileJSON) -> Void = { _ in }
    package var editManifest: (inout Manifest) -> Void = { _ in }

    package init(_ options: ClusteringOptions, points: [Feature]) {
        self.options = options
        self.points = points
        zooms = ReferencePyramid(options: options, points: points).zooms()
    }

    /// Calls `body` with the pyramid in a directory that is removed afterwards.
    package func withDirectory<Result>(_ body: (DirectoryTileset) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let path = folder.path
        try write(to: DirectoryTileset(path: path, storage: storage))
        return try body(DirectoryTileset(path: path, storage: storage))
    }

    package func write(to place: DirectoryTileset) throws {
        let directory = DirectoryTileset(path: place.path, storage: storage)
        var tiles: [TileCoordinate: [Marker]] = [:]
        for (zoom, markers) in zooms {
            for marker in markers { tiles[tile(of: marker, zoom), default: []].append(marker) }
        }
        let tilesByZoom = Dictionary(grouping: tiles.keys, by: \.z)
        var entries: [FileList.Entry] = []
        if let limit = storage.layout.bundleLimit {
            var reference = ReferenceBundles(of: tiles, limit: limit, maxZoom: options.maxZoom)
            editBundles(&reference)
            tiles = reference.tiles
            entries = try reference.bundles.keys.map { tile in
                try write(reference.body(of: tile), to: .bundle(tile), in: directory)
            }
        }
        entries += try tiles.map { try write($1, to: $0, in: directory) }
        let files = entries.map { ($0.address.tile.z, $0.file) }
        let summaries = (options.minZoom...options.maxZoom).map { zoom in
            let markers = zooms[zoom] ?? []
            let zoomFiles = files.filter { $0.0 == zoom }.map(\.1)
            return Manifest.ZoomSummary(
                zoom: zoom, tiles: tilesByZoom[zoom]?.count ?? 0, markers: markers.count,
                clusters: markers.filter { $0.pointCount > 1 }.count,
                bodyBytes: zoomFiles.reduce(0) { $0 + $1.bodyByteCount },
                storedBytes: zoomFiles.reduce(0) { $0 + $1.byteCount },
                minimumDistanceUnits: options.promisedDistanceUnits(atZoom: zoom))
        }
        editList(&entries)
        let index = storage.layout.bundleLimit.map { BundleIndex(limit: $0, files: entries.map(\.address)) }
        let list = FileList(entries).encoded()
        var tileJSON = TileJSON(
            tileTemplate: storage.template(of: .tile), codec: storage.codec, tileSize: options.tileSize,
            minZoom: options.minZoom, maxZoom: options.maxZoom,
            bounds: bounds, layer: storage.layer, fields: ["name": "String"],
            bundles: index.map { TileJSON.Bundles($0, template: storage.template(of: .bundle)) })
        tileJSON.pointCount = points.count
        tileJSON.clusterDistances = options.clusterDistances
        tileJSON.groupBy = options.groupColumn
        editTileJSON(&tileJSON)
        let tileJSONBytes = try tileJSON.encoded()
        var manifest = Manifest(
            generator: "pyramid test", options: options,
            content: Manifest.ContentOptions(
                columns: .init(idColumn: "id"), idProperty: idProperty, properties: ["name"], storage: storage,
                compressionLevel: 6, compressor: storage.compressorName(level: 6)),
            input: Manifest.InputSummary(
                digest: "0123456789abcdef", rowsRead: points.count + 3, rowsAccepted: points.count, rowsClamped: 0,
                rowsSkipped: ["no latitude": 2, "ragged": 1]),
            zooms: summaries,
            files: [
                TileJSON.fileName: Manifest.FileSummary(of: tileJSONBytes),
                FileList.fileName: Manifest.FileSummary(of: list),
            ])
        editManifest(&manifest)
        try write(list, to: directory.path(ofFile: FileList.fileName))
        try write(tileJSONBytes, to: directory.path(ofFile: TileJSON.fileName))
        try write(try manifest.encoded(), to: directory.path(ofFile: Manifest.fileName))
    }

    private var bounds: BoundingBox {
        let longitudes = points.map(\.coordinate.longitudeMicrodegrees)
        let latitudes = points.map(\.coordinate.latitudeMicrodegrees)
        return BoundingBox(
            west: longitudes.min() ?? 0, south: latitudes.min() ?? 0, east: longitudes.max() ?? 0,
            north: latitudes.max() ?? 0)
    }

    package func tile(of marker: Marker, _ zoom: Int) -> TileCoordinate {
        if let stray = strays[marker.coordinate], stray.z == zoom { return stray }
        return TileCoordinate(containing: WebMercator.project(marker.coordinate), atZoom: zoom)
    }

    private func write(
        _ markers: [Marker], to tile: TileCoordinate, in directory: DirectoryTileset
    ) throws -> FileList.Entry {
        let sorted = markers.sorted {
            MortonCode(WebMercator.project($0.coordinate)) < MortonCode(WebMercator.project($1.coordinate))
        }
        let body = storage.codec == .mvt ? sorted.encodedTile(at: tile, storage) : sorted.encodedTile()
        let edited = bodyEdits[tile].map { Array($0(String(decoding: body, as: UTF8.self)).utf8) } ?? body
        let stored = edited.gzipped()
        let bytes = storedEdits[tile]?(stored) ?? stored
        try write(bytes, to: directory.path(of: tile))
        return FileList.Entry(
            address: .tile(tile), byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: edited.count,
            bodyCRC32: Gzip.crc32(edited))
    }

    private func write(
        _ body: [UInt8], to address: FileAddress, in directory: DirectoryTileset
    ) throws -> FileList.Entry {
        let stored = body.gzipped()
        try write(stored, to: directory.path(ofFile: storage.relativePath(of: address)))
        return FileList.Entry(
            address: address, byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: body.count,
            bodyCRC32: Gzip.crc32(body))
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}
