import PyramidTiles

/// The coordinate reference system in a collection's `crs`, a member of GeoJSON before RFC 7946:
/// `{"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}`.
struct GeoJSONCoordinateSystem {
    /// The name as written in the input.
    let name: [UInt8]

    /// `nil` if the member names no system; it may be null.
    init?(_ crs: JSONValue, in bytes: Span<UInt8>) {
        func member(_ name: StaticString, of object: JSONValue?) -> JSONValue? {
            (try? object?.members(in: bytes))?.first { bytes.isEqual($0.name, name) }?.value
        }
        guard let name = member("name", of: member("properties", of: crs)), name.kind == .text
        else { return nil }
        self.name = name.text.range.map { bytes[$0] }
    }

    /// - Throws: ``InputError`` unless the system is WGS 84, the only one GeoJSON (RFC 7946) allows.
    func requireWGS84(in input: InputBytes) throws(InputError) {
        let letters = String(decoding: name, as: UTF8.self).uppercased().filter { $0 != " " }
        // In names such as "urn:ogc:def:crs:EPSG::4326" and "http://www.opengis.net/def/crs/OGC/1.3/CRS84".
        let last = letters.split { $0 == ":" || $0 == "/" || $0 == "#" }.last ?? ""
        guard !["CRS84", "CRS84H", "4326", "4979", "WGS84"].contains(last) else { return }
        let conversion = "ogr2ogr -f GeoJSONSeq /vsistdout/ FILE"
        throw InputError(
            .badData, in: input.name,
            "crs is \(InputError.quoted(name)), expected WGS 84; convert it: \(.buildFromOutput(of: input.command(conversion)))"
        )
    }
}
