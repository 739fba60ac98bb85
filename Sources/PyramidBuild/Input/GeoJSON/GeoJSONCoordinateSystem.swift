import PyramidTiles

/// The coordinate reference system in a collection's `crs`, a member of GeoJSON before RFC 7946:
/// `{"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}`.
struct GeoJSONCoordinateSystem {
    /// The name as written in the input.
    let name: [UInt8]

    /// `nil` if the member names no system; it may be null.
    init?(_ crs: JSONValue, in bytes: Span<UInt8>) {
        guard let properties = GeoJSONCoordinateSystem.member("properties", of: crs, in: bytes),
            let name = GeoJSONCoordinateSystem.member("name", of: properties, in: bytes), name.kind == .text
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

    /// A member of an object already scanned.
    private static func member(_ name: StaticString, of object: JSONValue, in bytes: Span<UInt8>) -> JSONValue? {
        guard object.kind == .object else { return nil }
        var scanner = JSONScanner(at: object.range.lowerBound + 1)
        var isFirst = true
        while let found = try? scanner.nextName(isFirst: isFirst, in: bytes), let value = try? scanner.scanValue(bytes)
        {
            isFirst = false
            if bytes.isEqual(found, name) { return value }
        }
        return nil
    }
}
