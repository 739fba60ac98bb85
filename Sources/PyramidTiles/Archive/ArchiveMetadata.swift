/// The JSON metadata of a PMTiles archive: the keys that other readers look for, and the manifest under `pyramid`.
package struct ArchiveMetadata: Codable, Equatable, Sendable {
    package var name: String?
    package var description: String?
    package var attribution: String?
    /// PMTiles' word for tiles that are drawn over a basemap.
    package var type = "overlay"
    package var generator: String
    package var vectorLayers: [TileJSON.VectorLayer]
    // As in the TileJSON.
    package var idProperty: String?
    package var pointCount: Int?
    package var clusterDistances: [Double]?
    package var countBy: [TileJSON.CountedValues]?
    package var groupBy: String?
    package var facets: Facets?

    private static let manifestKey: StaticString = "pyramid"
    /// How an object written by ``MetadataJSON`` ends.
    private static let end = Array("\n}\n".utf8)
    /// The largest metadata that are read, once inflated: 64 MiB.
    package static let limitBytes = 64 << 20

    package init(_ tileJSON: TileJSON, generator: String) {
        name = tileJSON.name
        description = tileJSON.description
        attribution = tileJSON.attribution
        self.generator = generator
        vectorLayers = tileJSON.vectorLayers
        idProperty = tileJSON.idProperty
        pointCount = tileJSON.pointCount
        clusterDistances = tileJSON.clusterDistances
        countBy = tileJSON.countBy
        groupBy = tileJSON.groupBy
        facets = tileJSON.facets
    }

    /// - Parameter manifest: the manifest's bytes, which are copied unchanged because its checksum covers them.
    package func encoded(with manifest: [UInt8]) throws -> [UInt8] {
        let own = try MetadataJSON.encode(self)
        precondition(own.suffix(ArchiveMetadata.end.count) == ArchiveMetadata.end[...], "JSON that ends otherwise")
        return own.dropLast(ArchiveMetadata.end.count) + Array(",\n  \"\(ArchiveMetadata.manifestKey)\" : ".utf8)
            + manifest.dropLast() + ArchiveMetadata.end
    }

    /// - Throws: ``MetadataError`` if the bytes are damaged.
    package init(decoding bytes: [UInt8]) throws(MetadataError) {
        self = try MetadataJSON.decode(ArchiveMetadata.self, from: bytes)
    }

    /// The bytes of the manifest in the metadata; `nil` if there is none, as in archives of other programs.
    package static func manifest(in bytes: [UInt8]) -> [UInt8]? {
        let slice = bytes[...]
        let bytes = slice.span
        var scanner = JSONScanner()
        do throws(JSONFault) {
            try scanner.expect(UInt8(ascii: "{"), "an object", in: bytes)
            var isFirst = true
            while let key = try scanner.nextName(isFirst: isFirst, in: bytes) {
                let value = try scanner.scanValue(bytes)
                if bytes.isEqual(key, manifestKey) {
                    return value.range.map { bytes[$0] } + [UInt8(ascii: "\n")]
                }
                isFirst = false
            }
        } catch {
            // Damaged JSON counts as JSON without a manifest.
        }
        return nil
    }

    /// The `tilejson.json` that the same tiles would have in a directory.
    package func tileJSON(_ header: PMTilesHeader, _ manifest: Manifest) -> TileJSON {
        let storage = manifest.content.storage
        var tileJSON = TileJSON(
            manifest.options, storage, bounds: BoundingBox(west: 0, south: 0, east: 0, north: 0), fields: [:],
            options: TileJSONOptions(name: name, description: description, attribution: attribution))
        (tileJSON.minzoom, tileJSON.maxzoom) = (header.zooms.lowerBound, header.zooms.upperBound)
        tileJSON.bounds = header.area.boundsInDegrees
        if storage.codec.widensBounds, let box = tileJSON.boundingBox { tileJSON.bounds = box.widenedDegrees }
        tileJSON.center = header.area.centerInDegrees
        tileJSON.vectorLayers = vectorLayers
        tileJSON.idProperty = idProperty
        tileJSON.pointCount = pointCount
        tileJSON.clusterDistances = clusterDistances
        tileJSON.countBy = countBy
        tileJSON.groupBy = groupBy
        tileJSON.facets = facets
        return tileJSON
    }
}
