/// The JSON in a PMTiles archive: what its readers look for, and the manifest, under `pyramid`.
package struct ArchiveMetadata: Codable, Equatable, Sendable {
    package var name: String?
    package var description: String?
    package var attribution: String?
    /// To be drawn over a basemap.
    package var type = "overlay"
    package var generator: String
    package var vectorLayers: [TileJSON.VectorLayer]
    /// As in the TileJSON.
    package var idProperty: String?

    private static let manifestKey: StaticString = "pyramid"
    /// The end of an object that ``MetadataJSON`` has written.
    private static let end = Array("\n}\n".utf8)
    /// The largest metadata that are read, inflated: 64 MiB.
    package static let limitBytes = 64 << 20

    package init(_ tileJSON: TileJSON, generator: String) {
        name = tileJSON.name
        description = tileJSON.description
        attribution = tileJSON.attribution
        self.generator = generator
        vectorLayers = tileJSON.vectorLayers
        idProperty = tileJSON.idProperty
    }

    /// - Parameter manifest: its bytes, which stay as they are.
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
            // What is no JSON has no manifest.
        }
        return nil
    }

    /// What `tilejson.json` would say of the same tiles in a directory.
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
        return tileJSON
    }
}
