import Foundation

@testable import PyramidTiles

/// A little pyramid that is written to a directory of its own, with all that is wrong with it consistent: what is edited
/// here is what the list, the manifest and their checksums say.
struct PyramidFixture {
    var options: ClusteringOptions
    /// How the tiles are listed and named; they are always compressed.
    var storage = TileStorage()
    let points: [Feature]
    var zooms: [Int: [Marker]]
    /// What becomes of a tile's JSON before it is compressed.
    var bodyEdits: [TileCoordinate: (String) -> String] = [:]
    /// What becomes of a tile's file before it is listed.
    var storedEdits: [TileCoordinate: ([UInt8]) -> [UInt8]] = [:]
    /// Markers that are put in another tile than their own.
    var strays: [Coordinate: TileCoordinate] = [:]
    /// The JSON of pages, whatever the clusters; `nil` for a pyramid without.
    var pages: [LeafPage: String]?
    var editList: (inout [TileList.Entry]) -> Void = { _ in }
    var editTileJSON: (inout TileJSON) -> Void = { _ in }
    var editManifest: (inout Manifest) -> Void = { _ in }

    init(_ options: ClusteringOptions, points: [Feature]) {
        self.options = options
        self.points = points
        zooms = ReferencePyramid(options: options, points: points).zooms()
    }

    /// Calls `body` with the pyramid in a directory that is removed afterwards.
    func withDirectory<Result>(_ body: (TileDirectory) throws -> Result) throws -> Result {
        let path = NSTemporaryDirectory() + "pyramid-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = TileDirectory(path: path)
        try write(to: directory)
        return try body(directory)
    }

    /// What the verifier finds.
    func findings(jobs: Int = 2) throws -> [Finding] {
        try withDirectory { PyramidVerifier(directory: $0, jobs: jobs).verify().findings }
    }

    func write(to place: TileDirectory) throws {
        let directory = TileDirectory(path: place.path, storage: storage)
        var entries: [TileList.Entry] = []
        var summaries: [Manifest.ZoomSummary] = []
        for zoom in options.minZoom...options.maxZoom {
            let markers = zooms[zoom] ?? []
            let zoomEntries = try Dictionary(grouping: markers) { tile(of: $0, zoom) }.map {
                try write($1, to: $0, in: directory)
            }
            entries += zoomEntries
            summaries.append(
                Manifest.ZoomSummary(
                    zoom: zoom, tiles: zoomEntries.count, markers: markers.count,
                    clusters: markers.filter { $0.pointCount > 1 }.count,
                    bodyBytes: zoomEntries.reduce(0) { $0 + $1.file.bodyByteCount },
                    storedBytes: zoomEntries.reduce(0) { $0 + $1.file.byteCount },
                    minimumDistanceUnits: options.promisedDistanceUnits(atZoom: zoom)))
        }
        editList(&entries)
        let list = TileList(entries).encoded()
        var tileJSON = TileJSON(
            tileTemplate: storage.template, minZoom: options.minZoom, maxZoom: options.maxZoom,
            bounds: bounds, fields: ["name": "String"])
        editTileJSON(&tileJSON)
        let tileJSONBytes = try tileJSON.encoded()
        var manifest = Manifest(
            generator: "pyramid test", options: options,
            content: Manifest.ContentOptions(
                idColumn: "id", properties: ["name"], storage: storage, compressionLevel: 6),
            input: Manifest.InputSummary(
                digest: "0123456789abcdef", rowsRead: points.count + 3, rowsAccepted: points.count, rowsClamped: 0,
                rowsSkipped: ["no latitude": 2, "ragged": 1]),
            zooms: summaries,
            files: [
                TileJSON.fileName: Manifest.FileSummary(of: tileJSONBytes),
                TileList.fileName: Manifest.FileSummary(of: list),
            ])
        if let pages {
            let leaves = LeafList(try pages.map { try write(Array($1.utf8), to: $0, in: directory) }).encoded()
            manifest.content.clusters.hasLeaves = true
            manifest.files[LeafList.fileName] = Manifest.FileSummary(of: leaves)
            try write(leaves, to: directory.path(ofFile: LeafList.fileName))
        }
        editManifest(&manifest)
        try write(list, to: directory.path(ofFile: TileList.fileName))
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

    func tile(of marker: Marker, _ zoom: Int) -> TileCoordinate {
        if let stray = strays[marker.coordinate], stray.z == zoom { return stray }
        return TileCoordinate(containing: WebMercator.project(marker.coordinate), atZoom: zoom)
    }

    private func write(
        _ markers: [Marker], to tile: TileCoordinate, in directory: TileDirectory
    ) throws -> TileList.Entry {
        let sorted = markers.sorted {
            MortonCode(WebMercator.project($0.coordinate)) < MortonCode(WebMercator.project($1.coordinate))
        }
        let body = sorted.encodedTile()
        let edited = bodyEdits[tile].map { Array($0(String(decoding: body, as: UTF8.self)).utf8) } ?? body
        let stored = edited.gzipped()
        let bytes = storedEdits[tile]?(stored) ?? stored
        try write(bytes, to: directory.path(of: tile))
        return TileList.Entry(
            tile: tile, byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: edited.count,
            bodyCRC32: Gzip.crc32(edited))
    }

    private func write(
        _ body: [UInt8], to page: LeafPage, in directory: TileDirectory
    ) throws -> LeafList.Entry {
        let stored = body.gzipped()
        try write(stored, to: directory.path(ofFile: storage.relativePath(of: page)))
        let file = StoredFile(
            byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: body.count, bodyCRC32: Gzip.crc32(body))
        return LeafList.Entry(page: page, file: file)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}

extension [Marker] {
    /// The JSON of a tile with these markers in their order.
    func encodedTile() -> [UInt8] {
        var encoder = GeoJSONTileEncoder()
        encoder.begin()
        for marker in self {
            switch marker {
            case .cluster(let cluster):
                encoder.beginCluster(
                    id: cluster.id, at: cluster.coordinate, boundingBox: cluster.boundingBox,
                    pointCount: cluster.pointCount, expansionZoom: cluster.expansionZoom)
                encoder.append(cluster.properties)
            case .point(let feature):
                feature.id.scalarText { id in encoder.beginPoint(at: feature.coordinate, id: id) }
                encoder.append(feature.properties)
            }
            encoder.endFeature()
        }
        encoder.end()
        return encoder.withUnsafeBytes { [UInt8]($0) }
    }
}

extension GeoJSONTileEncoder {
    fileprivate mutating func append(_ properties: [String: PropertyValue]) {
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            var quotedName = ByteBuffer()
            quotedName.append(quoted: name)
            quotedName.append(UInt8(ascii: ":"))
            let nameBytes = quotedName.withUnsafeBytes { [UInt8]($0) }
            Optional(value).scalarText { text in
                guard let text else { return }
                append(quotedName: nameBytes, text: text.text, isNumber: text.isNumber)
            }
        }
    }
}

extension PropertyValue? {
    /// The text of a string, of a number or of a truth value.
    fileprivate func scalarText(_ body: ((text: UnsafeRawBufferPointer, isNumber: Bool)?) -> Void) {
        switch self {
        case .string(let text): [UInt8](text.utf8).withUnsafeBytes { body(($0, false)) }
        case .number(let number):
            let text = Int(exactly: number).map { String($0) } ?? String(number)
            [UInt8](text.utf8).withUnsafeBytes { body(($0, true)) }
        case .bool(let value): [UInt8]("\(value)".utf8).withUnsafeBytes { body(($0, true)) }
        default: body(nil)
        }
    }
}

extension [UInt8] {
    func gzipped() -> [UInt8] {
        var buffer = ByteBuffer()
        withUnsafeBytes { GzipCompressor(level: 6).compress($0, into: &buffer) }
        return buffer.withUnsafeBytes { [UInt8]($0) }
    }
}
